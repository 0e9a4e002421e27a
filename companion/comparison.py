"""Two logs of the same evening held against each other: the one that was recorded, and the one of the replay.

Pictures are compared by their hashes: frames, plane and crops are the same each time, so their bytes are, too. Another
encoder may write the same picture in other bytes: a recording that was made with one is only held to have pictures
where it had them, with details of the same places. What was recognised in a picture is compared by the marks that the
recording keeps, and holds alike what lies within a few pixels: eyes that are a little better are no other evening.
Doubts in the marks are not compared.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

CHANGING: Final = ("token_hash", "salt", "binding")  #: never twice the same
MOST: Final = 20  #: differences told
NEAR_PX: Final = 4.0  #: marks of the same thing are not farther apart
Written = tuple[str, Any]  #: an entry's kind, and what it says
Entry = Mapping[str, Any]  #: as on a tape: "kind", "body", "secret"
Marks = Callable[[str], bytes | None]  #: what was kept under a hash


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the two logs part: numbers of the first entry in each, and what stands there."""

    entry: int
    recorded: tuple[Written, ...]
    replayed: tuple[Written, ...]

    def data(self) -> dict[str, Any]:
        recorded, replayed = (
            [{"kind": k, "says": says} for k, says in side] for side in (self.recorded, self.replayed)
        )
        return {"entry": self.entry, "recorded": recorded, "replayed": replayed}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two logs are compared.

    `recorded` are the marks that the tape holds by their hashes, `replayed` finds those of the replay; `same_encoder`:
    whether both logs' pictures were made by the same encoder.
    """

    recorded: Mapping[str, str]
    replayed: Marks
    same_encoder: bool = True

    def differences(self, recorded: Iterable[Entry], replayed: Iterable[Entry]) -> Iterator[Difference]:
        """Where the logs part, the first places."""
        a_side = [self._plain(entry, self._recorded_marks) for entry in recorded]
        b_side = [self._plain(entry, self._replayed_marks) for entry in replayed]
        then, now = ([json.dumps(each, sort_keys=True) for each in side] for side in (a_side, b_side))
        told = 0
        for kind, a, b, c, d in SequenceMatcher(None, then, now, autojunk=False).get_opcodes():
            if kind != "equal" and told < MOST:
                told += 1
                yield Difference(a + 1, tuple(a_side[a:b]), tuple(b_side[c:d]))

    def _plain(self, entry: Entry, marks: Callable[[str], str]) -> Written:
        """An entry without what is never twice the same, with one name for marks that are alike."""
        body = {key: value for key, value in entry["body"].items() if key not in CHANGING}
        secret = {key: value for key, value in (entry["secret"] or {}).items() if key not in CHANGING}
        if body.get("pictures"):
            body["pictures"] = self._pictures(body["pictures"], marks)
        return entry["kind"], {**body, **({"secret": secret} if secret else {})}

    def _pictures(self, pictures: Mapping[str, Any], marks: Callable[[str], str]) -> Mapping[str, Any]:
        found = {**pictures, "marks": marks(pictures["marks"])}
        if not self.same_encoder:
            found["whole"] = bool(pictures["whole"])
            found["crops"] = [{**crop, "jpeg": bool(crop["jpeg"])} for crop in pictures["crops"]]
        return found

    def _recorded_marks(self, mark: str) -> str:
        """The hash, if the tape holds what has it; else a name that no other marks have."""
        says = self.recorded.get(mark)
        if says is None or hashlib.sha256(says.encode()).hexdigest() != mark:
            return f"{mark}, and the recording holds nothing that has this hash"
        return mark

    def _replayed_marks(self, mark: str) -> str:
        """The hash of recorded marks that are alike, if there are any; else its own."""
        if mark in self.recorded:
            return mark
        kept = self.replayed(mark)
        alike = (other for other, says in self.recorded.items() if kept is not None and _alike(says, kept.decode()))
        return next(alike, mark)


def _alike(one: str, other: str) -> bool:
    """Whether two lists of marks (JSON) name the same things at the same places of the picture."""
    try:
        a, b = json.loads(one), json.loads(other)
        return bool(a["size"] == b["size"]) and all(_same(a[sort], b[sort]) for sort in ("components", "things"))
    except (ValueError, KeyError, TypeError):
        return False


def _same(ones: list[Any], others: list[Any]) -> bool:
    """Whether each of these things is also among the others, and no other one is."""
    left = list(others)
    for one in ones:
        found = next((other for other in left if _near(one, other)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _near(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    places = [thing["corners"] if "corners" in thing else [thing["at"]] for thing in (one, other)]
    return (
        one["name"] == other["name"]
        and len(places[0]) == len(places[1])
        and all(math.dist(a, b) <= NEAR_PX for a, b in zip(*places, strict=True))
    )
