"""The scoreboard of a live table: what a spectator may see, in the words of the table's language."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from companion.games.rulebook import Texts
from companion.sentences import texts
from hardware.ink import Shape
from hardware.scoreboard import Board, Count, Join, Mark, Notice, Place, Print, Seat, draw

if TYPE_CHECKING:
    from companion.table import Table

Data = dict[str, Any]
COLOURS_FROM_WIDTH = 400  # the small panels are black and white


def png(table: Table, width: int, height: int, lang: str) -> bytes:
    """The scoreboard as PNG, in red too where the panel is large enough to have it."""
    out = io.BytesIO()
    draw(board(table, lang), (width, height), "bwr" if width >= COLOURS_FROM_WIDTH else "bw").save(out, "PNG")
    return out.getvalue()


def board(table: Table, lang: str) -> Board:
    """All that the board shows now, from the spectator's view."""
    view = table.view(None, lang)
    said = texts(lang, view["game"])
    title = said.words.get("title", str(view["game"]).title())
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
        _notice(table, view),
        ranking=_ranking(view),
    )


def _seats(view: Data) -> tuple[Seat, ...]:
    points = {score["seat"]: str(score["total"]) for score in view["scores"]}
    return tuple(
        Seat(seat["name"], _mark(view, seat["seat"]), value=points.get(seat["seat"], ""))
        for seat in view["seats"]
        if seat["taken"]
    )


def _mark(view: Data, seat: int) -> Mark:
    if view["sealed"] and view["sealed"][seat]:
        return Mark.SEALED
    return Mark.TO_ACT if seat in view["to_act"] else Mark.NONE


def _counts(table: Table, view: Data, said: Texts) -> tuple[Count, ...]:
    """What lies openly in the middle and has a sign."""
    supply = view["state"].get("supply", {})
    return tuple(
        Count(supply[name], said.words.get(name, name), said.words.get(f"letter_{name}", ""), Shape(shape))
        for name, shape in table.tabletop.signs.items()
        if isinstance(supply.get(name), int)
    )


def _foot(view: Data, said: Texts) -> tuple[Print, ...]:
    """The commitments and the log's head, to be noted before anything opens."""
    names = [seat["name"] for seat in view["seats"]]
    if not view["commitments"]:
        return ()
    prints = [Print(name, mark) for name, mark in zip(names, view["commitments"], strict=False)]
    return (*prints, Print(said.messages["board_head"], view["log_head"]))


def _notice(table: Table, view: Data) -> Notice | None:
    """What the table should see to; what differs in number alone is still on its way while people move beads."""
    verdict = table.verdict
    if verdict is not None and verdict.status == "asks":
        return Notice(view["sync"]["text"], question=True)
    if verdict is not None and verdict.status == "differs":
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
