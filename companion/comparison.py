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
        then, now = ([self._plain(entry) for entry in side] for side in (recorded, replayed))
        keys = [[json.dumps(_without_marks(each), sort_keys=True) for each in side] for side in (then, now)]
        told = 0
        for a, b, c, d in _pairs(SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes()):
            if not self._same_entries(then[a:b], now[c:d]) and told < MOST:
                told += 1
                yield Difference(a + 1, tuple(then[a:b]), tuple(now[c:d]))

    def _plain(self, entry: Entry) -> Written:
        """An entry without what is never twice the same."""
        body = {key: value for key, value in entry["body"].items() if key not in CHANGING}
        secret = {key: value for key, value in (entry["secret"] or {}).items() if key not in CHANGING}
        if body.get("pictures") and not self.same_encoder:
            pictures = body["pictures"]
            crops = [{**crop, "jpeg": bool(crop["jpeg"])} for crop in pictures["crops"]]
            body["pictures"] = {**pictures, "whole": bool(pictures["whole"]), "crops": crops}
        return entry["kind"], {**body, **({"secret": secret} if secret else {})}

    def _same_entries(self, then: list[Written], now: list[Written]) -> bool:
        """Whether these parts of the logs are the same, with what was recognised in the pictures that they name."""
        if [_without_marks(each) for each in then] != [_without_marks(each) for each in now]:
            return False
        return all(self._same_marks(*map(_marks, pair)) for pair in zip(then, now, strict=True))

    def _same_marks(self, then: str | None, now: str | None) -> bool:
        """Whether what the tape holds under one hash is like what the replay kept under the other."""
        if then is None or now is None:
            return then is now
        says = self.recorded.get(then)
        if says is None or hashlib.sha256(says.encode()).hexdigest() != then:
            return False  # the recording holds nothing that has this hash
        kept = self.replayed(now)
        return then == now or (kept is not None and _alike(says, kept.decode()))


def _pairs(opcodes: Iterable[tuple[str, int, int, int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """The parts of two lists that belong together: what is equal entry by entry, what is not as a whole."""
    for kind, a, b, c, d in opcodes:
        if kind == "equal":
            yield from ((a + k, a + k + 1, c + k, c + k + 1) for k in range(b - a))
        else:
            yield a, b, c, d


def _marks(entry: Written) -> str | None:
    """The hash of what was recognised in the pictures that this entry names, if it names any."""
    pictures = entry[1].get("pictures")
    return pictures["marks"] if pictures else None


def _without_marks(entry: Written) -> Written:
    kind, says = entry
    return (kind, {**says, "pictures": {**says["pictures"], "marks": True}}) if says.get("pictures") else entry


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
