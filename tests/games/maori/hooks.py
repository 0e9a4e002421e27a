"""What the conformance suite must know of Maori: its options. Everything lies open, so nobody has a twin."""

from __future__ import annotations

from typing import Any

SMALL: dict[str, Any] = {
    "catalogue": {
        **{f"lone-{n}": {"palms": n % 3, "shells": n % 2} for n in range(8)},
        **{f"end-{side}": {"open": side, "palms": 1, "wreath": side} for side in "NESW"},
        "bend": {"open": "NE", "palms": 2, "huts": 1},
        **{f"sea-{n}": {"boats": n % 3} for n in range(6)},
        "volcano": {"volcano": True},
    },
    "board": {"rows": 2, "columns": 3, "printed": [{"field": [1, 0], "open": "N", "boats": 1, "huts": 1}]},
}
OPTIONS: list[dict[str, Any]] = [SMALL]  #: twenty tiles, so that the pile runs out and the display has gaps
