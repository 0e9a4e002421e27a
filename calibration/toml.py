"""Small TOML files that people may read and change by hand: numbers, texts, lists, and tables of these."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


class Unreadable(ValueError):
    """A calibration file that says nothing usable; the message names the file and what to do."""


def read(path: Path) -> dict[str, Any]:
    """What the file says. Raises Unreadable."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as e:
        raise Unreadable(f"{path} does not exist: calibrate first (companion calibrate --help)") from e
    except (OSError, ValueError) as e:
        raise Unreadable(f"{path} cannot be read ({e}): mend it, or calibrate again") from e


def write(path: Path, said: str, values: Mapping[str, Any]) -> None:
    """Write `values` under the comment `said`, all at once: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = {k: v for k, v in values.items() if not _is_table(v)}
    lines = [f"# {line}" for line in said.splitlines()]
    lines += [f"{key} = {_value(v)}" for key, v in plain.items() if v is not None]
    for key, tables in values.items():
        for table in tables if _is_table(tables) else ():
            lines += ["", f"[[{key}]]", *(f"{k} = {_value(v)}" for k, v in table.items() if v is not None)]
    new = path.with_suffix(path.suffix + ".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(path)


def finite(value: Any) -> float:
    """The number that a file says. Raises TypeError, and ValueError for nan and inf, which TOML has."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{number} is no number to work with")
    return number


def _is_table(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and any(isinstance(v, Mapping) for v in value)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON's escapes are TOML's too
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no number to keep")
        return repr(round(value, 9))
    return "[" + ", ".join(_value(v) for v in value) + "]"
