"""Charts of measurements as PNG, drawn with Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

INK: Final = (40, 40, 40)
PALE: Final = (205, 205, 205)
PLOT: Final = 380  #: pixels, both ways
LEFT, TOP, BELOW, GAP = 70, 60, 130, 40  #: around each plot


@dataclass(frozen=True, slots=True)
class Bar:
    """A bin's claims: mean of what was said, share that was right and its 95 % interval, how many."""

    said: float = 0.0
    right: float = 0.0
    least: float = 0.0
    most: float = 0.0
    count: int = 0


def reliability(plots: Sequence[tuple[str, Sequence[str], Sequence[Bar]]], out: Path) -> None:
    """A reliability diagram for each (title, names of the bins, bars); bins without claims have count 0.

    Each bin is a column: a bar for the share that was right, a line across it for the mean of what was said, and the
    count beneath. An orange bar says that too much was claimed.
    """
    picture = Image.new("RGB", (GAP + len(plots) * (LEFT + PLOT + GAP), TOP + PLOT + BELOW), "white")
    draw = ImageDraw.Draw(picture)
    font, small = ImageFont.load_default(size=16), ImageFont.load_default(size=12)
    for number, (title, names, bars) in enumerate(plots):
        left = GAP + LEFT + number * (LEFT + PLOT + GAP)
        draw.text((left, TOP - 40), title, fill=INK, font=font)
        for tenth in range(0, 11, 2):
            y = TOP + PLOT * (1 - tenth / 10)
            draw.line((left, y, left + PLOT, y), fill=PALE)
            draw.text((left - 8, y), f"{tenth / 10:.1f}", fill=INK, font=small, anchor="rm")
        width = PLOT / len(bars)
        for i, bar in enumerate(bars):
            x = left + i * width
            if bar.count:
                colour = (224, 150, 70) if bar.most < bar.said else (86, 160, 110)
                draw.rectangle((x + 4, TOP + PLOT * (1 - bar.right), x + width - 4, TOP + PLOT), fill=colour)
                ends = (TOP + PLOT * (1 - bar.least), TOP + PLOT * (1 - bar.most))
                draw.line((x + width / 2, ends[0], x + width / 2, ends[1]), fill=INK)
                y = TOP + PLOT * (1 - bar.said)
                draw.line((x + 1, y, x + width - 1, y), fill=(30, 60, 200), width=3)
                draw.text((x + width / 2, TOP + PLOT + 40), f"{bar.right:.3f}", fill=INK, font=small, anchor="mm")
            draw.text((x + width / 2, TOP + PLOT + 20), names[i], fill=INK, font=small, anchor="mm")
            draw.text((x + width / 2, TOP + PLOT + 60), str(bar.count), fill=INK, font=small, anchor="mm")
        draw.rectangle((left, TOP, left + PLOT, TOP + PLOT), outline=INK)
        for row, text in enumerate(("said from", "right", "count")):
            draw.text((left - 8, TOP + PLOT + 20 + 20 * row), text, fill=INK, font=small, anchor="rm")
    legend = "bar: share that was right and its 95 % interval; blue: what was said on average; orange: too much claimed"
    draw.text((GAP, TOP + PLOT + 100), legend, fill=INK, font=small)
    out.parent.mkdir(parents=True, exist_ok=True)
    picture.save(out)


SMALL: Final = 190  #: pixels of a small plot, both ways
SHARES: Final = ((86, 160, 110), (240, 190, 90), (200, 30, 30))  #: good, doubtful, wrong


def shares(
    plots: Sequence[tuple[str, Sequence[str], Sequence[Sequence[float]]]],
    columns: int,
    parts: Sequence[str],
    out: Path,
) -> None:
    """Small plots in rows for each (title, names of the bars, bars): stacked shares of `parts`; none is white.

    The last part is what must not be: it is drawn from the top, at least three pixels high.
    """
    rows = -(-len(plots) // columns)
    step, font = SMALL + 60, ImageFont.load_default(size=12)
    picture = Image.new("RGB", (columns * step + GAP, rows * (step + 20) + GAP), "white")
    draw = ImageDraw.Draw(picture)
    for number, (title, names, bars) in enumerate(plots):
        left, top = 40 + number % columns * step, 30 + number // columns * (step + 20)
        draw.text((left, top - 20), title, fill=INK, font=font)
        width = SMALL / len(bars)
        for i, bar in enumerate(bars):
            x, y = left + i * width, float(top + SMALL)
            for share, colour in zip(bar[:-1], SHARES, strict=False):
                end = max(float(top), y - SMALL * share)  # what is doubted may be more than lies there
                draw.rectangle((x + 2, end, x + width - 2, y), fill=colour)
                y = end
            if bar[-1]:
                draw.rectangle((x + 2, top, x + width - 2, top + max(3.0, SMALL * bar[-1])), fill=SHARES[2])
            draw.text((x + width / 2, top + SMALL + 12), names[i], fill=INK, font=font, anchor="mm")
            draw.text((x + width / 2, top + SMALL + 28), f"{100 * bar[0]:.0f}", fill=SHARES[0], font=font, anchor="mm")
        draw.rectangle((left, top, left + SMALL, top + SMALL), outline=INK)
    for i, (part, colour) in enumerate(zip(parts, SHARES, strict=True)):
        x = 40 + 110 * i
        draw.rectangle((x, picture.height - 30, x + 14, picture.height - 16), fill=colour)
        draw.text((x + 20, picture.height - 23), part, fill=INK, font=font, anchor="lm")
    out.parent.mkdir(parents=True, exist_ok=True)
    picture.save(out)
