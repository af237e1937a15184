# SPDX-License-Identifier: MIT
"""Looks at the built documentation in headless Chromium: python docs/look_at_pages.py [FOLDER].

No page may be wider than a window of 400, 1,000 or 1,600 pixels, in light or dark colours, and the
first column of a table that is scrolled must stay. With FOLDER it leaves pictures there, to be
looked at by people. Needs ``mkdocs build -f docs/mkdocs.yml`` before.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUILT = Path(__file__).parents[1] / "build" / "docs"
BROWSERS = ("chromium", "google-chrome", "/usr/lib/chromium/chromium-headless-shell")
WIDTHS = (400, 1000, 1600)
HEIGHT = 2400

# Frames, as windows of Chromium are never narrower than 500 pixels. Says what is wrong with each.
FRAMES = """<body style="margin:0;white-space:nowrap;font-size:0">{frames}<script>
const faults = (page) => {{
  const found = [], root = page.documentElement, width = root.clientWidth;
  if (root.scrollWidth > width) found.push(`is ${{root.scrollWidth}} pixels wide`);
  for (const part of page.querySelectorAll(".md-content :is(p, li, h1, h2, h3, img, dd)")) {{
    const right = part.getBoundingClientRect().right;
    if (right > width + 1 && !part.closest("table, pre, .highlight"))
      found.push(`${{part.tagName}} is cut off: ${{part.textContent.trim().slice(0, 40)}}`);
  }}
  for (const table of page.querySelectorAll(".md-content table:not([class])")) {{
    const scrolled = table.closest(".md-typeset__scrollwrap"), first = table.querySelector("td");
    if (!first || scrolled.scrollWidth <= scrolled.clientWidth) continue;
    const before = first.getBoundingClientRect().left;
    scrolled.scrollLeft = 150;
    const moved = Math.abs(first.getBoundingClientRect().left - before);
    if (moved > 20) found.push("a first column is scrolled away");
    scrolled.scrollLeft = 0;
  }}
  return found;
}};
onload = () => setTimeout(() => {{
  const seen = {{}};
  for (const frame of document.querySelectorAll("iframe")) {{
    const page = frame.contentDocument, still = page.createElement("style");
    still.textContent = "* {{ transition: none !important; }}"; // nothing between light and dark
    page.head.append(still);
    if ({dark}) page.body.setAttribute("data-md-color-scheme", "slate");
    seen[frame.dataset.page] = faults(page);
  }}
  document.body.dataset.seen = JSON.stringify(seen);
}}, 1500);
</script></body>"""


def look(
    browser: str, pages: list[Path], width: int, dark: bool, picture: Path | None
) -> list[str]:
    """Return what is wrong with pages in windows of a width."""
    frames = "".join(
        f'<iframe data-page="{page.relative_to(BUILT)}" src="{page.as_uri()}" '
        f'style="width:{width}px;height:{HEIGHT}px;border:0"></iframe>'
        for page in pages
    )
    with tempfile.TemporaryDirectory() as folder:
        harness = Path(folder, "frames.html")
        harness.write_text(FRAMES.format(frames=frames, dark=json.dumps(dark)))
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={folder}/profile", "--allow-file-access-from-files",
            f"--window-size={width * len(pages)},{HEIGHT}", "--virtual-time-budget=10000",
        ]  # fmt: skip
        if picture is not None:
            subprocess.run(
                [*command, f"--screenshot={picture}", harness.as_uri()],
                capture_output=True, timeout=300, check=True,
            )  # fmt: skip
        done = subprocess.run(
            [*command, "--dump-dom", harness.as_uri()],
            capture_output=True, text=True, timeout=300, check=True,
        )  # fmt: skip
    (seen,) = re.findall(r'data-seen="(.*?)"', done.stdout) or [""]
    if not seen:
        return [f"nothing was seen: {done.stderr[-500:]}"]
    return [
        f"{page}, {width} pixels: {fault}"
        for page, faults in json.loads(html.unescape(seen)).items()
        for fault in faults
    ]


def main(folder: Path | None) -> int:
    """Look at all pages; 1 if something is wrong with one."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.stdout.write(f"not looked at: none of {', '.join(BROWSERS)} is installed\n")
        return 0
    pages = [page for page in sorted(BUILT.rglob("*.html")) if page.name != "404.html"]
    pages = [page for page in pages if "tests" not in page.relative_to(BUILT).parts]
    wrong = []
    for width in WIDTHS:
        few = 9600 // width if folder else len(pages)  # pictures are no larger than that
        for dark in (False, True) if folder else (False,):  # colours change no layout
            for i in range(0, len(pages), few):
                name = f"{width}-{'dark' if dark else 'light'}-{i // few}.png"
                picture = folder / name if folder else None
                wrong += look(browser, pages[i : i + few], width, dark, picture)
    fine = f"{len(pages)} pages fit windows of {', '.join(map(str, WIDTHS))} pixels"
    sys.stdout.write(("\n".join(wrong) or fine) + "\n")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    place = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
    raise SystemExit(main(place))
