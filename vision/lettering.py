"""The letters in which names are drawn into photos and printed: those of the panels, which have Europe's accents.

Only the font's file is the panels': it lies in `hardware/fonts`, with its licence.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Final

from PIL import ImageFont

FONT: Final = "AtkinsonHyperlegibleNext-Medium.ttf"


@lru_cache(maxsize=64)
def font(size: float) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels per em; laid out alike everywhere."""
    path = files("hardware").joinpath("fonts", FONT)
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
