"""The scoreboard of a live table: what a spectator may see, in the words of the table's language."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.games.game import Note
from companion.games.rulebook import Texts
from companion.sentences import texts
from hardware.ink import Shape
from hardware.scoreboard import Board, Count, Join, Mark, Notice, Place, Print, Seat, draw

if TYPE_CHECKING:
    from companion.referee import Verdict
    from companion.table import Table

Data = dict[str, Any]
COLOURS_FROM_WIDTH = 400  # the small panels are black and white
OPEN_COUNTS: Final[Mapping[str, tuple[tuple[str, str, Shape], ...]]] = {
    "rapa-nui": (("pile", "pile", Shape.BAR),),
    "maori": (("pile", "pile", Shape.SQUARE), ("supply", "shells", Shape.CIRCLE)),
    "giants": (
        ("supply.headdresses", "headdresses", Shape.HEXAGON),
        ("supply.logs", "logs", Shape.BAR),
        ("supply.half_tablets", "half_tablets", Shape.SQUARE),
    ),
}
"""By game, what else everybody may count: where its view has it, the word for it, and its sign."""


def png(table: Table, width: int, height: int, lang: str) -> bytes:
    """The scoreboard as PNG, in red too where the panel is large enough to have it."""
    out = io.BytesIO()
    draw(board(table, lang), (width, height), "bwr" if width >= COLOURS_FROM_WIDTH else "bw").save(out, "PNG")
    return out.getvalue()


def board(table: Table, lang: str) -> Board:
    """All that the board shows now, from the spectator's view."""
    view = table.view(None, lang)
    said = texts(lang, view["game"])
    title = said.words.get("title", str(view["game"]).replace("-", " ").title())
    if not view["begun"]:
        hint = said.messages["board_join"]
        return Board(
            title, view["waiting"], _seats(view), join=Join(view["join_url"], hint) if view["join_url"] else None
        )
    return Board(
        title,
        view["phase"]["text"],
        _seats(view),
        _counts(table, view, said),
        _foot(view, said),
        _notice(table.verdict, view, said),
        ranking=_ranking(view),
        short=view["phase"]["short"],
    )


def _seats(view: Data) -> tuple[Seat, ...]:
    state = view["state"] or {}
    points = {score["seat"]: str(score["total"]) for score in view["scores"] or _counted(state)}
    start = state.get("start")
    return tuple(
        Seat(seat["name"], _mark(view, seat["seat"]), seat["seat"] == start, points.get(seat["seat"], ""))
        for seat in view["seats"]
        if seat["taken"]
    )


def _counted(state: Data) -> list[Data]:
    """The points that everybody can count, where a game keeps others hidden until its end."""
    if "known" in state:
        return [{"seat": seat, "total": sum(known.values())} for seat, known in enumerate(state["known"])]
    return list(state.get("scores", ()))


def _mark(view: Data, seat: int) -> Mark:
    if view["sealed"] and view["sealed"][seat]:
        return Mark.SEALED
    return Mark.TO_ACT if seat in view["to_act"] else Mark.NONE


def _counts(table: Table, view: Data, said: Texts) -> tuple[Count, ...]:
    """What lies openly in the middle and has a sign."""
    signed = table.tabletop.signs
    if not signed:
        listed = ((_at(view["state"], path), word, shape) for path, word, shape in OPEN_COUNTS.get(view["game"], ()))
        return tuple(Count(number, said.words.get(word, word), "", shape) for number, word, shape in listed)
    supply = view["state"].get("supply", {})
    return tuple(
        Count(supply[name], said.words.get(name, name), said.words.get(f"letter_{name}", ""), Shape(shape))
        for name, shape in signed.items()
        if isinstance(supply.get(name), int)
    )


def _at(state: Data, path: str) -> int:
    """The number at a path of names in a view's state."""
    found: Any = state
    for name in path.split("."):
        found = found[name]
    return int(found)


def _foot(view: Data, said: Texts) -> tuple[Print, ...]:
    """The commitments and the log's head, to be noted before anything opens."""
    names = [seat["name"] for seat in view["seats"]]
    if not view["commitments"]:
        return ()
    prints = [Print(name, mark) for name, mark in zip(names, view["commitments"], strict=False)]
    return (*prints, Print(said.messages["board_head"], view["log_head"]))


def _notice(verdict: Verdict | None, view: Data, said: Texts) -> Notice | None:
    """What the table should see to: a question, which waits on phones, or what differs as the view has it. Without a
    camera that is told to who sent the photo alone, for nobody would see here that it was put right."""
    if verdict is not None and verdict.status == "asks":
        return Notice(said.tell(Note("sync_question"), []), question=True)
    if view["sync"]["status"] == "differs":
        return Notice(view["sync"]["differences"][0]["text"])
    return None


def _ranking(view: Data) -> tuple[Place, ...]:
    names = {seat["seat"]: seat["name"] for seat in view["seats"]}
    points = {score["seat"]: str(score["total"]) for score in view["scores"]}
    places: list[Place] = []
    for group in view["ranking"]:
        place = len(places) + 1
        places += [Place(place, names[seat], points[seat]) for seat in group]
    return tuple(places)
