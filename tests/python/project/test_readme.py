# SPDX-License-Identifier: MIT
"""What the README shows runs and shows what it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def test_the_ten_lines_put_heavy_talkers_together(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    names: dict[str, object] = {}

    exec(compile(code, "README.md", "exec"), names)

    mapping = names["mapping"]
    processor = mapping.blocks // 2  # type: ignore[attr-defined]
    assert processor[0] == processor[1] != processor[2] == processor[3]
    assert "4 PEs" in capsys.readouterr().out


def test_the_first_mapping_beats_block_order() -> None:
    example = ROOT / "examples" / "first_mapping.py"

    done = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, check=True, timeout=60
    )

    before, after = (int(cost) for cost in re.findall(r"^cost .*?(\d+)", done.stdout, re.MULTILINE))
    assert after < 0.8 * before
    assert "feasible: True" in done.stdout
