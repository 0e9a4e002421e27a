"""Where the pips lie on the faces of dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Site = tuple[int, int]

PATTERNS: Final[Mapping[int, tuple[Site, ...]]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  #: by value, in units of their spacing, from the face's middle
