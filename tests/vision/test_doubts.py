"""What is in doubt is asked about; what from near is like no face is not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from vision.doubts import COVERED, UNFIT, Found, imagined


@pytest.mark.parametrize(
    ("free", "area", "share", "likeness", "doubt", "nothing"),
    [
        (0.3, 0.3, 0.9, 0.45, UNFIT, True),  # a strip
        (0.3, 0.3, 0.9, 0.55, UNFIT, False),
        (0.3, 0.3, 0.9, 0.45, COVERED, False),
        (0.9, 0.9, 0.9, 0.45, UNFIT, False),  # lying open
        (0.85, 0.2, 0.25, 0.45, UNFIT, True),  # a small part, the rest being something else
        (0.85, 0.6, 0.7, 0.45, UNFIT, False),  # most of it under a hand
    ],
)
def test_a_small_part_that_from_near_is_like_no_face_is_none(
    free: float, area: float, share: float, likeness: float, doubt: str, nothing: bool
) -> None:
    agreement, gallery = SimpleNamespace(area=area, share=share), SimpleNamespace(light=None, kind="tile")
    verdict: Any = SimpleNamespace(free=free, agreement=agreement, gallery=gallery, likeness=likeness)
    assert imagined(Found(verdict, doubt)) is nothing
