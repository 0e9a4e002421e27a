"""What a photo shows of a table: the result of looking, with its doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vision.beads import Bead
from vision.plane import Marker, Plane, Point, Quad


@dataclass(frozen=True, slots=True)
class Component:
    """A planar component the program would act on without asking.

    `centre` in table mm (None without markers), `angle` degrees clockwise seen from above, `corners` in pixels from
    its own top left clockwise, `visible` the share of it that can be seen, `confidence` the chance of being right.
    """

    component: str
    kind: str
    centre: Point | None
    angle: float
    corners: Quad
    visible: float
    confidence: float

    def data(self) -> dict[str, Any]:
        return {
            "component": self.component,
            "kind": self.kind,
            "centre_mm": _rounded(self.centre, 1),
            "angle_deg": round(self.angle % 360, 1) % 360,
            "corners_px": [_rounded(c, 1) for c in self.corners],
            "visible": round(self.visible, 2),
            "confidence": round(self.confidence, 4),
        }


@dataclass(frozen=True, slots=True)
class BeadSeen:
    """A bead of a colour, its middle in table mm (None without markers) and in pixels."""

    colour: str
    centre: Point | None
    centre_px: Point
    confidence: float

    def data(self) -> dict[str, Any]:
        return {
            "colour": self.colour,
            "centre_mm": _rounded(self.centre, 1),
            "centre_px": _rounded(self.centre_px, 1),
            "confidence": round(self.confidence, 4),
        }


@dataclass(frozen=True, slots=True)
class PieceSeen:
    """A thing with a height: `piece` as in the contract ("worker", "die", …), where it stands."""

    piece: str
    colour: str | None
    value: int | None
    centre: Point | None
    centre_px: Point
    confidence: float

    def data(self) -> dict[str, Any]:
        return {
            "piece": self.piece,
            "colour": self.colour,
            "value": self.value,
            "centre_mm": _rounded(self.centre, 1),
            "centre_px": _rounded(self.centre_px, 1),
            "confidence": round(self.confidence, 4),
        }


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something seen that the program would not bet on: where, what it may be (likeliest first), and why."""

    candidates: tuple[tuple[str, float], ...]
    why: str
    corners: Quad | None = None
    centre_px: Point | None = None
    centre: Point | None = None

    def data(self) -> dict[str, Any]:
        where: dict[str, Any] = {}
        if self.corners is not None:
            where["corners_px"] = [_rounded(c, 1) for c in self.corners]
        if self.centre_px is not None:
            where["centre_px"] = _rounded(self.centre_px, 1)
        return {**where, "candidates": [[name, round(share, 3)] for name, share in self.candidates], "why": self.why}


@dataclass(frozen=True, slots=True)
class Observation:
    """What lies where on one photo. `ok` is false when nothing can be said; `warnings` then say why.

    Of two `components` that overlap the upper one comes first.
    """

    size: tuple[int, int]
    ok: bool = True
    markers: tuple[Marker, ...] = ()
    components: tuple[Component, ...] = ()
    beads: tuple[BeadSeen, ...] = ()
    pieces: tuple[PieceSeen, ...] = ()
    unsure: tuple[Doubt, ...] = ()
    warnings: tuple[str, ...] = ()
    stages: Mapping[str, float] = field(default_factory=dict)  #: milliseconds of each stage
    plane: Plane | None = None
    singly: tuple[Bead, ...] = ()  #: the beads on a table of known size, each told by itself

    @property
    def ms(self) -> float:
        """Milliseconds in all."""
        return sum(self.stages.values())

    def data(self, photo: str) -> dict[str, Any]:
        """The observation as JSON, as other programs read it."""
        return {
            "photo": photo,
            "size_px": list(self.size),
            "ok": self.ok,
            "markers": [{"id": m.id, "corners_px": [_rounded(c, 2) for c in m.corners]} for m in self.markers],
            "components": [c.data() for c in self.components],
            "beads": [b.data() for b in self.beads],
            "pieces": [p.data() for p in self.pieces],
            "unsure": [d.data() for d in self.unsure],
            "warnings": list(self.warnings),
            "ms": {"total": round(self.ms, 1), "stages": {k: round(v, 1) for k, v in self.stages.items()}},
        }


def _rounded(point: Point | None, digits: int) -> list[float] | None:
    return None if point is None else [round(v, digits) for v in point]
