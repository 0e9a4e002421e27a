"""How well dice are read on photos without markers: read, misread, phantom.

    python -m tests.bench.dice FOLDER [--detail]

FOLDER holds photos (.jpg) of dice, and beside each a text file with a line for every die: its value less one, and its
box (middle x, y, width and height, as shares of the photo's).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import cv2
import numpy as np

from vision.pieces import PieceFinder


@dataclass(frozen=True)
class Box:
    """A die's value, and its box as shares of the photo."""

    value: int
    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        return abs(x - self.x) < self.width / 2 and abs(y - self.y) < self.height / 2


def boxes(path: Path) -> list[Box]:
    """The boxes in the text file beside a photo."""
    rows = [line.split() for line in path.with_suffix(".txt").read_text("utf-8").splitlines() if line.strip()]
    return [Box(int(value) + 1, *(float(v) for v in box)) for value, *box in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--detail", action="store_true", help="say which photos have misread dice and phantoms")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    finder = PieceFinder(())
    count = read = unsure = misread = phantom = 0
    taken = []
    for path in sorted(asked.folder.glob("*.jpg")):
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        start = perf_counter()
        seen = finder.dice(image)
        taken.append(1000 * (perf_counter() - start))
        there = boxes(path)
        count += len(there)
        done: set[Box] = set()
        for die in seen:
            place = die.centre_px[0] / image.shape[1], die.centre_px[1] / image.shape[0]
            near = sorted(
                (b for b in there if b.holds(*place)), key=lambda b: abs(b.x - place[0]) + abs(b.y - place[1])
            )
            if die.why:
                unsure += 1
            elif not near:
                phantom += 1
            elif near[0].value == die.value and near[0] not in done:
                done.add(near[0])
            else:
                misread += 1
            if asked.detail and not die.why and not (near and near[0] in done):
                shown = near[0].value if near else "nothing"
                print(f"{path.name}: {shown} at {die.centre_px[0]:.0f}, {die.centre_px[1]:.0f} read as {die.value}")
        read += len(done)
    print(
        f"{count} dice on {len(taken)} photos: read {read} ({read / max(1, count):.1%}), MISREAD {misread}, "
        f"PHANTOM {phantom}, asked about {unsure}; median {median(taken):.0f} ms a photo"
    )


if __name__ == "__main__":
    main()
