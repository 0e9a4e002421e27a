"""Lets only settled frames through: nothing moves, no arm lies in the picture; and says where something changed.

Frames are compared in cells, some 240 across, with slow or flickering light taken out row by row. Where something
has moved over the table they are compared three times finer, so that a twin put in a twin's place is noticed too, and
what changed is told to such a fine cell or two: what lies beside it need not be looked at again.
Time comes with the frames; nothing here looks at a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Frame

Cells = NDArray[np.float32]  #: (rows, columns, 3)
Mask = NDArray[np.bool_]  #: (rows, columns)
Rect = tuple[int, int, int, int]  #: left, top, right, bottom in the frame's pixels

ACROSS: Final = 240  #: cells across, about
FINER: Final = 3  #: so many times finer where something has moved
ROUND: Final = np.ones((3, 3), np.uint8)
CLOSE: Final = np.ones((5, 5), np.uint8)  #: fine cells: so much around what differs in them belongs to a change,
AROUND: Final = np.ones((5, 5), np.uint8)  #: … and so many whole cells around what differs in none


@dataclass(frozen=True, slots=True)
class Tuning:
    """How patient and how sensitive the gate is."""

    still_s: float = 0.45  #: nothing may have moved for so long, in at least `still_frames` frames
    still_frames: int = 3
    refresh_s: float = 1.5  #: so often a still picture becomes the new measure (slow light)
    levels: float = 6.0  #: a cell has changed when a channel differs by so many grey levels beyond its noise
    noise_times: float = 2.5
    hand_share: float = 0.004  #: of the picture: as large as an arm that reaches in
    all_share: float = 0.4  #: where so much has changed at once, the camera was bumped
    hand_patience_s: float = 20.0  #: what lies so long unmoved across the border is no arm


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What the gate says about a frame.

    `changed` are the rectangles in which something differs from the last settled frame that was let through; it is
    told on settled frames only, and once. The first settled frame has changed everywhere. `hands` are what lies
    across the picture's border and was not there before.
    """

    at: float
    settled: bool
    moving: bool = False
    hands: tuple[Rect, ...] = ()
    changed: tuple[Rect, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A table as it lay at some time: in cells, and `FINER` times finer."""

    cells: Cells
    fine: Cells


class Motion:
    """The gate. Feed it every frame of one camera in order."""

    def __init__(self, tuning: Tuning | None = None) -> None:
        self.tuning = tuning or Tuning()
        self.forget()

    def forget(self) -> None:
        """Begin anew: the next settled frame has changed everywhere."""
        self._size: tuple[int, int] = (0, 0)  # of the frame, width and height
        self._anchor: Cells | None = None  # what must not move
        self._anchor_at = self._still_since = 0.0
        self._still_count = 0
        self._noise = 1.0  # the middle difference of cells from frame to frame
        self._heard = 0  # how often it was measured
        self._settled: _Table | None = None  # as it was last let through
        self._clear: Cells | None = None  # as it was last let through with nothing across the border
        self._touched: Mask | None = None  # where something moved since
        self._resting: tuple[Rect, ...] | None = None  # settled already: what lies across the border
        self._arm_since: float | None = None

    def feed(self, frame: Frame) -> Moment:
        """Whether this frame is settled, and what changed."""
        height, width = frame.image.shape[:2]
        if (width, height) != self._size:
            self.forget()
            self._size = (width, height)
        now = self._shrink(frame, 1)
        if self._anchor is None or self._moved(now, self._anchor):
            self._anchor, self._anchor_at = now, frame.at
            self._still_since, self._still_count = frame.at, 1
            self._resting = None
            self._touch(now)
            return Moment(frame.at, settled=False, moving=True)
        self._still_count += 1
        due = frame.at - self._anchor_at >= self.tuning.refresh_s
        if due:
            self._anchor, self._anchor_at = now, frame.at
        if self._resting is not None and not due:
            return Moment(frame.at, settled=True, hands=self._resting)
        long_enough = frame.at - self._still_since >= self.tuning.still_s
        if not long_enough or self._still_count < self.tuning.still_frames:
            return Moment(frame.at, settled=False)
        return self._rest(frame, now)

    def _rest(self, frame: Frame, now: Cells) -> Moment:
        """A frame in which nothing moves: is it the table, or an arm that rests on it?"""
        if self._settled is None or self._clear is None:
            self._settle(_Table(now, self._shrink(frame, FINER)), ())
            return Moment(frame.at, settled=True, changed=((0, 0, *self._size),))
        light = _all_light(now, self._settled.cells)
        changed = self._differs(now, self._settled.cells, light)
        arms = self._across_border(self._differs(now, self._clear, _all_light(now, self._clear)))
        if (arms & changed).any():
            self._arm_since = frame.at if self._arm_since is None else self._arm_since
            if frame.at - self._arm_since < self.tuning.hand_patience_s:
                return Moment(frame.at, settled=False, hands=self._rects(arms))
        table = _Table(now, self._shrink(frame, FINER))
        closely = self._differs_closely(table.fine, self._settled.fine, light)
        if self._touched is not None:
            near = cv2.dilate(self._touched.astype(np.uint8), AROUND) > 0
            changed |= _any(closely & _finer(near))
        lying = self._rects(arms)
        self._settle(table, lying)
        return Moment(frame.at, settled=True, hands=lying, changed=self._rects(changed, closely & _finer(changed)))

    def _settle(self, table: _Table, lying: tuple[Rect, ...]) -> None:
        self._settled, self._resting = table, lying
        self._arm_since = self._touched = None
        if not lying:
            self._clear = table.cells

    # --- comparing ------------------------------------------------------------------------------------------------

    def _shrink(self, frame: Frame, finer: int) -> Cells:
        cell = max(1, round(self._size[0] / ACROSS / FINER)) * FINER
        columns, rows = (max(1, length // cell) for length in self._size)
        whole = frame.image[: rows * cell, : columns * cell]  # whole cells are averaged many times faster
        size = (columns * finer, rows * finer)
        return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.float32)

    def _moved(self, now: Cells, anchor: Cells) -> bool:
        """Whether anything moved within a second or two; learns the noise on the way."""
        far = _distance(now, anchor, _light(now, anchor)[:, None, :])
        self._heard += 1
        self._noise += max(0.1, 1 / self._heard) * (min(float(np.median(far[::4, ::4])), 6.0) - self._noise)
        return bool(_paired(far > self._limit).any())

    def _touch(self, now: Cells) -> None:
        """Note where something else than the table is to be seen."""
        if self._settled is not None:
            over = self._differs(now, self._settled.cells, _light(now, self._settled.cells)[:, None, :])
            self._touched = over if self._touched is None else self._touched | over

    def _differs_closely(self, now: Cells, then: Cells, light: Cells) -> Mask:
        """The fine cells in which something differs; `light` is that of whole cells."""
        rows, columns = now.shape[:2]
        light = np.asarray(cv2.resize(light, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)
        return _paired(_distance(now, then, light) > self.tuning.levels + self.tuning.noise_times * self._noise * FINER)

    def _differs(self, now: Cells, then: Cells, light: Cells) -> Mask:
        return _paired(_distance(now, then, light) > self._limit)

    @property
    def _limit(self) -> float:
        return self.tuning.levels + self.tuning.noise_times * self._noise

    def _across_border(self, mask: Mask) -> Mask:
        """The connected parts that touch the picture's border and are as large as an arm."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(mask.astype(np.uint8), ROUND))
        rows, columns = mask.shape
        arms = np.zeros_like(mask)
        if mask.mean() > self.tuning.all_share:
            return arms
        for label in range(1, count):
            left, top, width, height, area = (int(v) for v in stats[label])
            touches = left <= 1 or top <= 1 or left + width >= columns - 1 or top + height >= rows - 1
            if touches and area >= self.tuning.hand_share * rows * columns:
                arms |= labels == label
        return arms

    def _rects(self, mask: Mask, closely: Mask | None = None) -> tuple[Rect, ...]:
        """Rectangles around the connected parts of a mask, with some cells around them, in the frame's pixels.

        They are hardly larger than what of the mask is seen `closely`, in fine cells.
        """
        if not mask.any():
            return ()
        whole = mask if closely is None else mask & ~_any(closely)
        shown = _finer(cv2.dilate(whole.astype(np.uint8), AROUND) > 0)
        if closely is not None:
            shown |= cv2.dilate(closely.astype(np.uint8), CLOSE) > 0
        count, parts = cv2.connectedComponents(cv2.dilate(mask.astype(np.uint8), ROUND))
        rows, columns = shown.shape
        # each part reaches as far as what is shown of it
        parts = np.asarray(cv2.dilate(parts.astype(np.uint16), ROUND))
        labels = parts.repeat(FINER, axis=0).repeat(FINER, axis=1)
        boxes = [cv2.boundingRect((shown & (labels == part)).astype(np.uint8)) for part in range(1, count)]
        across, down = self._size[0] / columns, self._size[1] / rows
        return tuple(
            (
                int(left * across),
                int(top * down),
                int(np.ceil((left + width) * across)),
                int(np.ceil((top + height) * down)),
            )
            for left, top, width, height in boxes
        )


def _finer(mask: Mask) -> Mask:
    """A mask of cells as one of fine cells."""
    return np.asarray(mask.repeat(FINER, axis=0).repeat(FINER, axis=1), np.bool_)


def _any(fine: Mask) -> Mask:
    """The cells in which any fine cell is set."""
    rows, columns = (length // FINER for length in fine.shape)
    return np.asarray(fine.reshape(rows, FINER, columns, FINER).any(axis=(1, 3)), np.bool_)


def _distance(now: Cells, then: Cells, light: Cells) -> NDArray[np.float32]:
    """By how many grey levels the most different channel differs (rows, columns), `then` seen in the light of now."""
    lit = np.minimum(then * light, 255.0)  # no camera shows more
    blue, green, red = cv2.split(cv2.absdiff(now, lit))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _paired(mask: Mask) -> Mask:
    """The cells that have a neighbour: single ones are noise."""
    cells = mask.astype(np.uint8)
    count = cv2.filter2D(cells, cv2.CV_8U, ROUND, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mask & (count > 1), np.bool_)


def _light(now: Cells, then: Cells) -> Cells:
    """How much brighter each row and channel became (rows, 3): mains flicker comes in bands.

    The middle of a row's ratios; a row that is mostly covered follows the picture's middle instead.
    """
    ratio = (now[:, ::8] + 2.0) / (then[:, ::8] + 2.0)
    rows = np.median(ratio, axis=1)
    whole = np.median(rows, axis=0)
    return np.asarray(np.clip(rows, whole * 0.88, whole * 1.12), np.float32)


def _all_light(now: Cells, then: Cells) -> Cells:
    """How much brighter each cell's neighbourhood became (rows, columns, 3): a lamp dimmed, a cloud, a soft shadow.

    The middle ratio over a window larger than any card, held within a quarter.
    """
    rows = _light(now, then)[:, None, :]
    bright, dark = (cv2.cvtColor(cells, cv2.COLOR_BGR2GRAY) + 8.0 for cells in (now, then * rows))
    coded = np.clip(128 + 200 * np.log(bright / dark), 0, 255).astype(np.uint8)
    middle = cv2.medianBlur(coded, 61).astype(np.float32)
    return np.asarray(rows * np.clip(np.exp((middle - 128) / 200), 0.75, 1.33)[..., None], np.float32)
