"""`companion replay`: play a record through the rules, or a recorded evening through everything."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import click

from companion.games.game import Data
from companion.games.record import BadLine, Step, dump_line, lines_of, replay


class RecordOrEvening(click.File):
    """A file to be read, or the folder of a recorded evening."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return Path(value) if isinstance(value, str) and Path(value).is_dir() else super().convert(value, param, ctx)


@click.command()
@click.argument("record", type=RecordOrEvening("rb"))
@click.option("--json", "as_json", is_flag=True, help="Print the game as one JSON object.")
@click.option("--every", is_flag=True, help="Print the game after every line, not only at the end.")
def command(record: BinaryIO | Path, as_json: bool, every: bool) -> None:
    """Play RECORD (a file of JSON lines, or - for standard input) through the rules.

    Prints where the game stands: the whole state, secrets included, the scores as if it ended now, and the places.
    The exit status is 1 when a line is illegal or cannot be read; that line and the reason are then printed.

    A folder is a recorded evening (companion serve --record): its frames and calls go through the whole pipeline once
    more. The exit status is 1 when that does not come to the same log; in what it differs is then printed.

    \b
    Examples:
      companion replay evening.jsonl --json
      companion replay my-evening
    """
    if isinstance(record, Path):
        _replay_evening(record, as_json)
        return
    step = None
    try:
        for step in replay(lines_of(record)):
            if every:
                click.echo(dump_line(step.answer()) if as_json else happened(step))
        assert step is not None
        if as_json and not every:
            click.echo(dump_line(step.answer()))
        elif not as_json:
            click.echo(stands(step))
    except BadLine as error:
        click.echo(dump_line(error.data()) if as_json else refusal(error, step))
        sys.exit(1)


def _replay_evening(folder: Path, as_json: bool) -> None:
    from companion.rerun import rerun
    from companion.tape import NoTape

    try:
        found = rerun(folder).data()
    except (NoTape, OSError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(dump_line(found))
    else:
        read = f"{found['frames']} frames, {found['looks']} looks, {found['entries']} entries"
        result = "the same log." if found["ok"] else "NOT the same log:"
        click.echo(f"An evening of {found['game']} at table {found['table']}: {read}, {result}")
        if not found["pictures_compared"]:
            click.echo("  (whether the pictures are the same is not known: another OpenCV made those of the recording)")
        for difference in found["differences"]:
            click.echo(f"  from entry {difference['entry']}")
            for side in ("recorded", "replayed"):
                said = [f"{entry['kind']} {_inline(entry['says'])}" for entry in difference[side]]
                click.echo(f"    {side}: {'; '.join(said) or 'nothing'}")
    sys.exit(0 if found["ok"] else 1)


def happened(step: Step) -> str:
    """What a line of the record did, in words."""
    texts = step.game.rulebook.texts("en")
    players = step.header.players
    if step.action is None:
        return f"{step.line}: {step.game.name} with {', '.join(players)}"
    by = players[step.action.by] if isinstance(step.action.by, int) else "the table"
    told = [f"    {texts.tell(effect.note, players)} ({effect.rule})" for effect in step.effects]
    return "\n".join([f"{step.line}: {by}: {step.action.do}", *told])


def stands(step: Step) -> str:
    """Where the game stands, in words and as a table of its state."""
    answer, players = step.answer(), step.header.players
    names = [players[who] if isinstance(who, int) else "the table" for who in answer["to_act"]]
    now = "The game is over." if answer["over"] else f"Now to act: {', '.join(names)}."
    places = [" and ".join(players[seat] for seat in place) for place in answer["ranking"]]
    return "\n".join(
        [
            f"{answer['game']} after line {step.line}. {now}",
            *_table(answer["state"]),
            "Scores as they stand:",
            *(
                f"  {players[score['seat']]}: {score['total']} ({_inline(score['parts'])})"
                for score in answer["scores"]
            ),
            f"Places: {'; '.join(f'{i}. {names}' for i, names in enumerate(places, start=1))}",
        ]
    )


def refusal(error: BadLine, step: Step | None) -> str:
    """Which line will not do, why, the rule behind it, and what to do."""
    lines = [f"Line {error.line} is {'malformed' if error.ruling is None else 'illegal'}: {error.message}"]
    if error.ruling is not None and step is not None:
        rule = step.game.rulebook.texts("en").rules[error.ruling.rule]
        lines.append(f"Rule {rule.id} ({rule.book}, {rule.heading}): {rule.text}")
    lines.append(f"What to do: correct line {error.line} of the record, or cut the record before it, and replay again.")
    return "\n".join(lines)


def _table(state: Data) -> Iterable[str]:
    """A state's fields, lists of objects one a line."""
    for name, value in state.items():
        if isinstance(value, list) and any(isinstance(v, dict | list) for v in value):
            yield f"  {name}:"
            yield from (f"    {i}: {_inline(v)}" for i, v in enumerate(value))
        else:
            yield f"  {name}: {_inline(value)}"


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_inline(v)}" for name, v in value.items()) or "nothing"
    if isinstance(value, list):
        return ", ".join(map(_inline, value)) or "nothing"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "yes", False: "no"}[value]
    return str(value)
