# SPDX-License-Identifier: MIT
"""Compare procmap with the best mapping of tiny problems: ``python tests/oracle/run.py``.

Prints per class how many feasible mappings were missed, how many were the best, and the mean of
cost over the least cost. The exit code is 1 if one was missed or a mean is above what is promised.
"""

import argparse
import random
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import procmap
from oracle import brute_force
from oracle.problems import CLASSES, problem

PROMISED = {"plain": 1.02, "capacities": 1.05, "fixed": 1.05, "warm": 1.05, "mixed": 1.05}


@dataclass
class Verdict:
    """What procmap made of one problem."""

    kind: str
    number: int
    possible: bool  # there is a feasible mapping
    missed: bool  # but procmap has none
    ratio: float  # price over the least one; 1 if both are 0 or nothing is possible


def case(seed, number):
    """Return the verdict on one problem, always the same. Wrong reports are an AssertionError."""
    kind = CLASSES[number % len(CLASSES)]
    made = problem(random.Random(f"{seed}:{number}"), kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", procmap.InfeasibleWarning)
        mapping = made.solve()
    blocks = np.asarray(mapping.blocks)[None, :].astype(np.int64)
    assert brute_force.legal(made, blocks)[0], f"problem {number}: forbidden PE or moved fixed task"
    is_feasible = bool(brute_force.feasible(made, blocks)[0])
    assert is_feasible == mapping.feasible, f"problem {number}: feasibility is misreported"
    least = brute_force.least_price(made)
    if least is None:
        least_overload = brute_force.least_overload(made)
        overload = max(0, brute_force.overloads(made, blocks)[0])
        assert overload >= least_overload
        return Verdict(kind, number, False, bool(overload > least_overload), 1.0)
    price = brute_force.prices(made, blocks)[0]
    ratio = 1.0 if price == least else price / least if least > 0 else float("inf")
    return Verdict(kind, number, True, not is_feasible, ratio)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="number of the first problem")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="name problems not solved to the best")
    args = parser.parse_args()
    verdicts = [case(args.seed, i) for i in range(args.first, args.first + args.cases)]
    print(
        f"{'class':<11} {'solvable':>8} {'missed':>7} {'best':>6} {'mean ratio':>11} {'worst':>7}"
    )
    rows = [_row(kind, verdicts, args.list) for kind in CLASSES]
    return 0 if all(rows) else 1


def _row(kind, verdicts, name_them):
    """Print the line of a class and return whether it is as promised."""
    mine = [v for v in verdicts if v.kind == kind and v.possible]
    missed = [v.number for v in mine if v.missed]
    ratios = np.array([v.ratio for v in mine if not v.missed])
    finite = ratios[np.isfinite(ratios)]
    best, beyond = int((ratios == 1).sum()), len(ratios) - len(finite)
    print(
        f"{kind:<11} {len(mine):>8} {len(missed):>7} {best:>6} {finite.mean():>11.4f} "
        f"{finite.max():>7.2f}" + (f"  and {beyond} cost something, but need not" * bool(beyond))
    )
    heavier = [v.number for v in verdicts if v.kind == kind and not v.possible and v.missed]
    if heavier:
        print(f"  of the unsolvable ones {len(heavier)} are heavier than need be")
    if name_them:
        print("  missed", missed, "heavier", heavier)
        print("  dearer", [v.number for v in mine if not v.missed and v.ratio > 1])
    return not missed and not heavier and finite.mean() <= PROMISED[kind]


if __name__ == "__main__":
    sys.exit(main())
