"""Teach a deck: photos of a copy's components, laid out in rows, become the faces that recognition compares with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw

from calibration import sheets
from calibration.aligned import aligned
from vision import beads, lettering, picture, plane
from vision.deck import FACE_SCALE, Deck, Face, Piece
from vision.gallery import galleries
from vision.photo import BURNT, WHITE, Photo, Pose
from vision.topview import TopView

Image = NDArray[np.uint8]
Bools = NDArray[np.bool_]

KINDS: Final = ("card", "board", "piece")
LEAST_SCALE: Final = 0.95  #: px/mm of a straight picture; on a coarser one fine print is lost
BLURRED_MM: Final = 2.0  #: a marker's edge wider than this is blurred: fine print would be lost
STEADY: Final = "hold the camera still, let it focus, and give more light"
SMEARED: Final = 0.35  #: a photo of which as much as this stays when it is blurred along one axis is blurred itself:
SMEARED_WIDTH: Final = 1600  #: … so many pixels wide,
SMEARED_BY: Final = 9  #: … by so many of them
BURNT_SHARE: Final = 0.3  #: a face of which more than this is burnt out is refused,
GLARE_SHARE: Final = 0.02  #: … or more than this, if the table beside it is burnt out too: then it is no white print
NEARLY_WHITE: Final = 235.0  #: where every channel is this bright, light may have taken the print away,
BEYOND_PAPER: Final = 6.0  #: … and is brighter by this than the markers' paper, where that can be told;
SPOT_SHARE: Final = 0.01  #: a face of which more than this is so, and no other face just there, is refused
SPOT_MM: Final = 1.0  #: "just there": white print of another face may lie so far aside
RING_MM: Final = 5.0  #: how far beside it that is looked
BLACK_SHARE: Final = 0.5  #: … or more than this lost in black
PIECE_WINDOW_MM: Final = 64.0  #: a piece is kept with this much of the table around it
PIECE_LEAST_MM2: Final = 25.0
PIECE_MOST_MM2: Final = 3000.0
NAME_PX: Final = 13.0  #: letters of the contact sheet
TWINS: Final = 0.985  #: faces this alike are hard to tell apart on a bad photo


class Refused(ValueError):
    """A plan or a sheet that cannot be learned from; the message says why and what to do.

    `picture` shows the sheet with what was found on it, where there is something to show.
    """

    def __init__(self, message: str, shown: Image | None = None) -> None:
        super().__init__(message)
        self.picture = shown


@dataclass(frozen=True, slots=True)
class Sheet:
    """A photo of components laid apart in rows; `size` is None for pieces."""

    photo: str
    kind: str
    components: tuple[str, ...]
    size: tuple[float, float] | None
    columns: int | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A straight picture of one face, edge to edge."""

    photo: str
    kind: str
    component: str
    size: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to learn from where: a teach.json."""

    game: str
    sheets: tuple[Sheet, ...]
    pictures: tuple[Picture, ...]
    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    beads: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Plan:
        """The plan in this file; raises Refused saying which entry is wrong."""
        try:
            data = json.loads(path.read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise Refused(f"{path}: cannot be read ({error.strerror or error})") from error
        except ValueError as error:
            raise Refused(f"{path}: is no JSON ({error})") from error
        try:
            return cls._of(data)
        except Refused as error:
            raise Refused(f"{path}: {error}") from error

    @classmethod
    def _of(cls, data: object) -> Plan:
        if not isinstance(data, dict):
            raise Refused("a JSON object is expected")
        game = data.get("game")
        if not isinstance(game, str) or not game or "/" in game:
            raise Refused('"game" must be a name')
        planned = tuple(_sheet(i, entry) for i, entry in enumerate(_list(data, "sheets")))
        pictures = tuple(_picture(i, entry) for i, entry in enumerate(_list(data, "faces")))
        if not any(data.get(key) for key in ("sheets", "faces", "attributes", "beads")):
            raise Refused('names neither "sheets" nor "faces": nothing to learn from')
        names = [name for s in planned if s.kind != "piece" for name in s.components]
        names += [p.component for p in pictures]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise Refused(f"named twice: {', '.join(twice)}; each component is taught once")
        attributes = data.get("attributes", {})
        if not isinstance(attributes, dict) or not all(isinstance(v, dict) for v in attributes.values()):
            raise Refused('"attributes" must give an object for each component')
        tokens = _list(data, "beads")
        known = [hue.name for hue in (*beads.SIX, beads.BROWN)]
        if not all(colour in known for colour in tokens):
            raise Refused(f'"beads" must list colours of tokens, of {", ".join(known)}')
        return cls(game, planned, pictures, attributes, tuple(dict.fromkeys(tokens)))


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    found = data.get(key, [])
    if not isinstance(found, list):
        raise Refused(f'"{key}" must be a list')
    return found


def _sheet(number: int, entry: object) -> Sheet:
    where = f'"sheets" entry {number + 1}'
    if not isinstance(entry, dict):
        raise Refused(f"{where}: an object is expected")
    kind = entry.get("kind", "card")
    if not isinstance(kind, str) or not kind:
        raise Refused(f'{where}: "kind" must be a word like {", ".join(KINDS)}')
    components = entry.get("components")
    if not isinstance(components, list) or not components or not all(isinstance(c, str) and c for c in components):
        raise Refused(f'{where}: "components" must list their names in reading order')
    columns = entry.get("columns")
    if columns is not None and (not isinstance(columns, int) or columns < 1):
        raise Refused(f'{where}: "columns" must be a whole number')
    size = None if kind == "piece" else _size(entry.get("size_mm"), where)
    return Sheet(_photo(entry, where), kind, tuple(components), size, columns)


def _picture(number: int, entry: object) -> Picture:
    where = f'"faces" entry {number + 1}'
    if not isinstance(entry, dict):
        raise Refused(f"{where}: an object is expected")
    name = entry.get("component")
    if not isinstance(name, str) or not name:
        raise Refused(f'{where}: "component" must be its name')
    kind = entry.get("kind", "card")
    if not isinstance(kind, str) or kind == "piece":
        raise Refused(f'{where}: "kind" must be a word like card or board')
    return Picture(_photo(entry, where), kind, name, _size(entry.get("size_mm"), where))


def _photo(entry: Mapping[str, Any], where: str) -> str:
    photo = entry.get("photo")
    if not isinstance(photo, str) or not photo:
        raise Refused(f'{where}: "photo" must name a picture beside this file')
    return photo


def _size(value: object, where: str) -> tuple[float, float]:
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(v, int | float) and 8 <= v <= 1000 for v in value)
    ):
        return float(value[0]), float(value[1])
    raise Refused(f'{where}: "size_mm" must be [width, height] in millimetres')


def teach(plan: Plan, folder: Path, old: Deck | None = None, marker_mm: float = plane.MARKER_MM) -> Deck:
    """The deck learned from the plan's photos in `folder`; raises Refused or picture.Unreadable.

    Where an `old` deck is to be extended, the plan may tell the attributes of its components, too.
    """
    faces: list[Face] = []
    pieces: list[Piece] = []
    for sheet in plan.sheets:
        photo = SheetPhoto.read(folder / sheet.photo, marker_mm)
        if sheet.kind == "piece":
            pieces += photo.pieces(sheet)
        else:
            faces += photo.faces(sheet)
    faces += [_straight(entry, folder) for entry in plan.pictures]
    learned = Deck(plan.game, tuple(faces), tuple(pieces), plan.attributes, plan.beads)
    deck = learned if old is None else extended(old, learned)
    deck = aligned(deck, fixed={face.name for face in deck.faces} - {face.name for face in faces})
    unknown = sorted(set(plan.attributes) - {f.name for f in deck.faces} - {p.name for p in deck.pieces})
    if unknown:
        nor = "" if old is None else " and the deck does not hold"
        raise Refused(f"attributes are given for {', '.join(unknown)}, which no sheet shows{nor}")
    return deck


def extended(old: Deck, new: Deck) -> Deck:
    """The old deck with the new one's components: those of the same name replaced, the others added."""
    if old.game != new.game:
        raise Refused(f"the deck is of {old.game}, the sheets are of {new.game}")
    names = {f.name for f in new.faces}
    standing = {p.name for p in new.pieces}
    return Deck(
        old.game,
        tuple(f for f in old.faces if f.name not in names) + new.faces,
        tuple(p for p in old.pieces if p.name not in standing) + new.pieces,
        {**old.attributes, **new.attributes},
        tuple(dict.fromkeys(old.beads + new.beads)),
    )


def twins(deck: Deck) -> list[tuple[str, str]]:
    """Pairs of faces that mean different things and look so alike that a bad photo may not tell them apart."""
    pairs = []
    for gallery in galleries(deck):
        rows = np.stack([gallery.fine(i).ravel() for i in range(len(gallery.entries))])
        rows = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6)
        like = rows @ rows.T
        for i, j in zip(*np.nonzero(np.triu(like, 1) > TWINS), strict=True):
            one, other = gallery.entries[i].face, gallery.entries[j].face
            if gallery.meanings[one] != gallery.meanings[other]:
                pairs.append((gallery.names[one], gallery.names[other]))
    return sorted(set(pairs))


@dataclass(frozen=True, slots=True)
class SheetPhoto:
    """A sheet's photo with its plane."""

    path: Path
    image: Image
    photo: Photo
    markers: tuple[plane.Marker, ...]

    @classmethod
    def read(cls, path: Path, marker_mm: float = plane.MARKER_MM) -> SheetPhoto:
        """The photo, if markers are seen on it and it is sharp; raises Refused or picture.Unreadable."""
        image = picture.read(path)
        nothing = picture.seen_nothing(image)
        if nothing:
            raise Refused(f"{path}: {nothing}")
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        markers = plane.MarkerFinder().find(grey)
        table, _ = plane.solve(markers, (image.shape[1], image.shape[0]), None, marker_mm)
        if table is None:
            said = f"{path}: fewer than two table markers (ids 0–9) can be seen"
            if smeared(grey) > SMEARED:
                raise Refused(f"{said}, and the photo is blurred; {STEADY}", image)
            raise Refused(f"{said}; lay them flat beside the components", image)
        blur = float(np.median([plane.edge_width(grey, m, marker_mm) for m in markers if m.id in plane.TABLE_IDS]))
        if blur > BLURRED_MM:
            raise Refused(
                f"{path}: the photo is blurred (edges are {blur:.1f} mm wide, {BLURRED_MM:.0f} mm are the most); "
                f"{STEADY}",
                image,
            )
        return cls(path, image, Photo.of(image, table, markers), markers)

    def faces(self, sheet: Sheet) -> list[Face]:
        """The sheet's faces in the order of their names; raises Refused."""
        assert sheet.size is not None
        but = [self._mm(m) for m in self.markers]
        found = sheets.counted(sheets.outlines(self.photo.image, self.photo.plane, sheet.size, but))
        lines = sheets.rows(found, sheet.size[1])
        self._check_rows([[o.pose for o in line] for line in lines], sheet)
        poses = [self._exact(o.pose) for line in lines for o in line]
        spots = spots_of_light([self.photo.cut(pose, FACE_SCALE) for pose in poses], self._brighter_than_paper())
        for name, pose, spot in zip(sheet.components, poses, spots, strict=True):
            self._check_face(name, pose, spot)
        return [
            Face(n, sheet.kind, sheet.size, self._cut(p), FACE_SCALE)
            for n, p in zip(sheet.components, poses, strict=True)
        ]

    def pieces(self, sheet: Sheet) -> list[Piece]:
        """The sheet's pieces in the order of their names; raises Refused."""
        blobs = self._blobs()
        size = PIECE_WINDOW_MM
        found = [sheets.Outline(Pose((size, size), x, y, 0.0), 1.0) for x, y, _ in blobs]
        lines = sheets.rows(found, size)
        self._check_rows([[o.pose for o in line] for line in lines], sheet)
        poses = [o.pose for line in lines for o in line]
        return [self._piece(name, pose) for name, pose in zip(sheet.components, poses, strict=True)]

    def _mm(self, marker: plane.Marker) -> NDArray[np.float64]:
        """A marker's corners on the table."""
        work = (np.array(marker.corners) + 0.5) * self.photo.factor - 0.5
        return self.photo.plane.to_mm(work)

    def _exact(self, pose: Pose) -> Pose:
        """The pose of the component whose four sides were found."""
        mm = self.photo.plane.to_mm(sheets.corners(self.photo.image, self.photo.plane, pose))
        across = (mm[1] + mm[2] - mm[0] - mm[3]) / 2
        down = (mm[2] + mm[3] - mm[0] - mm[1]) / 2
        turn = np.degrees(np.angle(complex(*across) + complex(down[1], -down[0])))
        stretch = (np.hypot(*across) + np.hypot(*down)) / sum(pose.size)
        x, y = mm.mean(axis=0)
        return replace(pose, x=float(x), y=float(y), turn=float(turn) % 360, stretch=float(stretch))

    def _cut(self, pose: Pose) -> Image:
        """The face at the pose, its colours as under white light."""
        balanced = self.photo.cut(pose, FACE_SCALE).astype(np.float32) * self.photo.gain
        return np.asarray(np.clip(balanced + 0.5, 0, 255), np.uint8)

    def _check_rows(self, lines: Sequence[Sequence[Pose]], sheet: Sheet) -> None:
        """Refuse a sheet whose rows do not hold as many components as are named for them."""
        total = len(sheet.components)
        seen = [len(line) for line in lines]
        if sheet.columns is None:
            expected = seen if sum(seen) == total else [total]
        else:
            expected = [min(sheet.columns, total - i) for i in range(0, total, sheet.columns)]
        if seen == expected:
            return
        shown = self._shown([pose for line in lines for pose in line])
        what = "pieces" if sheet.kind == "piece" else "components"
        if sheet.columns is None or not seen:
            raise Refused(f"{self.path}: {sum(seen)} {what} can be seen, but {total} are named", shown)
        for row, (found, named) in enumerate(zip(seen + [0] * total, expected, strict=False), 1):
            if found != named:
                raise Refused(
                    f"{self.path}: row {row} shows {found} {what}, but {named} are named for it "
                    f"({sum(seen)} seen in {len(seen)} rows, {total} named in {len(expected)})",
                    shown,
                )
        raise Refused(
            f"{self.path}: {len(seen)} rows can be seen, but only {len(expected)} are named "
            f"({sum(seen)} {what} seen, {total} named)",
            shown,
        )

    def _brighter_than_paper(self) -> NDArray[np.float64]:
        """What is this bright in every channel may be light that takes the print away."""
        paper = WHITE / self.photo.gain.astype(np.float64)
        burnt = paper.max() >= BURNT  # then how bright paper is cannot be told
        return np.full(3, NEARLY_WHITE) if burnt else np.clip(paper + BEYOND_PAPER, NEARLY_WHITE, BURNT)

    def _check_face(self, name: str, pose: Pose, spot: float) -> None:
        """Refuse a face that glares, lies in the dark, or reaches out of the photo; `spot`: its share of light."""
        if self.photo.inside(pose, 1.0) is not None:
            raise Refused(f"{self.path}: {name} reaches out of the photo", self._shown([pose]))
        seen = self.photo.cut(pose, FACE_SCALE)
        burnt = float((seen >= BURNT).all(axis=2).mean())
        wide = replace(pose, size=(pose.size[0] + 2 * RING_MM, pose.size[1] + 2 * RING_MM))
        around: Bools = np.asarray((self.photo.cut(wide, 1.0) >= BURNT).all(axis=2))
        ring = np.ones(around.shape, bool)
        ring[int(RING_MM) : -int(RING_MM), int(RING_MM) : -int(RING_MM)] = False
        if burnt > BURNT_SHARE or (burnt > GLARE_SHARE and float(around[ring].mean()) > GLARE_SHARE):
            raise Refused(
                f"{self.path}: {name} glares ({burnt:.0%} of it is burnt out); move the lamp or expose less",
                self._shown([pose]),
            )
        if spot > SPOT_SHARE:
            raise Refused(
                f"{self.path}: {name} glares ({spot:.0%} of it is white where no other component of the sheet is); "
                "move the lamp, or expose less if white is printed there",
                self._shown([pose]),
            )
        if float((seen.max(axis=2) < 8).mean()) > BLACK_SHARE:
            raise Refused(f"{self.path}: {name} is lost in black; give more light", self._shown([pose]))

    def _shown(self, poses: Iterable[Pose]) -> Image:
        """The photo with what was found outlined."""
        shown = self.photo.image.copy()
        for pose in poses:
            quad = self.photo.plane.to_px(pose.corners()).round().astype(np.int32)
            cv2.polylines(shown, [quad], True, (0, 0, 255), 3, cv2.LINE_AA)
        return np.asarray(shown, np.uint8)

    def _blobs(self) -> list[tuple[float, float, float]]:
        """Everything that stands on the bare sheet: middle (mm) and how far its colour is from the ground's."""
        view = TopView.of(self.photo.image, self.photo.plane, FACE_SCALE)
        strength = strangeness(view.picture, FACE_SCALE)
        mask = standing(strength)
        spanned = np.vstack([self._mm(m) for m in self.markers if m.id in plane.TABLE_IDS])
        low, high = spanned.min(axis=0) - 40, spanned.max(axis=0) + 40
        for marker in self.markers:
            corners = self._mm(marker)
            grown = (corners - corners.mean(axis=0)) * 1.6 + corners.mean(axis=0)
            cv2.fillConvexPoly(mask, ((grown - view.origin) * FACE_SCALE).round().astype(np.int32), 0)
        count, labels, stats, centres = cv2.connectedComponentsWithStats(mask)
        found = []
        for i in range(1, count):
            area = float(stats[i, cv2.CC_STAT_AREA]) / FACE_SCALE**2
            x, y = (centres[i] / FACE_SCALE + view.origin).tolist()
            left, top, width, height = stats[i, :4]
            part = np.s_[top : top + height, left : left + width]
            if PIECE_LEAST_MM2 <= area <= PIECE_MOST_MM2 and low[0] < x < high[0] and low[1] < y < high[1]:
                found.append((float(x), float(y), float(strength[part][labels[part] == i].max())))
        # a stain or a shadow of the ground is far fainter than a piece
        usual = float(np.median([f[2] for f in found])) if found else 0.0
        return [f for f in found if f[2] > 0.4 * usual]

    def _piece(self, name: str, pose: Pose) -> Piece:
        """The piece in the middle of the pose, and which pixels are it."""
        image = self._cut(pose)
        mask = standing(strangeness(image, FACE_SCALE))
        _, labels, stats, centres = cv2.connectedComponentsWithStats(mask)
        middle = np.array([image.shape[1] / 2, image.shape[0] / 2])
        near = np.linalg.norm(centres - middle, axis=1) + 1e6 * (np.arange(len(centres)) == 0)
        only = np.where(labels == int(near.argmin()), 255, 0).astype(np.uint8)
        assert len(stats) > 1
        x, y, height = self.photo.plane.eye()
        return Piece(name, image, np.asarray(only), FACE_SCALE, (x - pose.x, y - pose.y, height))


def smeared(grey: Image) -> float:
    """How blurred a photo is along the axis on which it is blurred most, whatever it shows (0 … 1).

    Blurring once more takes the fine steps between neighbouring pixels from a sharp photo, and few from a blurred one.
    Source: F. Crete et al., "The blur effect: perception and estimation with a new no-reference metric", 2007.
    """
    factor = min(1.0, SMEARED_WIDTH / grey.shape[1])
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.float32)
    stays = []
    for axis, box in ((0, (1, SMEARED_BY)), (1, (SMEARED_BY, 1))):
        steps = np.abs(np.diff(small, axis=axis))
        left = np.abs(np.diff(cv2.blur(small, box), axis=axis))
        stays.append(1 - float(np.maximum(0, steps - left).sum()) / max(1.0, float(steps.sum())))
    return max(stays)


def spots_of_light(faces: Sequence[Image], level: NDArray[np.float64]) -> list[float]:
    """What share of each face of a sheet (alike in shape) is as bright as `level` (b, g, r) and should not be.

    White print repeats on the faces of a kind, a lamp's reflection does not: only what is bright where no other face
    is counts, as far as the others have no such places of their own.
    """
    side = 2 * round(SPOT_MM * FACE_SCALE) + 1
    white = [np.asarray((face >= level).all(axis=2), np.uint8) for face in faces]
    near = [np.asarray(cv2.dilate(each, np.ones((side, side), np.uint8)), np.uint16) for each in white]
    together = np.sum(near, axis=0)
    own = [float(((each > 0) & (together == around)).mean()) for each, around in zip(white, near, strict=True)]
    usual = [float(np.median(own[:i] + own[i + 1 :] or [0.0])) for i in range(len(own))]
    return [max(0.0, share - others) for share, others in zip(own, usual, strict=True)]


def strangeness(image_bgr: Image, scale: float) -> NDArray[np.float32]:
    """How far each pixel's colour (Lab) is from that of the ground around it, on a picture of `scale` px/mm."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image_bgr, (0, 0), 0.5 * scale), cv2.COLOR_BGR2Lab)
    small = cv2.resize(lab, None, fx=0.5 / scale, fy=0.5 / scale, interpolation=cv2.INTER_AREA)
    side = min(51, (min(small.shape[:2]) // 2) * 2 - 1)
    ground = cv2.merge([cv2.GaussianBlur(cv2.medianBlur(c, side), (0, 0), 3) for c in cv2.split(small)])
    smooth = cv2.resize(ground, (lab.shape[1], lab.shape[0]), interpolation=cv2.INTER_LINEAR)
    apart = cv2.subtract(lab, smooth, dtype=cv2.CV_32F)
    return np.asarray(np.sqrt(cv2.transform(apart * apart, np.array([[0.7**2, 1.0, 1.0]]))), np.float32)


def standing(strength: NDArray[np.float32]) -> Image:
    """Where something else than the ground is to be seen (255)."""
    usual = float(np.percentile(strength, 75))
    mask = np.where(strength > max(10.0, 3.0 * usual), 255, 0).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _straight(entry: Picture, folder: Path) -> Face:
    """A face from its straight picture, reduced to what recognition can use."""
    image = picture.read(folder / entry.photo, least=1)
    width, height = entry.size
    shape = image.shape[1] / image.shape[0]
    if not 0.9 < shape / (width / height) < 1.1:
        raise Refused(
            f"{folder / entry.photo}: {image.shape[1]} × {image.shape[0]} pixels are not the shape of {width:g} × "
            f"{height:g} mm; the picture must show the face edge to edge"
        )
    if image.shape[1] < LEAST_SCALE * width or image.shape[0] < LEAST_SCALE * height:
        raise Refused(
            f"{folder / entry.photo}: {image.shape[1]} × {image.shape[0]} pixels are too few for {width:g} × "
            f"{height:g} mm; a pixel for each millimetre is the least, two are better"
        )
    size = (max(8, round(width * FACE_SCALE)), max(8, round(height * FACE_SCALE)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return Face(entry.component, entry.kind, entry.size, np.asarray(small * (WHITE / 255) + 0.5, np.uint8), FACE_SCALE)


def contact_sheet(deck: Deck, columns: int = 8, cell: int = 200) -> Image:
    """A picture of everything the deck has learned, each with its name."""
    shown: list[tuple[str, Image]] = [(f.name, f.image) for f in deck.faces] + [(p.name, p.image) for p in deck.pieces]
    rows = -(-len(shown) // columns)
    sheet = np.full((rows * (cell + 24) + 8, columns * cell + 8, 3), 245, np.uint8)
    for i, (_, image) in enumerate(shown):
        row, column = divmod(i, columns)
        factor = min((cell - 12) / image.shape[1], (cell - 12) / image.shape[0])
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        y, x = 8 + row * (cell + 24), 8 + column * cell
        sheet[y : y + small.shape[0], x : x + small.shape[1]] = small
    named = Pillow.fromarray(sheet)
    letters, draw = lettering.font(NAME_PX), ImageDraw.Draw(named)
    for i, (name, _) in enumerate(shown):
        row, column = divmod(i, columns)
        draw.text((8 + column * cell, 8 + row * (cell + 24) + cell - 8), name[:26], (40, 40, 40), letters)
    return np.asarray(named, np.uint8)
