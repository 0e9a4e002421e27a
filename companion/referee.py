"""From what is seen to what happened: the legal actions that explain the table, or a question, or what differs.

Several looks are held against the state (see `companion.looks`). When the table is to act, the game reads the action
from what lies there. When seats are to act, their public actions are tried, up to a few one after the other: the
fewest that explain everything are what happened; where several ways explain it the seat is asked; none means that the
table differs, and it says how. A table that lies as it did before the newest actions is asked about: were they taken
back? So is one that another action in place of the newest would explain, and one on which the next seat goes on while
something that shows on no table is still due. What a phone has told and nobody has carried out yet is waited for and
explains nothing.

Where nothing but eyes may be to blame (something is not seen, or not told), people are asked whether all lies as it
should. What they vouch for needs no explanation as long as eyes see it no better; but where it may as well be what was
moved, that is asked. When it is seen again, it may be that and it may be its like, set down beside it just now.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from companion.evening import Evening
from companion.games.game import TABLE, Action, Note
from companion.games.tabletop import Difference, Option, Seen, Tabletop
from companion.looks import Looks

AT_ONCE: Final = 3  #: actions that people may have done since the table was last understood
MOST_TRIED: Final = 2000  #: actions of one seat, where there are more than anybody can list
BRANCHES: Final = 12  #: ways that are followed further, those that explain most first
PATIENCE: Final = 18  #: looks that may disagree before people are told
MOST_OPTIONS: Final = 8
NOTHING: Final = Seen()
SAME_PLACE: Final = 8.0  #: what is seen this near to where its like was is that, mm

Path = tuple[Action, ...]
Doubt = tuple[str, str]  #: a zone, and what is not seen or not told there


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee makes of the table.

    `status` is "ok", "looking" (something is still missing or under way), "acts" (`action` happened),
    "asks" (`question` with `options`, for `seats`, or for anybody when empty) or "differs".
    `rest`: what is asked when none of the options was it. `more`: another look would tell more, above all `where` the
    newest ones have not seen the same (mm).
    """

    status: str
    action: Action | None = None
    question: Note | None = None
    options: tuple[Option, ...] = ()
    seats: tuple[int, ...] = ()
    note: Note | None = None
    differences: tuple[Difference, ...] = ()
    more: bool = False
    rest: tuple[Option, ...] = ()
    where: tuple[tuple[float, float], ...] = field(default=(), compare=False)

    def next(self) -> Verdict:
        """The same question with the answers that have not been offered yet."""
        return replace(self, options=(*self.rest[:MOST_OPTIONS], self.options[-1]), rest=self.rest[MOST_OPTIONS:])


class Referee:
    """Follows one table from look to look."""

    def __init__(self, tabletop: Tabletop[Any]) -> None:
        self._tabletop = tabletop
        self._looks = Looks()
        self._restless = 0  # looks since they last agreed
        self._shown = (0, 0)  # rewinds, and how many actions had been played when the table last agreed with the rules
        self._vouched: Counter[Doubt] = Counter()  # what lies as it should, as people say, whatever is seen of it
        self._held = (0, 0), NOTHING  # after so many rewinds and actions, against how the table lay, that was last held
        self._again = (0, 0), NOTHING  # after so many, what was seen again
        self._newest: tuple[Any, Verdict] | None = None  # what was considered last, and what came of it
        self.seen = Seen()  #: what the newest looks agree on

    def look(self, evening: Evening, seen: Seen) -> Verdict:
        """The verdict after one more look; plays nothing."""
        self.seen = self._looks.add(seen)
        self._restless = 0 if self._looks.settled else self._restless + 1
        return self.verdict(evening)

    def verdict(self, evening: Evening) -> Verdict:
        """The verdict on what the newest looks agree on."""
        if not evening.begun or evening.over:
            return Verdict("looking")
        patient = not self._looks.settled and self._restless <= PATIENCE
        if patient and (evening.table_due() or self._tabletop.differences(evening.state, self.seen)):
            return Verdict("looking", more=True, where=self._looks.open)
        found = self._considered(Case(evening, self._tabletop, self.seen, self._seen_done(evening), self._vouched))
        if not self._looks.settled and any(option.vouched for option in found.options):
            return Verdict("looking", more=True, where=self._looks.open)  # nobody is asked what a look may tell
        if found.status == "ok":
            self._shown = (evening.rewinds, len(evening.played))
        return found if self._looks.settled else replace(found, more=True, where=self._looks.open)

    def vouch(self, differences: Iterable[Difference]) -> None:
        """People say that all this lies as it should."""
        self._vouched = self._vouched + Counter(map(_doubt, differences))

    def _considered(self, case: Case) -> Verdict:
        """The verdict on a case; the same as before on the same one."""
        now = case.evening.rewinds, len(case.evening.played)
        if self._looks.settled and not case.evening.table_due():
            doubts = Counter(map(_doubt, self._tabletop.differences(case.evening.state, case.seen)))
            if self._vouched - doubts and self._held[0] == now:
                self._again = now, _newcomers(case.seen, self._held[1])
            self._vouched &= doubts
            self._held = now, case.seen
            case = replace(case, vouched=self._vouched, again=self._again[1] if self._again[0] == now else NOTHING)
        about = *now, case.seen, case.done, dict(case.vouched), case.again
        if self._newest is None or self._newest[0] != about:
            self._newest = about, consider(case)
        return self._newest[1]

    def _seen_done(self, evening: Evening) -> int:
        """How many of the actions played the table has shown: the others are known from phones alone."""
        rewinds, shown = self._shown
        count = len(evening.played)
        while count > 0 and not (count <= shown and rewinds == evening.rewinds):
            if evening.played[count - 1].cause in ("camera", "answer"):
                break
            count -= 1
        return count


@dataclass(frozen=True, slots=True)
class Case:
    """A table to be understood: the first `done` of the actions played are known to have been carried out.

    `vouched` is not seen, or not told, and lies as it should; `again` is seen now instead of what was vouched for.
    """

    evening: Evening
    tabletop: Tabletop[Any]
    seen: Seen
    done: int
    vouched: Counter[Doubt]
    again: Seen = NOTHING

    def wrong(self, state: Any) -> list[Difference]:
        """The cards that lie wrong in a state; what people have vouched for does not."""
        return _cards(self.differences(state))

    def differences(self, state: Any) -> tuple[Difference, ...]:
        """All that lies wrong, but for what people have vouched for."""
        left = Counter(self.vouched)
        found = []
        for difference in self.tabletop.differences(state, self.seen):
            if left[_doubt(difference)] > 0:
                left[_doubt(difference)] -= 1
            else:
                found.append(difference)
        return tuple(found)


def consider(case: Case) -> Verdict:
    """The verdict on a table."""
    evening, tabletop, seen = case.evening, case.tabletop, case.seen
    assert evening.game is not None
    if evening.table_due():
        if case.wrong(evening.state) and _awaited(case):
            return Verdict("looking")
        reading = tabletop.read(evening.state, seen, [p.action for p in evening.played])
        back = _taken_back(case)
        if back is not None:
            return _asking(case, () if reading.action is None else (reading.action,), back)
        if reading.action is not None:
            return Verdict("acts", action=reading.action)
        if reading.options:
            return Verdict("asks", question=reading.question, options=reading.options)
        return Verdict("looking", note=reading.waiting)
    differences = case.differences(evening.state)
    if not differences:
        return _set_down_beside(case) or Verdict("ok")
    wrong = _cards(differences)
    if not wrong or _awaited(case):
        return Verdict("differs", differences=differences)
    paths = explanations(case)
    back = _taken_back(case)
    firsts = tuple(dict.fromkeys(path[0] for path in paths))
    if len(firsts) == 1 and back is None:
        return Verdict("acts", action=firsts[0])
    if firsts or back:
        return _asking(case, firsts, back)
    again = _laid_anew(case) or _done_otherwise(case)
    if again is not None:
        return again
    passed_over = explanations(case, unseen=True)
    if passed_over:
        asking = _asking(case, tuple(dict.fromkeys(path[0] for path in passed_over)), None)
        return replace(asking, question=Note("ask_unseen"))
    return _unclear(case, differences)


def _unclear(case: Case, differences: Sequence[Difference]) -> Verdict:
    """The verdict where nothing explains all that lies wrong: eyes may be to blame for the rest of it, or for all."""
    now = _cards(case.tabletop.differences(case.evening.state, case.seen))
    nearly = tuple(_leaving_doubts(case, len(now) - 1))
    back = _taken_back(case, len(now) - 1)
    certain = any(not difference.doubt for difference in _cards(differences))
    if certain and len(nearly) == 1 and back is None:
        return Verdict("acts", action=nearly[0])
    if certain and (nearly or back):
        return _asking(case, nearly, back)
    if certain:
        return Verdict("differs", differences=tuple(differences))
    doubts = tuple(difference for difference in differences if difference.doubt)
    right = Option(Note("answer_there"), None, vouched=doubts)
    if nearly or back:
        asking = _asking(case, nearly, back)
        return replace(asking, options=(*asking.options[:-1], right, asking.options[-1]))
    back = _taken_back(case, len(now))  # as likely as that eyes are to blame
    options = (right, *(() if back is None else (back,)), Option(Note("answer_not_there"), None))
    return Verdict("asks", question=Note("ask_there"), options=options, differences=tuple(differences))


def _set_down_beside(case: Case) -> Verdict | None:
    """A question when what was vouched for seems to be seen again, and its like may have been set down instead while
    the other is still hidden."""
    if case.again == NOTHING:
        return None
    seen, again = case.seen, case.again
    both = Seen((*seen.cards, *again.cards), (*seen.beads, *again.beads), (*seen.pieces, *again.pieces))
    paths = explanations(replace(case, seen=both))
    firsts = tuple(dict.fromkeys(path[0] for path in paths if len(path) == 1))
    if not firsts:
        return None
    game, state = case.evening.game, case.evening.state
    assert game is not None
    seats = tuple(sorted({action.by for action in firsts if isinstance(action.by, int)}))
    done = [Option(game.tell(state, action), action) for action in firsts[:MOST_OPTIONS]]
    options = (*done, Option(Note("answer_seen_again"), None))
    return Verdict("asks", question=Note("ask_seen_again"), options=options, seats=seats)


def _leaving_doubts(case: Case, most: int) -> list[Action]:
    """The actions after which nothing is wrong but what eyes may be to blame for, and no more of it than `most`: those
    that leave least of it, with what people have vouched for."""
    state, left = case.evening.state, dict[Action, int]()
    for action in _possible(case, state, [p.action for p in case.evening.played]):
        wrong = _cards(case.tabletop.differences(case.tabletop.just_after(state, action), case.seen))
        if len(wrong) <= most and all(difference.doubt for difference in wrong):
            left[action] = len(wrong)
    return [action for action, count in left.items() if count == min(left.values())]


def explanations(case: Case, unseen: bool = False) -> list[Path]:
    """The shortest sequences of public actions after which no card lies wrong any more.

    Each brings it nearer, or makes room for what the table does next (a column is emptied before it is filled).
    Counts are left out: beads are still on their way when a card has been turned. With `unseen` each sequence begins
    with an action that shows on no table.
    """
    evening, game = case.evening, case.evening.game
    assert game is not None
    past = [p.action for p in evening.played]
    ways: list[tuple[int, Any, Path]] = [(len(case.wrong(evening.state)), evening.state, ())]
    for _ in range(AT_ONCE):
        found: list[Path] = []
        further: list[tuple[int, Any, Path]] = []
        for before, state, path in ways:
            if unseen:
                further += [(before, game.apply(state, a)[0], (*path, a)) for a in _unseen(case, state)]
            if unseen and not path:
                continue
            for action in _possible(case, state, [*past, *path]):
                left = len(case.wrong(case.tabletop.just_after(state, action)))
                if not left:
                    found.append((*path, action))
                else:
                    after, _ = game.apply(state, action)
                    if left < before or game.to_act(after) == (TABLE,):
                        further.append((left, after, (*path, action)))
        if found:
            return _with_rivals(case, found)
        ways = sorted(further, key=lambda way: way[0])[:BRANCHES]
    return []


def _with_rivals(case: Case, found: list[Path]) -> list[Path]:
    """The single actions that explain the table, with those that leave no more unseen, but not what was vouched for:
    what has come may be what nobody sees any more, and what is missing now may be hidden by it."""
    state = case.evening.state
    if not case.vouched or any(len(path) > 1 for path in found):
        return found
    ends = [case.tabletop.just_after(state, path[0]) for path in found]
    most = max(len(_cards(case.tabletop.differences(end, case.seen))) for end in ends)
    return [*found, *((action,) for action in _leaving_doubts(case, most) if (action,) not in found)] if most else found


def _possible(case: Case, state: Any, past: Sequence[Action]) -> Iterator[Action]:
    """What may have been done in this state: public actions of seats, or the table's as it is read."""
    game, tabletop, seen = case.evening.game, case.tabletop, case.seen
    assert game is not None
    for actor in game.to_act(state):
        if actor == TABLE:
            action = tabletop.read(state, seen, past).action
            if action is not None and game.can(state, action):
                yield action
        else:
            legal = islice(game.legal(state, actor), MOST_TRIED)
            for action in tabletop.explaining(state, actor, seen, legal):
                if action.do not in game.secret:
                    yield action


def _unseen(case: Case, state: Any) -> Iterator[Action]:
    """What may be done in this state without a trace on the table."""
    game, tabletop = case.evening.game, case.tabletop
    assert game is not None
    for actor in game.to_act(state):
        if actor != TABLE:
            yield from (action for action in tabletop.unseen(state, actor) if game.can(state, action))


def _asking(case: Case, firsts: Sequence[Action], back: Option | None) -> Verdict:
    """A question to the seats concerned: which action it was, or whether the newest was taken back."""
    evening, tabletop = case.evening, case.tabletop
    assert evening.game is not None
    seats = {action.by for action in firsts if isinstance(action.by, int)}
    question, answers = tabletop.asked(evening.state, firsts)
    every = answers or tuple(Option(evening.game.tell(evening.state, action), action) for action in firsts)
    options = list(every[:MOST_OPTIONS])
    if back is not None:
        assert back.instead_of is not None
        seats |= {p.action.by for p in evening.played[back.instead_of :] if isinstance(p.action.by, int)}
        options.append(back)
    question = question if firsts and back is None else Note("ask_which" if firsts else "ask_back")
    none = Option(Note("answer_keep" if back and not firsts else "answer_again"), None)
    asked = tuple(sorted(seats))
    return Verdict("asks", question=question, options=(*options, none), seats=asked, rest=every[MOST_OPTIONS:])


def _awaited(case: Case) -> bool:
    """Whether the table lies as it did before actions that phones have told and nobody has carried out yet."""
    newest = case.evening.played[case.done :][-AT_ONCE:]
    return any(not case.wrong(p.before) for p in newest)


def _taken_back(case: Case, doubts: int = 0) -> Option | None:
    """The way back to before the newest actions, when the table has shown them and now lies as it did before, but for
    so many `doubts` at most that eyes may be to blame for.

    Held against the table as the newest action left it: what follows by itself may be the next round's empty table.
    """
    evening, game = case.evening, case.evening.game
    assert game is not None
    for index in range(len(evening.played) - 1, max(-1, len(evening.played) - 1 - AT_ONCE), -1):
        one = evening.played[index]
        if index >= case.done or one.action.by == TABLE or one.action.do in game.secret:
            return None
        newest = index == len(evening.played) - 1
        if newest and not case.wrong(case.tabletop.just_after(one.before, one.action)):
            return None
        wrong = case.wrong(one.before)
        if len(wrong) <= doubts and all(difference.doubt for difference in wrong):
            return Option(Note("answer_back"), None, instead_of=index)
    return None


def _laid_anew(case: Case) -> Verdict | None:
    """A question when the newest action was the table's and the table now says another: it may have been misread,
    or laid anew before anybody did anything."""
    evening = case.evening
    if not evening.played or evening.played[-1].action.by != TABLE:
        return None
    index = len(evening.played) - 1
    past = [p.action for p in evening.played[:index]]
    again = case.tabletop.read(evening.played[index].before, case.seen, past).action
    if again is None or again == evening.played[index].action:
        return None
    options = (Option(Note("answer_relay"), again, instead_of=index), Option(Note("answer_keep"), None))
    return Verdict("asks", question=Note("ask_relay"), options=options)


def _done_otherwise(case: Case) -> Verdict | None:
    """A question when another action in place of the newest one, a seat's, explains the table: it was read before the
    hands had finished, or its owner has thought again."""
    evening, tabletop, game = case.evening, case.tabletop, case.evening.game
    index = len(evening.played) - 1
    assert game is not None
    if not 0 <= index < case.done or evening.played[index].action.by == TABLE:
        return None
    before, newest = evening.played[index].before, evening.played[index].action
    if newest.do in game.secret:
        return None
    legal = islice(game.legal(before, newest.by), MOST_TRIED)
    others = [
        action
        for action in tabletop.explaining(before, int(newest.by), case.seen, legal)
        if action != newest and not case.wrong(tabletop.just_after(before, action))
    ]
    if not others:
        return None
    _, answers = tabletop.asked(before, others)
    every = tuple(
        replace(option, instead_of=index)
        for option in answers or tuple(Option(game.tell(before, action), action) for action in others)
    )
    options = (*every[:MOST_OPTIONS], Option(Note("answer_keep"), None))
    asked = (int(newest.by),)
    return Verdict("asks", question=Note("ask_instead"), options=options, seats=asked, rest=every[MOST_OPTIONS:])


def _doubt(difference: Difference) -> Doubt:
    """What this difference leaves in doubt, and where."""
    return difference.zone, difference.doubt


def _newcomers(seen: Seen, before: Seen) -> Seen:
    """What is seen now and was not seen there before."""

    def far(one: Any, others: Sequence[Any], what: str) -> bool:
        alike = (other for other in others if getattr(other, what) == getattr(one, what))
        return all(math.hypot(one.x - other.x, one.y - other.y) > SAME_PLACE for other in alike)

    return Seen(
        tuple(card for card in seen.cards if far(card, before.cards, "component")),
        tuple(bead for bead in seen.beads if far(bead, before.beads, "colour")),
        tuple(piece for piece in seen.pieces if far(piece, before.pieces, "piece")),
    )


def _cards(differences: Sequence[Difference]) -> list[Difference]:
    return [d for d in differences if d.kind == "card"]
