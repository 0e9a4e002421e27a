"""The search for what explains a table: what lies open first, then what lies beside and beneath what was found."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import consistency, corners, dazzled, doubts, outlines, unprinted
from vision.deck import Deck
from vision.doubts import (
    BOARD,
    COVERED,
    LIKE,
    LIKE_LITTLE,
    LIKE_PLAIN,
    PLAIN_SOFT,
    WHOLE,
    WHOLE_PLAIN,
    Found,
)
from vision.exposure import Light
from vision.gallery import Gallery, galleries
from vision.judge import BETWEEN, GLANCE, Judge
from vision.linework import Linework
from vision.neighbours import HARDLY, Strips, any_around, beside
from vision.outlines import Outlines
from vision.photo import Pose
from vision.regions import Part
from vision.topview import TopView
from vision.tried import Tried, fresh, one_place
from vision.verdict import Verdict
from vision.verify import LEAST_MM2, OPEN, Examiner, LitExaminer

MOST_TURNS: Final = 4  #: rectangles are looked for in so many of the turns that occur
FEW: Final = 3  #: so many components seen whole tell how large things seem on this photo,
STRETCHES: Final = (0.94, 1.06)  #: … and between these it lies
LEFT: Final = 0.12  #: share of a pose that must not yet be explained by other components
LEFT_AGAIN: Final = 0.1  #: … and of which about as much must show where it is looked for turned, or in another light
NOTHING: Final = 0.8  #: where more than this share of what is free is bare table, nothing lies
SOMEWHAT: Final = 0.3  #: … and where more than this is, some must show that is neither table nor rims
SHOWN: Final = 0.08  #: … between other things more than this must be neither table nor their rims
UNEXPLAINED: Final = 0.4  #: … of an outline must be neither bare table nor explained
TILTS: Final = (0.0, -2.5, 2.5, -5.0, 5.0)  #: degrees by which what sticks out may be turned against what lies on it
ENDING: Final = 0.55  #: … how clear its end must be then,
ENDS: Final = 0.6  #: … and how clear its sides must be if only they told where it lies (0 to 1)
GLANCE_AGAIN: Final = 0.2  #: likeness from afar of what is edged all around, when nothing else is left;
ABOUT_MM: Final = (-1.2, 0.0, 1.2)  #: … so far from there, to the right and down,
ABOUT_TURN: Final = (-1.5, 0.0, 1.5)  #: … and so much turned (degrees),
ABOUT_ROUNDS: Final = 2  #: … one after the other, so many times
BEAD_MM: Final = 22.0  #: round things no wider than this that lie alone are no strip of a component,
PART: Final = 0.7  #: … if they are no wider than this share of the smallest one
LIKE_PARTLY: Final = 0.8  #: likeness of one under a hand or an unknown thing, whose evidence is plain,
LITTLE: Final = 0.4  #: … or of which more than this share is seen,
PARTLY_VOTES: Final = 8  #: … for which so many features must speak,
PARTLY: Final = 0.2  #: … of which this share must be seen,
MOST_BOARDS: Final = 12  #: places where a board may lie that are looked at
LIKE_BOARD: Final = 0.6  #: … for a board, on which much may stand,
WHOLE_BOARD: Final = 0.4
HARDLY_WHOLE: Final = 0.5  #: share that must agree of what is looked at again without the rims of what lies on it
CORNER_MM: Final = 32.0  #: so far from a corner that sticks out its sides tell where it lies
STRIP_MM: Final = 10.0  #: where something so wide is unexplained, finer features are looked for
BADLY: Final = 0.75  #: what fits less well is kept only when nothing else is found


@dataclass(frozen=True, slots=True)
class Shelf:
    """All of a deck's faces as they look on photos of one softness."""

    cards: dict[tuple[float, float], Gallery]
    strips: dict[tuple[float, float], Strips]
    boards: dict[tuple[float, float], Gallery]

    @classmethod
    def of(cls, deck: Deck, blur: float) -> Shelf:
        every = galleries(deck, blur)
        cards, boards = ({g.size: g for g in every if (g.kind == BOARD) is board} for board in (False, True))
        return cls(cards, {size: Strips(gallery) for size, gallery in cards.items()}, boards)


class Search:
    """Explains the table component by component: what lies open first, then what is partly covered."""

    def __init__(
        self,
        examiner: Examiner,
        shelf: Shelf,
        view: TopView,
        part: Part | None = None,
        left: Callable[[], list[Pose]] = list,
    ) -> None:
        """With a `part`, what is known to lie there is not looked at; what lies beside and beneath it is.

        `left` tells where else something may lie once nothing more is found.
        """
        self.examiner = examiner
        self.left = left
        self.part = part
        self.known = [] if part is None else [pose for pose in part.known if pose.size in shelf.cards]
        self.covering = examiner.taken
        self.by_size = {**shelf.boards, **shelf.cards}
        self.boards = shelf.boards
        self.sizes = list(shelf.cards)
        self.strips = shelf.strips
        self.view = view
        self.tried = Tried()
        self.outlined = Tried()  #: rectangles that were fitted
        self.outlines = Outlines(view.resized(outlines.SCALE))
        self.lined = [Linework(examiner, g) for g in shelf.cards.values() if g.fine_entries]
        self.on = [] if part is None else list(part.boards)  #: where boards lie or may lie
        #: sides of a pose beyond which something unexplained lay (mm²), when so many were found
        self.sides: dict[Pose, tuple[int, dict[int, float]]] = {}
        self.looked_beside = 0
        self.looked_beneath = 0
        self.looked_across = 0
        self.looked_tilted = 0
        self.partly: list[Pose] = []  #: poses of what agrees only partly, but well
        self.refused: list[Pose] = []  #: … though it does not lie under anything strange
        self.hardly: list[Pose] = []  #: … or not well, perhaps for the rims of what lies on it
        self.cornered: set[Pose] = set()  #: poses with a corner that shows, looked at already
        self.edged: list[Pose] = []  #: poses with edges all around, to be looked at again
        self.looked_for_lines = -1  #: how many were found when faces of fine lines were looked for last
        self.found: list[Found] = []
        self.put_off: list[Verdict] = []  #: what fits badly: it is kept last
        self.badly = False  #: … once nothing else is found
        self.excused: dict[int, NDArray[np.bool_]] = {}  #: of what was found: other print on it that may lie there
        self.judge = Judge(examiner, self.by_size)

    def take_laid(self) -> None:
        """Keep what lies open, plain and beyond doubt where patches as large as components are unlike the table.

        Beads are then no more to be explained.
        """
        usual: Counter[tuple[tuple[float, float], int]] = Counter()  # things of one size mostly lie alike
        for ways in self.outlines.laid(self.covering.unlike(), self.covering.table, self.sizes):
            for way in sorted(ways, key=lambda way: -usual[_lying(way[0][0])]):
                kept = [self._take_near(*places) for places in way]
                if any(kept):
                    usual[_lying(way[0][0])] += 1
                    break
        if self.sizes:
            self.covering.take_discs(min(BEAD_MM, *(PART * min(size) for size in self.sizes)))

    def take_plain(self, hypotheses: list[Pose]) -> None:
        """Keep what lies open, plain and beyond doubt where features say that something may lie."""
        for pose in fresh([p for p in hypotheses if p.size not in self.boards and self._asked(p)]):
            self._take(pose)

    def _take_near(self, pose: Pose, *others: Pose) -> bool:
        """Keep what lies open, plain and beyond doubt at a pose, or else at that of others which looks most like it."""
        if self._take(pose):
            return True
        gallery = self.by_size[pose.size]
        like = [float(self.examiner.glance(other, gallery, 1.0)[0].max()) for other in others]
        return bool(like) and max(like) > GLANCE and self._take(others[int(np.argmax(like))])

    def _take(self, pose: Pose) -> bool:
        """Keep what lies open, plain and beyond doubt at a pose, if anything does."""
        verdict = self._examined(pose) if self._asked(pose) else None
        if verdict is None or not self._is_plain(verdict):
            return False
        found, other = self.judge.told(verdict)
        if not found.doubt:
            self._add(found, other)
        return not found.doubt

    def run(self, hypotheses: list[Pose]) -> list[Found]:
        """All that is found, sure and doubtful; `hypotheses` are where features say that something may lie."""
        hypotheses = [pose for pose in hypotheses if self._asked(pose)]
        self.on += [pose for pose in hypotheses if pose.size in self.boards]
        cards = fresh([pose for pose in hypotheses if pose.size not in self.boards])
        waiting = [verdict for pose in cards if (verdict := self._plain(pose)) is not None]
        places = [v.pose for v in sorted(waiting, key=lambda v: -v.quality)]
        for pose in self.known:
            self._spread_from(pose)
        self._find_whole(places)
        self.partly = [*(pose for pose in cards if pose.votes >= PARTLY_VOTES), *self.partly]
        self._find_all_partly(places)
        if self.covering.still_left(STRIP_MM) > LEAST_MM2 and self.examiner.photo.plane.marked:
            places = [*places, *fresh([pose for pose in self.left() if self._asked(pose)])]
            self._find_whole(places)
            self._find_all_partly(places)
        if self.put_off:
            self.badly = True
            self._keep_fitting(self.put_off)
            self._find_whole(places)
            self._find_all_partly(places)
        self._ask_about(self.refused)
        self.found = consistency.told(self.found, self.excused, self.judge)
        self.found += self._dazzled()
        self.known += [] if self.part is None else self.part.boards
        self._find_boards(self.on)
        self.found += unprinted.asked(self._lying(), self.examiner, self.outlines, self.by_size, self._off_boards)
        return self.found

    def _find_all_partly(self, places: Sequence[Pose]) -> None:
        """Keep what agrees only partly, and then all that what it explains brings up, until nothing does."""
        while self.partly or self.hardly:
            if self.partly:
                partly, self.partly = self.partly, []
                more = self._find_partly(partly)
            else:
                hardly, self.hardly = self.hardly, []
                more = self._find_within_rims(hardly)
            if more:
                self._find_whole(places)

    def _find_whole(self, places: Sequence[Pose]) -> None:
        """Keep all of which what is free agrees, at these places and wherever edges or what was found point to."""
        found, outlined = -1, -1
        while found != len(self.found):  # what is found explains more of what lies beneath it
            found = len(self.found)
            self._spread()
            self._try_all(places)
            self._find_lined()
            if outlined != 0:
                before = len(self.found)
                edged = list(self._outlined())
                self._try_all(edged)
                self.edged += edged
                outlined = len(self.found) - before
            if found == len(self.found):
                self._spread_across()
            if found == len(self.found):
                self._spread_tilted()
            if found == len(self.found):
                self._look_again()
            if found == len(self.found):
                self._find_cornered()

    def _find_partly(self, poses: Iterable[Pose]) -> bool:
        """Keep what agrees only partly, but so well that the rest must lie under something strange; is there any?"""
        before = len(self.found)
        for pose in poses:
            verdict = self._examined(pose, 0.0)
            if verdict is None or not self._stands_out(verdict):
                continue
            if self.judge.under(verdict):
                self._keep(verdict)
                self._spread()
            else:
                self.refused.append(pose)
        return len(self.found) > before

    def _ask_about(self, poses: Iterable[Pose]) -> None:
        """Keep in doubt what agrees only partly but is plainly like its face where it does, though nobody knows why."""
        for pose in poses:
            verdict = self._examined(pose, 0.0)
            if verdict is not None and self._stands_out(verdict) and verdict.likeness > LIKE_LITTLE:
                self._add(Found(verdict, COVERED), None)

    def _dazzled(self) -> list[Found]:
        """What has the outline of a component and is too bright to tell which."""
        if not self.examiner.burnt_anywhere:
            return []
        tried = [pose for pose in self.tried if pose.size not in self.boards]
        return dazzled.asked(tried, self.examiner, self.outlines, self.by_size)

    def _find_within_rims(self, poses: Iterable[Pose]) -> bool:
        """Keep what is plainly like its face but along the rims of what shines into it from above; is there any?"""
        before = len(self.found)
        for pose in poses:
            with self.covering.with_rims():
                verdict = self._fitting(pose)
                if verdict is not None and verdict.likeness > LIKE_LITTLE:
                    self._keep(verdict)
            self._spread()
        return len(self.found) > before

    def _find_lined(self) -> None:
        """Faces of fine lines, one of each patch after the other: what lies on top shows most."""
        while self.looked_for_lines != len(self.found):
            self.looked_for_lines = len(self.found)
            turns = outlines.turns(self._lying(), 180)[:MOST_TURNS] or [0.0, 90.0]
            for lined in self.lined:
                self._try_all(lined.places(turns))

    def _find_boards(self, hypotheses: list[Pose]) -> None:
        """Boards are looked for last: other things lie on them, and they take no place."""
        for pose in fresh(hypotheses)[:MOST_BOARDS]:
            if any(one_place(pose, lying, 0.5 * min(pose.size), 360) for lying in self._lying()):
                continue
            verdict = self.examiner.examine(pose, self.by_size[pose.size])
            if verdict is None or verdict.likeness < LIKE_BOARD or verdict.agreement.share < WHOLE_BOARD:
                continue
            self.found.append(Found(verdict, self.judge.doubt(verdict)))

    def _spread(self) -> None:
        """Look beside and beneath everything found, and then beside and beneath what that brings up."""
        while self.looked_beside < len(self.found) or self.looked_beneath < len(self.found):
            if self.looked_beside < len(self.found):
                self._try_all(beside(self.found[self.looked_beside].verdict.pose))
                self.looked_beside += 1
            else:
                self._look_beneath(self.found[self.looked_beneath].verdict.pose)
                self.looked_beneath += 1

    def _spread_across(self) -> None:
        """Look across gaps beside what is burnt out: of a tile that is burnt out as well little else gives away."""
        for found in self.found[self.looked_across :]:
            self.looked_across += 1
            if found.verdict.glares:
                self._try_all(beside(found.verdict.pose, 2))

    def _spread_from(self, pose: Pose) -> None:
        """Look beside and beneath one component."""
        self._try_all(beside(pose))
        self._look_beneath(pose)

    def _spread_tilted(self) -> None:
        """Look beneath everything for what is turned a little against it, until something is found."""
        before = len(self.found)
        for pose in self._lying()[self.looked_tilted :]:
            self.looked_tilted += 1
            sides = self._strange(pose)
            if not sides:
                continue
            with self.covering.beneath(pose):
                for tilted in (pose.moved(0, 0, tilt) for tilt in TILTS):
                    ending = [quarters for quarters in sides if self.outlines.beyond(tilted, quarters, ENDING)]
                    self._try_all(self._beneath(tilted, ending, closely=True))
                for edged in self._beyond(pose, sides):
                    self._keep_edged(self.outlines.fitted(edged, self.covering.free_at))
            if len(self.found) > before:
                return

    def _keep_edged(self, pose: Pose) -> None:
        """Keep what lies at a pose whose edges, where they are seen, are clear."""
        if not self._is_edged(pose):
            return
        verdict = self._fitting(self._upon(pose))
        if verdict is None or not self._is_edged(verdict.pose):
            return
        if not self._keep(verdict):
            return
        kept, why = self.found[-1].verdict, self.found[-1].doubt
        # stripes turned by half and shifted a little fit as well
        if not why and kept.gallery.repeats(kept.face) and kept.gallery.turn_tells(kept.face):
            self.found[-1] = Found(kept, doubts.TURNED)

    def _is_edged(self, pose: Pose) -> bool:
        return self.outlines.weakest(pose, self.covering.free_at) > ENDS

    def _look_beneath(self, pose: Pose) -> None:
        if not any_around(self.covering, pose):
            return
        with self.covering.beneath(pose):
            self._try_all(self._beneath(pose, self._unexplained(pose)))
            self._try_all(self._beneath_lit(pose))
            self._try_all(self._beyond(pose, self._unexplained(pose)))

    def _look_again(self) -> None:
        """Look closely at what is edged like a component and lies open, though from afar it looked like nothing.

        Of a face with little print nothing is where it should be, if it lies a few millimetres beside it.
        """
        while self.edged:
            pose = self.edged.pop()
            if self.covering.share(pose) < OPEN or not self._sticks_out(pose):
                continue
            verdict = self._examined(self._upon(pose), GLANCE_AGAIN)
            if verdict is None:
                continue
            whole = verdict.likeness > LIKE_PLAIN and verdict.agreement.share > WHOLE_PLAIN
            like = LIKE_LITTLE if self._on_board(pose) else LIKE
            partly = verdict.likeness > like and verdict.agreement.area > LITTLE
            if whole or (partly and self.judge.under(verdict)):
                self._keep(verdict)
                return

    def _upon(self, pose: Pose) -> Pose:
        """The place about a pose where it looks most like a face: of fine lines nothing is seen half a line off."""
        gallery = self.by_size[pose.size]
        if not gallery.elusive:
            return pose
        known: dict[tuple[float, float, float], float] = {}  # the places around two that are near are mostly the same

        def like(place: Pose) -> float:
            key = round(place.x, 3), round(place.y, 3), round(place.turn, 3)
            if key not in known:
                known[key] = float(self.examiner.glance(place, gallery, 1.0)[0].max())
            return known[key]

        steps = [(x, y, 0.0) for x in ABOUT_MM for y in ABOUT_MM], [(0.0, 0.0, turn) for turn in ABOUT_TURN]
        for around in ABOUT_ROUNDS * steps:
            pose = max((pose.moved(*step) for step in around), key=like)
        return pose

    def _on_board(self, pose: Pose) -> bool:
        """Whether it lies where a board may: there the board's own print is seen."""
        return any(cv2.pointPolygonTest(b.corners().astype(np.float32), (pose.x, pose.y), False) >= 0 for b in self.on)

    def _off_boards(self, pose: Pose) -> bool:
        """Whether it is asked for, and no board's field."""
        return self._asked(pose) and not self._on_board(pose)

    def _lying(self) -> list[Pose]:
        return [*self.known, *(f.verdict.pose for f in self.found)]

    def _outlined(self) -> Iterator[Pose]:
        """Rectangles not yet explained that lie as components found already do."""
        for turn in outlines.turns(self._lying())[:MOST_TURNS]:
            sizes = self.covering.with_room(self.sizes, turn, UNEXPLAINED)
            edged = self.outlines.at(turn, sizes, self.covering.picture) if sizes else []
            for pose in filter(self._asked, edged):
                free, bare = self.covering.free_and_bare(pose)
                if free * (1 - bare) > UNEXPLAINED and not self.outlined.again(pose, free):
                    yield self.outlines.fitted(pose)
        for pose in outlines.alone(self.covering.looked_at(0.0), self.covering.table, self.sizes):
            if not self.outlined.again(pose, self.covering.share(pose)):
                yield self.outlines.fitted(pose)

    def _find_cornered(self) -> None:
        """Keep what lies where a corner sticks out of a pile in which something is not yet explained."""
        if self.covering.still_left() < LEAST_MM2:
            return
        found, cornered = len(self.found), []
        places = corners.poses(self.covering.unlike(), self.covering.picture, self.covering.table, self.sizes)
        for pose, corner in places:
            if self._asked(pose) and self._sticks_out(pose):
                cornered.append(self.outlines.fitted(pose, partial(self._free_near, corner)))
        self._try_all(cornered)
        if found == len(self.found):  # more of it may be covered by what is not known
            self.partly += [pose for pose in cornered if pose not in self.cornered]
            self.cornered.update(cornered)

    def _free_near(self, corner: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points (n × 2, mm) are not taken, and near a corner."""
        near: NDArray[np.bool_] = np.linalg.norm(points - corner, axis=1) < CORNER_MM
        return np.asarray(self.covering.free_at(points) & near)

    def _beneath(self, pose: Pose, sides: Iterable[int], *, closely: bool = False) -> Iterator[Pose]:
        """Where the print of a component shows beyond these of its edges."""
        for quarters in sides:
            yield from self.strips[pose.size].beneath(self.examiner, pose, quarters, closely=closely)

    def _beneath_lit(self, pose: Pose) -> Iterator[Pose]:
        """The same where too strong a light burns the print out: as it looks in the light of what was found nearby."""
        sides = self._strange(pose)
        light = self._light_near(pose) if sides else None
        if light is None:
            return
        examiner = LitExaminer(self.examiner)
        usual = self.strips[pose.size]
        strips = Strips(examiner.in_light(usual.gallery, light), usual)
        for quarters in sides:
            yield from strips.beneath(examiner, pose, quarters)

    def _light_near(self, pose: Pose) -> Light | None:
        """The light of the nearest component found in a light that burns it out."""
        lit = [f.verdict for f in self.found if f.verdict.glares]
        away = [math.hypot(v.pose.x - pose.x, v.pose.y - pose.y) for v in lit]
        return self.examiner.light_of(lit[int(np.argmin(away))]) if lit else None

    def _beyond(self, pose: Pose, sides: Iterable[int]) -> Iterator[Pose]:
        """Where the edge of a component shows beyond these of its edges."""
        for quarters in sides:
            yield from self.outlines.beyond(pose, quarters)

    def _unexplained(self, pose: Pose) -> dict[int, float]:
        """The sides (quarters clockwise from the bottom) beyond which something is unexplained, and how much (mm²)."""
        found, sides = self.sides.get(pose, (-1, {}))
        if found != len(self.found):  # what is found explains more
            sides = self.strips[pose.size].sides(self.examiner, pose, self._asked)
            self.sides[pose] = len(self.found), sides
        return sides

    def _strange(self, pose: Pose) -> list[int]:
        """Those sides of it beyond which enough is unexplained to be looked at again; none on a board's own print."""
        if self._on_board(pose):
            return []
        least = LEFT_AGAIN * pose.size[0] * pose.size[1]
        return [q for q, much in self._unexplained(pose).items() if much > least]

    def _asked(self, pose: Pose) -> bool:
        """Whether what lies at a place is asked for at all."""
        return self.part is None or self.part.may_meet(pose)

    def _try_all(self, poses: Iterable[Pose]) -> None:
        """Keep what lies at the poses if all that is free of it agrees, what fits best first."""
        self._keep_fitting([verdict for pose in poses if (verdict := self._tried(pose)) is not None])

    def _keep_fitting(self, fitting: Sequence[Verdict]) -> None:
        """Keep what fits, the best first."""
        for verdict in sorted(fitting, key=lambda v: -v.quality):
            if self.covering.share(verdict.pose) < verdict.free - 0.02:  # meanwhile another was found there
                again = self._tried(verdict.pose)
                if again is None:
                    continue
                verdict = again
            self._keep(verdict)

    def _tried(self, pose: Pose) -> Verdict | None:
        """The verdict if all that is free at the pose agrees; nothing explained is looked at, nor anything twice."""
        if not self._asked(pose) or not self.covering.left_about(pose):
            return None
        return None if self.tried.again(pose, self.covering.share(pose)) else self._fitting(pose)

    def _fitting(self, pose: Pose) -> Verdict | None:
        """The verdict if all that is free at the pose agrees."""
        verdict = self._examined(pose)
        if verdict is None or verdict.likeness < LIKE:
            return None
        if verdict.agreement.share < WHOLE:
            if self._stands_out(verdict) and not self._on_board(pose):
                self.partly.append(pose)
            if verdict.agreement.share > HARDLY_WHOLE and not self.covering.rims:
                self.hardly.append(pose)
            return None
        return verdict

    def _examined(self, pose: Pose, least: float = GLANCE) -> Verdict | None:
        """The verdict on what is not yet explained of a pose, if from afar it is that much like any face."""
        if not self._sticks_out(pose):
            return None
        verdict = self.examiner.examine(pose, self.by_size[pose.size], least)
        return verdict if verdict is not None and self._sticks_out(verdict.pose) else None

    def _sticks_out(self, pose: Pose) -> bool:
        """Whether something is seen of whatever may lie at the pose, and not only table."""
        free = self.covering.share(pose)
        if free < LEFT:
            return False
        bare = self.covering.bare(pose)
        if bare > NOTHING:
            return False
        if free > BETWEEN and bare < SOMEWHAT:
            return True
        least = SHOWN if free > BETWEEN else max(SHOWN, (1 - NOTHING) * free)
        return self.covering.left_of(pose) > HARDLY * least and self.covering.shows(pose) > least

    def _plain(self, pose: Pose) -> Verdict | None:
        """Keep what lies open and plain at the pose; a verdict on anything less is given back."""
        verdict = self._examined(pose)
        if verdict is None or verdict.likeness < LIKE:
            return None
        if not self._is_plain(verdict):
            return verdict
        self._keep(verdict)
        return None

    def _is_plain(self, verdict: Verdict) -> bool:
        """Whether it lies open and plain."""
        whole = verdict.likeness >= LIKE_PLAIN and verdict.agreement.share >= WHOLE_PLAIN
        return whole and not self.judge.doubt(verdict)

    @staticmethod
    def _stands_out(verdict: Verdict) -> bool:
        """Whether so much agrees that the rest must lie under something strange, like a hand."""
        agreement = verdict.agreement
        like = LIKE_PARTLY if agreement.area > LITTLE or verdict.surely > PLAIN_SOFT else LIKE_LITTLE
        return bool(verdict.likeness > like and agreement.area > PARTLY)

    def _keep(self, verdict: Verdict) -> bool:
        """Keep what was found; what fits badly only when nothing else is found, as something else may fit there."""
        found, other = self.judge.told(verdict)
        if doubts.imagined(found) or (not self.badly and found.verdict.view.fit < BADLY):
            self.put_off.append(verdict)
            return False
        return self._add(found, other)

    def _add(self, found: Found, other: NDArray[np.bool_] | None) -> bool:
        """Keep what was found: what is seen of it is explained; `other` print on it may be of something else.

        It is not kept where one was found already, be that in doubt: what speaks against it was seen on all of it.
        """
        verdict = found.verdict
        first = not any(one_place(verdict.pose, f.verdict.pose) for f in self.found)
        if first:  # nothing would be seen of a second one: it is more of the first
            if other is not None:
                self.excused[len(self.found)] = other
            self.found.append(found)
            self._learn_stretch(verdict.pose.size)
        open_ = verdict.agreement.share > WHOLE
        if open_:
            self.covering.take(verdict.pose)
        else:  # something may lie on it
            self.covering.take(verdict.window, verdict.agreement.seen)
        return first

    def _learn_stretch(self, size: tuple[float, float]) -> None:
        """Things of one size seem larger by the same: a marker's black square shrinks in glaring light."""
        alike = [f.verdict for f in self.found if f.verdict.pose.size == size]
        whole = [v.pose.stretch for v in alike if v.agreement.area > WHOLE_PLAIN]
        if len(whole) >= FEW:
            self.examiner.usual[size] = min(max(median(whole), STRETCHES[0]), STRETCHES[1])


def _lying(pose: Pose) -> tuple[tuple[float, float], int]:
    """The size of what lies there, and whether it lies along the table (0) or across (1)."""
    return pose.size, round(pose.turn / 90) % 2
