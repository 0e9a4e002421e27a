"""Pieces that stand on a table or a board, and dice: which of a copy's own, of which colour, and where.

Two ways of looking must agree. One knows the copy: what the ground does not explain, explained by taught solids in
taught paints. The other knows shapes only, and has seen very many: two small networks. What one of them alone would
say is a question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import occluders, overlooked, shining, solids, steady, tall, unseen
from vision.blocks import PLAIN_SIZE
from vision.deck import Piece
from vision.figures import HIDDEN, NEAR_MM, PRINT, UNPLACED, Figures, Standing, seen_at, split, strongest
from vision.photo import AS_PAPER, BURNT, Photo
from vision.scene import Ground, Scene
from vision.seen import DIE, DieFaces, Seen, away
from vision.solids import shape_of
from vision.strewn import Strewn
from vision.things import BLOCK, DICE, ENLARGED, NAMES, ROD, SCALE, UNIT, Eyes, Thing
from vision.thrown import Thrown
from vision.topview import TopView
from vision.upper import covering
from vision.values import Values

Doubles = NDArray[np.float64]
Place = tuple[float, float]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

SAME_MM: Final = 4.0  #: two figures cannot stand nearer to each other
DIE_MM: Final = 14.0  #: … and to a die that something of another name cannot stand on
BESIDE_MM: Final = 9.0  #: … but a pawn that was told can, beside what may only be a die
PLAIN: Final = 0.66  #: share of the taught solids' evidence from which a figure is plain among its rivals,
HARDLY: Final = 0.59  #: … and below which it hardly is
LEAST: Final = 0.15  #: share the networks must give to a plain figure's shape,
BOTH: Final = 0.2  #: … on the mean of two looks,
LIKELY: Final = 0.35  #: … to any figure's,
FIRM: Final = 0.65  #: … to one hardly told from a figure of another shape, or in doubt about one,
SURE: Final = 0.9  #: … and to one in any other doubt,
AT_ONCE: Final = 0.99  #: … or to any on one look, which is then enough
ENOUGH: Final = 0.45  #: the least of two looks' shares that tells two shapes apart where the solids lean to one,
LEVEL: Final = 0.55  #: … where they do not,
DOUBTED: Final = 0.75  #: … and where not all of it is seen;
TIMES: Final = 8.0  #: … so many times the share of its rival
RATHER: Final = 0.8  #: share from which the shape is the rival's, where the solids hardly tell the two apart,
SURELY: Final = 0.95  #: … or another one of which they do not think,
HARDLY_OWN: Final = 0.1  #: … and its own has no more than this
HARDLY_SEEN: Final = 0.2  #: … up to which the networks see nothing like it
OWN: Final = 0.75  #: share that a pawn's shape must have in one look,
POINTED: Final = 0.02  #: … and no look may see so much of a star in a round one: softness takes its points away
BARE: Final = 0.5  #: … and within which it differs from the print it lies on
COVERS: Final = 0.25  #: share of the print where it stands that a figure must hide
SIZED: Final = 0.5 + PLAIN_SIZE  #: share of the taught solids' evidence from which a block's size is told,
STANDS: Final = 0.9  #: … from which a block stands where its top is seen,
STANDS_THERE: Final = 0.93  #: … whatever is seen there;
EMPTY: Final = 0.7  #: share of an empty die that tells of one below that,
HARDLY_BLOCK: Final = 0.7  #: … and share of a block's shape that one less sure must have,
RATHER_BLOCK: Final = 0.2  #: … and by how much it must be more than that of an empty die
BRIGHTER: Final = 1.4  #: times as bright as it is seen a channel that is burnt out may have been
FOOT: Final = 0.6  #: of a pawn's foot: the part in which its colour is told,
PALEST: Final = 0.95  #: … and how strong its strongest must be, of the weakest in which its paint was taught
MENTIONED: Final = 0.02  #: share of a kind of pawns from which it is named where only shapes are known
UNTAUGHT: Final = "its colour is hardly that of a piece"
LIKE_GROUND: Final = "its colour is hardly another than that of what it stands on"
MAYBE_EMPTY: Final = "it may be an empty die"
SHAPE_ONLY: Final = "it is known by its shape only, not by its colour"
CROWD_MM: Final = 16.0  #: from a pawn of which nothing is told to one whose shape it may be a part of
LEANING_MM: Final = 12.0  #: from where a thing stands to where the networks may see it, at most


class PieceFinder:
    """Finds dice, any or only those with such faces, and the pieces of one deck."""

    def __init__(self, taught: Sequence[Piece], die_faces: DieFaces | None = None) -> None:
        self._eyes = Eyes()
        self._figures = Figures(taught)
        kinds = dict.fromkeys(split(piece.name)[0] for piece in taught if split(piece.name)[0] in solids.SHAPES)
        self._pawns = {kind: NAMES.index(shape_of(kind)) for kind in kinds if solids.SHAPES[kind].head}
        self._blocks = [kind for kind in kinds if solids.SHAPES[kind].block]
        self._rods = [kind for kind in kinds if shape_of(kind) == NAMES[ROD]]
        values = Values()
        self._thrown = Thrown(values, die_faces)
        self._strewn = Strewn(self._eyes, values, die_faces)

    def find(
        self,
        photo: Photo,
        grounds: Sequence[Ground],
        taken: Sequence[Doubles] = (),
        within: Doubles | None = None,
    ) -> list[Seen]:
        """Everything that stands on a table or on `grounds`, sure and doubtful, but inside outlines `taken` (mm).

        With `within` only what stands in this box (low and high corner, mm) is looked at closely.
        """
        view = TopView.of(photo.image, photo.plane, ENLARGED * SCALE)
        small = view.resized(SCALE)
        fine, coarse = photo.white(view.picture), photo.white(small.picture)
        everywhere = np.array([[-np.inf], [np.inf]])
        low, high = everywhere if within is None else within + np.array([[-LEANING_MM], [LEANING_MM]])

        def sought(thing: Thing) -> bool:
            place = _mm(thing, view)
            return bool((low < place).all() and (place < high).all()) and not _inside(place, taken)

        things = [(thing, _mm(thing, view)) for thing in self._eyes.look(coarse, fine, ENLARGED, sought)]
        scene = Scene.of(photo, grounds, taken)

        def stands(block: Standing) -> bool:
            return any(float(thing.shares[BLOCK]) > LIKELY for thing, _ in _seen_near(block, scene.eye, things))

        standing = self._figures.find(photo, scene, None if within is None else np.array([low, high]), stands)

        def closely(figures: Sequence[Standing]) -> list[Thing]:
            return self._eyes.closely([_thing(np.array(figure.place), view) for figure in figures], fine, ENLARGED)

        found, blind = [], set()
        for figure, own in zip(standing, owned(standing, things, scene.eye), strict=True):
            near = _seen_near(figure, scene.eye, own)
            if figure.why == PRINT and not _glimpsed(figure, own):
                continue
            asked = not plain_at_once(figure, near) and undisputed(figure, standing)
            close = closely([figure])[0].shares if asked else None
            seen = agreed(figure, near, close, self._figures.alike(figure))
            if seen.why and asked and seen.piece == figure.piece and steady.open_shape(figure):
                seen = steady.steadied(seen, [look.shares for look in closely(steady.around(figure))])
            seen = unprinted(seen, scene)
            seen = unpainted(seen, scene, self._figures)
            light = top_light(seen, photo, scene.eye)
            if not tall.stands(seen, things, scene):
                seen = no_die(seen, things, close, scene.eye, light)
            found.append(washed(seen, photo, scene, self._figures))
            if not seen_at_all(found[-1], things, close, scene.eye):
                blind.add(figure.place)
        found = [crowned(figure, found, scene) for figure in found]
        found = self._again(things, found, photo, scene, closely)
        there = [t for t in things if not scene.bare(t[1], BARE * t[0].size / SCALE)]
        towers = {figure.place for figure in found if tall.stands(figure, things, scene)}
        plain = [plainly(t, found, scene.eye, towers) for t in there]
        dice, others = ([t for t, told in zip(there, plain, strict=True) if told is other] for other in (False, True))

        def at(places: Sequence[Doubles]) -> list[tuple[Thing, Doubles]]:
            things = [thing for thing in (_thing(place, view) for place in places) if sought(thing)]
            return [(thing, _mm(thing, view)) for thing in self._eyes.closely(things, fine, ENLARGED)]

        told = together(found, [covering(die, scene) for die in self._thrown.find(photo, dice, others, at)])
        told = unseen.explained(told, blind, scene)
        missed = overlooked.pawns(there, told, scene, set(self._pawns.values()))
        told = occluders.doubted_beneath(
            [crowded(figure, [place for _, place in missed], there) for figure in told], scene
        )
        apart = [(t, place) for t, place in missed if all(away(place, figure) > LEANING_MM for figure in told)]
        blocks = overlooked.blocks(there, told, scene) if self._blocks else []
        rods = overlooked.rods(there, told, scene) if self._rods else []
        return [
            *told,
            *(self._asked_pawn(thing, place, photo, scene) for thing, place in apart),
            *(_asked(thing, place, photo, self._blocks, BLOCK, LIKE_GROUND) for thing, place in blocks),
            *(_asked(thing, place, photo, self._rods, ROD, SHAPE_ONLY) for thing, place in rods),
            *(_asked_die(thing, place, photo) for thing, place in overlooked.dice(there, told, scene)),
        ]

    def _again(
        self,
        things: Sequence[tuple[Thing, Doubles]],
        found: list[Seen],
        photo: Photo,
        scene: Scene,
        closely: Callable[[Sequence[Standing]], list[Thing]],
    ) -> list[Seen]:
        """What was found, and what a second look tells of pawns of which nothing was told, instead of doubts there.

        By then the photo's own light is known: how it shows each paint. What has another one in it is in doubt.
        """
        figures = self._figures.shown(shining.hues(found, scene))
        found = [torn(figure, scene, figures) for figure in found]
        for thing, place in things:
            kind = next((kind for kind, shape in self._pawns.items() if thing.shares[shape] >= SURE), None)
            near = any(not figure.why and away(place, figure) < NEAR_MM for figure in found)
            if kind is None or near or not scene.print[scene.box(place, NEAR_MM)].all():
                continue
            told = shining.pawns(figures, photo, scene, place, kind)
            if len(told) != 1 or told[0].why or told[0].piece != kind:
                continue
            close = closely(told)[0].shares
            if steady.on_mean(self._pawns[kind], [thing.shares, close], SURE):
                seen = washed(unprinted(agreed(told[0], [(thing, place)], close), scene), photo, scene, figures)
                seen = torn(seen, scene, figures)
                if not seen.why:
                    found = [*(f for f in found if not f.why or away(place, f) > shining.SAME_MM), seen]
        return found

    def _asked_pawn(self, thing: Thing, place: Doubles, photo: Photo, scene: Scene) -> Seen:
        """The pawn that a thing at a place (mm) is, in doubt: its foot's shape is known, not how it is painted."""
        colour = np.median(scene.seen[scene.box(place, FOOT * thing.size / SCALE / 2)].reshape(-1, 3), axis=0)
        shares = {kind: 0.5 * float(thing.shares[shape]) for kind, shape in self._pawns.items()}
        kinds = sorted((kind for kind in shares if shares[kind] > MENTIONED), key=lambda kind: -shares[kind])
        candidates = tuple((self._figures.nearest(colour, kind) or kind, round(shares[kind], 3)) for kind in kinds)
        piece, painted = split(candidates[0][0])
        return Seen(piece, painted, None, *_where(place, photo), candidates[0][1], candidates, UNTAUGHT)

    def dice(self, image_bgr: Image) -> list[Seen]:
        """The dice on a photo without markers, of whatever size."""
        return self._strewn.find(image_bgr)


def _asked(thing: Thing, place: Doubles, photo: Photo, kinds: Sequence[str], shape: int, why: str) -> Seen:
    """The piece without a colour of its own that a thing at a place (mm) is, of one of these kinds, in doubt."""
    share = round(0.5 * float(thing.shares[shape]) / len(kinds), 3)
    return Seen(kinds[0], None, None, *_where(place, photo), share, tuple((kind, share) for kind in kinds), why)


def _asked_die(thing: Thing, place: Doubles, photo: Photo) -> Seen:
    """The empty die that a thing at a place (mm) may be, in doubt."""
    share = round(0.5 * float(thing.shares[BLOCK] + thing.shares[DICE].sum()), 3)
    return Seen(DIE, None, 0, *_where(place, photo), share, ((f"{DIE} 0", share),), MAYBE_EMPTY)


def owned(
    standing: Sequence[Standing], things: Sequence[tuple[Thing, Doubles]], eye: Doubles
) -> list[list[tuple[Thing, Doubles]]]:
    """The things that speak for each figure: those to which no other one is seen nearer; `eye` is the camera's, mm.

    A block is seen at its top as well, by what looks like a block. None speaks for one of two doubtful figures at one
    place: networks know shapes, not which of two colours it is.
    """
    own: list[list[tuple[Thing, Doubles]]] = [[] for _ in standing]
    if not things or not standing:
        return own
    seen = [(n, at, k > 0) for n, figure in enumerate(standing) for k, at in enumerate(seen_at(figure, eye))]
    places = np.array([place for _, place in things]).reshape(-1, 1, 2)
    apart = np.linalg.norm(places - np.array([at for _, at, _ in seen]), axis=2)
    blocks = np.array([float(thing.shares[BLOCK]) > LIKELY for thing, _ in things])
    apart[np.ix_(~blocks, np.array([top for _, _, top in seen]))] = np.inf
    for pair, nearest in zip(things, apart.argmin(axis=1), strict=True):
        own[seen[nearest][0]].append(pair)
    for figure, spoken in zip(standing, own, strict=True):
        rivals = (other for other in standing if figure.why and other.why and other is not figure)
        if any(float(np.hypot(*np.subtract(other.place, figure.place))) < SAME_MM for other in rivals):
            spoken.clear()
    return own


def crowded(figure: Seen, missed: Sequence[Doubles], things: Sequence[tuple[Thing, Doubles]] = ()) -> Seen:
    """The pawn, in doubt where one of which nothing is told is so near that both may be what it was taken for.

    Not where one of the `things` that networks see is that pawn at once: they see both, each by itself.
    """
    if figure.why or figure.piece == DIE or not solids.SHAPES[figure.piece].head or figure.candidates[0][1] >= PLAIN:
        return figure
    own = NAMES.index(shape_of(figure.piece))
    if any(float(thing.shares[own]) >= AT_ONCE and away(place, figure) < SAME_MM for thing, place in things):
        return figure
    return _doubted(figure, "something is beside it") if any(away(p, figure) < CROWD_MM for p in missed) else figure


def undisputed(figure: Standing, standing: Sequence[Standing]) -> bool:
    """Whether no other figure at least as plain may be what is seen at a figure's own place."""
    rivals = [other for other in standing if other is not figure and (figure.why or not other.why)]
    apart = [np.hypot(*np.subtract(other.place, figure.place)) for other in rivals]
    return bool(min(apart, default=np.inf) > NEAR_MM)


def plain_at_once(figure: Standing, things: Sequence[tuple[Thing, Doubles]]) -> bool:
    """Whether the things near a figure tell so surely what it is that no closer look can add anything, or take away.

    Of a block that may be an empty die, one can.
    """
    name = NAMES.index(shape_of(figure.piece))
    first = max((float(thing.shares[name]) for thing, _ in things), default=0.0)
    maybe_die = name == BLOCK and figure.candidates[0][1] < STANDS_THERE
    return not maybe_die and first >= max(AT_ONCE, _needed(figure))


def agreed(
    figure: Standing,
    things: Sequence[tuple[Thing, Doubles]],
    look: Single | None = None,
    names: Sequence[str] = (),
) -> Seen:
    """A figure with the doubts that the networks take away or add.

    `things` are what they found near it; `look` are the shares they give to its very place; `names` are those
    whose paints light makes alike.
    """
    near = [thing.shares for thing, _ in things]
    first = np.max(near, axis=0) if near else None
    if first is None and not figure.printed and shape_of(figure.piece) == "rod":
        look = None  # by itself it takes a vein of the table's wood for one
    figure = _renamed(figure, first, look, names)
    name = NAMES.index(shape_of(figure.piece))
    own = max((float(shares[name]) for shares in (*near, *(() if look is None else (look,)))), default=0.0)
    why, confidence = "", min(0.999, max(figure.confidence, 0.9 + 0.1 * own))
    told = first is not None and first[name] >= _needed(figure)
    if told and first is not None and look is not None:
        told = bool(first[name] + look[name] >= 2 * BOTH)
    softened = _softened(figure, [*near, *(() if look is None else (look,))])
    if figure.why == UNPLACED or softened or (not told and not _confirmed(figure, first, look)):
        seen = NAMES[int(first[1:].argmax()) + 1] if first is not None else "nothing"
        why, confidence = figure.why or softened or f"looks like {seen} from afar", 0.5 * figure.candidates[0][1]
    candidates = figure.candidates
    return Seen(
        figure.piece, figure.colour, None, figure.place, figure.centre_px, round(confidence, 3), candidates, why
    )  # fmt: skip


def _softened(figure: Standing, looks: Sequence[Single]) -> str:
    """Why a pawn may be of another shape that is only seen too softly, or ""."""
    if not looks or not solids.SHAPES[figure.piece].head:
        return ""
    most, own = np.max(looks, axis=0), shape_of(figure.piece)
    if own == "round" and most[NAMES.index("star")] > POINTED:
        return "it may have points"
    return "" if most[NAMES.index(own)] >= OWN else "its shape is not clear"


def unprinted(figure: Seen, scene: Scene) -> Seen:
    """The figure, in doubt where what is seen hardly differs from the print it would stand on, or is its shadow."""
    if figure.why:
        return figure
    solid, place = solids.SHAPES[figure.piece], np.array(figure.place)
    top = solids.lifted(place[None], solid.height, scene.eye)[0]
    why = ""
    hides = scene.strange(place, solid.width)
    if solid.block and figure.candidates[0][1] >= STANDS_THERE:  # its foot may be as dark as the print in its shadow
        hides = max(hides, scene.strange(top, solid.width))
    if hides < COVERS:
        why = PRINT
    elif not solid.head and scene.shaded(top, solid.width / 2):
        why = "it may be a shadow"
    return _doubted(figure, why) if why else figure


def unpainted(figure: Seen, scene: Scene, figures: Figures) -> Seen:
    """The figure other than a pawn, in doubt where its upper face is not of its paint: a shadow, or a die."""
    solid = solids.SHAPES[figure.piece]
    if figure.why or solid.head:
        return figure
    top = solids.lifted(np.array([figure.place]), solid.height, scene.eye)[0]
    seen = scene.seen[scene.box(top, solid.width / 2)].reshape(-1, 3)
    name = f"{figure.piece}-{figure.colour}" if figure.colour else figure.piece
    return _doubted(figure, UNTAUGHT) if len(seen) and figures.unpainted(np.median(seen, axis=0), name) else figure


def no_die(
    figure: Seen, things: Sequence[tuple[Thing, Doubles]], look: Single | None, eye: Doubles, light: float = 0.0
) -> Seen:
    """The figure, in doubt where a block of which the solids are not sure may as well be a die that shows nothing.

    So may any whose upper face is as bright as paper.

    `things` are all that the networks found, `look` are the shares they give to its place, `eye` is the camera's, mm;
    `light` is how bright its upper face is (grey values, `WHITE` is paper).
    """
    share = figure.candidates[0][1]
    if figure.why or not solids.SHAPES[figure.piece].block:
        return figure
    if light > AS_PAPER:
        return _doubted(figure, MAYBE_EMPTY, f"{DIE} 0")
    looks = [thing.shares for thing, _ in _seen_near(figure, eye, things)]
    if share >= STANDS_THERE or (share >= STANDS and all(float(shares[DICE.start]) < EMPTY for shares in looks)):
        return figure
    looks += [] if look is None else [look]
    hardly = look is not None and float(look[BLOCK]) < HARDLY_BLOCK
    if not hardly and all(float(shares[DICE.start]) + RATHER_BLOCK < float(shares[BLOCK]) for shares in looks):
        return figure
    return _doubted(figure, MAYBE_EMPTY, f"{DIE} 0")


def top_light(figure: Seen, photo: Photo, eye: Doubles) -> float:
    """How bright a block's upper face is beside the markers' paper (grey values, `WHITE` is paper); 0 off the photo."""
    solid = solids.SHAPES[figure.piece]
    top = solids.lifted(np.array([figure.place]), solid.height, eye)[0]
    (x, y), reach = photo.plane.to_px(top)[0], solid.width / 2 * photo.plane.scale((float(top[0]), float(top[1])))
    left, upper, right, lower = (max(0, int(v)) for v in (x - reach, y - reach, x + reach + 2, y + reach + 2))
    seen = photo.image[upper:lower, left:right].reshape(-1, 3)
    return float((np.median(seen, axis=0) * photo.gain).mean()) if len(seen) else 0.0


def washed(figure: Seen, photo: Photo, scene: Scene, figures: Figures) -> Seen:
    """The pawn, in doubt where its colour may be another one: between two, or burnt out on the photo."""
    solid, place = solids.SHAPES[figure.piece], np.array(figure.place)
    if figure.why or not solid.head:
        return figure
    reach = FOOT * solid.width
    (x, y), radius = photo.plane.to_px(place)[0], reach * photo.plane.scale((float(place[0]), float(place[1])))
    box = slice(max(0, int(y - radius)), int(y + radius) + 2), slice(max(0, int(x - radius)), int(x + radius) + 2)
    if not photo.image[box].size:
        return figure
    painted, own = scene.seen[scene.box(place, reach)].reshape(-1, 3), f"{figure.piece}-{figure.colour}"
    seen = np.median(painted, axis=0)
    torn = figures.torn(seen, own)
    if torn is not None and figures.torn(np.median(strongest(painted), axis=0), own) is not None:
        return _doubted(figure, "its colour is between two", torn)
    burnt = np.median(photo.image[box].reshape(-1, 3), axis=0) >= BURNT
    if not burnt.any():
        return figure
    name, other = (figures.nearest(colour, figure.piece) for colour in (seen, seen * np.where(burnt, BRIGHTER, 1.0)))
    return figure if name == other or other is None else _doubted(figure, "its colour is burnt out", other)


def torn(figure: Seen, scene: Scene, figures: Figures) -> Seen:
    """The pawn, in doubt where paints as this photo shows them tell that it may have another one, or none of them.

    A lamp's reflection leaves hardly any of a paint, and makes that the light's.
    """
    solid = solids.SHAPES[figure.piece]
    if figure.why or not solid.head:
        return figure
    painted = scene.seen[scene.box(np.array(figure.place), shining.FOOT_MM / 2)].reshape(-1, 3)
    colour, own = np.median(strongest(painted), axis=0), f"{figure.piece}-{figure.colour}"
    if figures.unpainted(colour, own, PALEST):
        return _doubted(figure, UNTAUGHT)
    other = figures.torn(colour, own)
    return figure if other is None else _doubted(figure, "its colour is between two", other)


def crowned(figure: Seen, found: Sequence[Seen], scene: Scene) -> Seen:
    """The figure, in doubt where something round lies on it: of a block's upper face too little is then seen."""
    solid = solids.SHAPES[figure.piece]
    if figure.why or not solid.block or figure.place is None:
        return figure
    top = solids.lifted(np.array([figure.place]), solid.height, scene.eye)[0]
    for other in found:
        flat = solids.SHAPES[other.piece]
        if flat.foot == "round" and not flat.head and np.hypot(*(np.array(other.place) - top)) < flat.width:
            return _doubted(figure, f"{other.piece} lies on it")
    return figure


def _doubted(figure: Seen, why: str, *others: str) -> Seen:
    """The figure in doubt, which may as well be one of `others`."""
    confidence = round(0.5 * figure.confidence, 3)
    return replace(
        figure,
        why=why,
        confidence=confidence,
        candidates=(*((name, confidence) for name in others), *figure.candidates),
    )


def _renamed(figure: Standing, first: Single | None, look: Single | None, names: Sequence[str]) -> Standing:
    """The figure under the name that both looks are sure of, where solids hardly tell it from another shape.

    That is its rival's, or another one in its colour, or in a paint without a name that light makes like it.
    """
    if first is None or look is None or len(figure.candidates) < 2:
        return figure
    (name, share), (rival, _) = figure.candidates
    own = NAMES.index(shape_of(figure.piece))
    hardly = figure.why.startswith("may be") or (not figure.why and share < HARDLY)
    if not hardly or max(first[own], look[own]) > HARDLY_OWN:
        return figure
    for other in (rival, *(name for name in names if split(name)[1] in (figure.colour, None))):
        piece, colour = split(other)
        shape = NAMES.index(shape_of(piece))
        if shape != own and min(first[shape], look[shape]) >= (RATHER if other == rival else SURELY):
            return replace(figure, piece=piece, colour=colour, candidates=((other, 0.5), (name, 0.5)), why="")
    return figure


def _confirmed(figure: Standing, first: Single | None, look: Single | None) -> bool:
    """Whether a close look at a figure's place, together with what was found near it, takes all doubt away."""
    if look is None:
        return False
    name, margin = NAMES.index(shape_of(figure.piece)), figure.candidates[0][1]
    rivals = [NAMES.index(shape_of(split(rival)[0])) for rival, _ in figure.candidates[1:]]
    if first is not None and figure.why == HIDDEN and figure.printed and name == BLOCK and margin >= SIZED:
        return bool(min(first[name], look[name]) >= SURE)  # that it is there; how large it is, its edges and faces know
    if first is None:
        return not figure.why and margin >= (PLAIN if name in rivals else HARDLY) and bool(look[name] >= FIRM)
    if not figure.why and name not in rivals and look[name] >= SURE and first.argmax() == name:
        return True  # the first look may be from a little aside
    both = (first + look) / 2
    others = np.delete(both, (0, name))
    if name in rivals or both[name] <= others.max() or any(both[name] < TIMES * both[rival] for rival in rivals):
        return False
    least = ENOUGH if not figure.why else LEVEL if figure.why.startswith("may be") else DOUBTED
    return bool(both[name] >= least)


def _needed(figure: Standing) -> float:
    """The share the networks must give to a figure's own shape for it to be acted on; more than 1 for never."""
    margin = figure.candidates[0][1]
    rivals = [shape_of(split(name)[0]) for name, _ in figure.candidates[1:]]
    alike = shape_of(figure.piece) in rivals  # what shapes cannot tell apart, they do not decide
    if figure.why == PRINT and margin >= STANDS:  # which it is, if it is there at all, the solids know
        return SURE
    if figure.why:
        return 2.0 if alike else FIRM if figure.why.startswith("may be") else SURE
    if margin < (PLAIN if alike else HARDLY):
        return 2.0 if alike else FIRM
    return LEAST if margin >= PLAIN else LIKELY


def _glimpsed(figure: Standing, things: Sequence[tuple[Thing, Doubles]]) -> bool:
    """Whether any of the things that speak for a figure is at all like it."""
    name = NAMES.index(shape_of(figure.piece))
    return any(float(thing.shares[name]) > LIKELY for thing, _ in things)


def seen_at_all(figure: Seen, things: Sequence[tuple[Thing, Doubles]], look: Single | None, eye: Doubles) -> bool:
    """Whether either look sees anything at all like what a figure may be."""
    looks = [thing.shares for thing, _ in _seen_near(figure, eye, things)]
    looks += [] if look is None else [look]
    shapes = [NAMES.index(shape_of(split(name)[0])) for name, _ in figure.candidates if split(name)[0] in solids.SHAPES]
    return any(float(shares[shapes].max()) > HARDLY_SEEN for shares in looks)


def plainly(
    thing: tuple[Thing, Doubles], found: Sequence[Seen], eye: Doubles, high: Collection[Place | None] = ()
) -> bool:
    """Whether a thing is a figure that both ways of looking tell, rather than a die; `eye` is the camera's, mm.

    A die's blank face looks like any block's top; of which size a block is, the solids tell. They must be surer where
    that top is seen away from where the block would stand: its foot may be a die's side, but of blocks at places that
    are too `high` for that.
    """
    place, shares = thing[1], thing[0].shares
    for figure in found:
        solid = solids.SHAPES[figure.piece]
        sure = figure.candidates[0][1] >= STANDS or figure.place in high
        at = seen_at(figure, eye)[: None if sure else 1]
        if figure.why or min(float(np.hypot(*(place - middle))) for middle in at) > NEAR_MM:
            continue
        pips = DICE if not solid.block else slice(DICE.start + 1, DICE.stop)
        if float(shares[pips].sum()) < float(shares[NAMES.index(shape_of(figure.piece))]):
            return True
    return False


def together(figures: Sequence[Seen], dice: Sequence[Seen]) -> list[Seen]:
    """Figures and dice; but where a die stands no figure does, and where one may stand it is either of the two."""
    told = list(dice)
    kept = []
    for figure in figures:
        pawn = not figure.why and bool(solids.SHAPES[figure.piece].head)
        near = [
            number
            for number, die in enumerate(told)
            if _apart(figure, die) < (BESIDE_MM if die.why and pawn else DIE_MM)
        ]
        if not near:
            kept.append(figure)
        for number in near:
            die = told[number]
            if die.why:
                told[number] = replace(die, candidates=(*die.candidates, *figure.candidates))
    return kept + told


def _seen_near(
    figure: Seen | Standing, eye: Doubles, things: Sequence[tuple[Thing, Doubles]]
) -> list[tuple[Thing, Doubles]]:
    """The things that may be what is seen of a figure."""
    apart = np.array([place for _, place in things]).reshape(-1, 1, 2) - np.array(seen_at(figure, eye))
    near = (np.hypot(apart[..., 0], apart[..., 1]) < NEAR_MM).any(axis=1)
    return [pair for pair, is_near in zip(things, near, strict=True) if is_near]


def _where(place: Doubles, photo: Photo) -> tuple[tuple[float, float], tuple[float, float]]:
    """A place (mm), and its pixel on the photo as it was taken."""
    centre = (photo.plane.to_px(place)[0] + 0.5) / photo.factor - 0.5
    return (float(place[0]), float(place[1])), (float(centre[0]), float(centre[1]))


def _apart(figure: Seen, die: Seen) -> float:
    assert figure.place is not None
    assert die.place is not None
    return float(np.hypot(*np.subtract(figure.place, die.place)))


def _mm(thing: Thing, view: TopView) -> Doubles:
    """Where a thing's picture is on the table."""
    return np.asarray((np.array(thing.place) + 0.5) / SCALE + view.origin - 0.5 / view.scale)


def _thing(place: Doubles, view: TopView) -> Thing:
    """What may stand at a place (mm), on the picture in which the networks find things."""
    x, y = (place - view.origin + 0.5 / view.scale) * SCALE - 0.5
    return Thing((float(x), float(y)), np.zeros(len(NAMES), np.float32), UNIT)


def _inside(place: Doubles, outlines: Sequence[Doubles]) -> bool:
    return any(
        cv2.pointPolygonTest(o.astype(np.float32), (float(place[0]), float(place[1])), False) >= 0 for o in outlines
    )
