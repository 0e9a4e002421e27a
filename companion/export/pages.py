"""A game's account as pages that any browser shows, one a language: no program, no network, no script."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined

from companion import dispute
from companion.export.account import Account, Told
from companion.export.album import Album, marks_of
from companion.games.game import TABLE, Note
from companion.games.record import dump_line
from companion.games.rulebook import LANGUAGES, Listed, Texts
from companion.log import Entry
from companion.sentences import texts

ROWS: Final = 24  #: things whose middles are less apart than this share of the picture's height lie in one row
CAUSES: Final = frozenset({"camera", "phone", "opening", "answer"})
Page = dict[str, Any]  #: what the template is filled with


def pages(account: Account, shown: Sequence[Told], album: Album, first: str, part: int | None = None) -> dict[str, str]:
    """The pages by file name; that in the language `first` is `index.html`. `part`: the entry this is all about."""
    names = {lang: "index.html" if lang == first else f"index.{lang}.html" for lang in LANGUAGES}
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(_read("page.html"))
    links = [{"lang": lang, "file": names[lang], "name": words(lang)["language"]} for lang in LANGUAGES]
    return {
        names[lang]: template.render(languages=links, **_Teller(account, album, lang).page(shown, part))
        for lang in LANGUAGES
    }


@cache
def words(lang: str) -> Mapping[str, str]:
    """The pages' own words in a language."""
    return tomllib.loads(_read(f"texts.{lang}.toml"))


def _read(name: str) -> str:
    return files("companion.export").joinpath(name).read_text("utf-8")


class _Teller:
    """Tells an account in one language."""

    def __init__(self, account: Account, album: Album, lang: str) -> None:
        self._account = account
        self._album = album
        self._lang = lang
        self._words = words(lang)
        self._said: Texts = texts(lang, account.game.name)
        self._players = account.evening.players

    def page(self, shown: Sequence[Told], part: int | None) -> Page:
        account, text = self._account, self._words
        items = [*map(self._told, shown), *map(self._noted, account.disputes(shown))]
        told = sorted(items, key=lambda item: int(item["seq"]))
        game = self._said.words.get("title", account.game.name.replace("-", " ").title())
        return {
            "lang": self._lang,
            "text": text,
            "title": text["title"].format(game=game),
            "at_table": text["at_table"].format(
                table=account.table, number=account.number, players=Listed(tuple(self._players))
            ),
            "finished": text["finished" if account.finished else "running"],
            "part": "" if part is None else text["part"].format(seq=part),
            "results": self._results(),
            "results_title": text["result" if account.finished else "standing"],
            "ranked": account.finished,
            "told": told,
            "rules": self._rules(told),
            "check_text": text["check_text"].format(head=account.head),
            "head": account.head,
        }

    def _results(self) -> list[Page]:
        game, state = self._account.game, self._account.evening.state
        if not (self._account.finished or game.open_scores):
            return []
        scores = {score.seat: score for score in game.scores(state)}
        order = game.ranking(state) if self._account.finished else [tuple(scores)]
        rows: list[Page] = []
        for group in order:
            place = len(rows) + 1
            rows += [self._result(place, scores[seat].total, scores[seat].parts, seat) for seat in group]
        return rows

    def _result(self, place: int, points: int, parts: Mapping[str, int], seat: int) -> Page:
        told = ", ".join(f"{self._said.words.get(f'part_{name}', name)} {count}" for name, count in parts.items())
        return {"place": place, "name": self._players[seat], "points": points, "parts": told}

    def _told(self, one: Told) -> Page:
        evening, played, text = self._account.evening, one.played, self._words
        ruling = dispute.judgement(evening, played, None, self._said, self._lang)
        by = played.action.by
        who = text["table"] if by == TABLE else self._players[int(by)]
        cause = played.cause if played.cause in CAUSES else "other"
        pictures = [
            self._picture(text["before"], one.pictures.get("before"), ()),
            self._picture(text["after"], after := one.pictures.get("after"), list(marks_of(after))[2:]),
        ]
        return {
            **self._item(one.entry, f"{who}: {dispute.action_text(evening, played, None, self._said)}"),
            "cause": text[f"cause_{cause}"],
            "note": text["rewound"].format(seq=one.rewound_by) if one.rewound_by else "",
            "rewound": one.rewound_by is not None,
            "line": dump_line(played.action.data()) if one.open else "",
            "because": ruling["because"] if ruling else "" if one.open else text["hidden"],
            "rule": ruling["rule"] if ruling else "",
            "effects": [{"text": self._tell(effect.note), "rule": effect.rule} for effect in one.effects],
            "pictures": [picture for picture in pictures if picture],
        }

    def _noted(self, entry: Entry) -> Page:
        """What people did about an action of the past: a proposal, a vote, what came of it."""
        body, text = entry.body, self._words
        who = self._players[body["by"]] if body.get("by") is not None else text["table"]
        match entry.kind:
            case "propose":
                said = text["proposes"].format(who=who, seq=self._account.acts[body["number"]].seq)
                action = entry.secret["action"] if entry.sealed else body["action"]
                hidden = entry.seq in self._account.withheld
                note = text["hidden"] if hidden else dump_line(action) if action else text["proposes_nothing"]
            case "vote":
                said, note = text["votes_back" if body["rewind"] else "votes_keep"].format(who=who), ""
            case "keep":
                said, note = text["withdrawn" if body["withdrawn"] else "kept"], ""
            case _:
                said, note = text["rewinds"], text["came_to_light"] if body.get("seen") else ""
        return {
            **self._item(entry, said), "cause": "", "note": note, "rewound": False, "line": "", "because": "",
            "rule": "", "effects": [], "pictures": [],
        }  # fmt: skip

    def _item(self, entry: Entry, said: str) -> Page:
        return {"seq": entry.seq, "time": f"{entry.at[:10]} {entry.at[11:19]} UTC", "said": said}

    def _tell(self, note: Note) -> str:
        return self._said.tell(note, self._players)

    def _picture(self, title: str, pictures: Mapping[str, Any] | None, crops: Iterable[str]) -> Page | None:
        if pictures is None:
            return None
        mark = pictures["whole"]
        there = mark in self._album.files
        drawn = self._album.drawn(pictures["marks"])
        return {
            "title": title,
            "hash": mark,
            "file": picture_file(mark) if there else "",
            "absent": "" if there else self._words[self._album.absent[mark]],
            "marks": self._marks(drawn) if drawn else None,
            "crops": [picture_file(crop) for crop in crops if crop in self._album.files],
        }

    def _marks(self, drawn: Mapping[str, Any]) -> Page:
        """What was recognised: shapes to draw, and how many things there are of each sort."""
        cards = sorted(drawn["components"], key=lambda one: _reading_order(one["corners"], drawn["size"]))
        sure = [(self._name(one["name"]), one, False) for one in (*cards, *drawn["things"])]
        doubts = [
            (f"{' / '.join(map(self._name, one['names']))} ({self._words['unsure']})", one, True)
            for one in drawn["unsure"]
        ]
        counts = Counter(self._name(one["name"]) for one in drawn["things"])
        return {
            "size": drawn["size"],
            "shapes": [_shape(name, one, unsure) for name, one, unsure in (*sure, *doubts)],
            "counts": ", ".join(f"{count} {name}" for name, count in sorted(counts.items())),
        }

    def _name(self, name: str) -> str:
        return " ".join(self._said.words.get(word, word) for word in name.replace("-", " ").split())

    def _rules(self, told: Sequence[Page]) -> list[Page]:
        cited = {one["rule"] for one in told} | {effect["rule"] for one in told for effect in one["effects"]}
        return [
            {"id": rule.id, "book": rule.book, "heading": rule.heading, "text": rule.text, "note": rule.note}
            for rule in self._said.rules.values()
            if rule.id in cited
        ]


def _reading_order(corners: Sequence[Sequence[float]], size: Sequence[int]) -> tuple[int, float]:
    """Row by row from the top, as far as things lie in rows."""
    return round(ROWS * sum(y for _, y in corners) / 4 / size[1]), corners[0][0]


def picture_file(mark: str) -> str:
    """Where a picture lies in the export."""
    return f"pictures/{mark}.jpg"


def _shape(name: str, one: Mapping[str, Any], unsure: bool) -> Page:
    """A mark as the template draws it: a polygon about its middle, or a ring."""
    if "corners" in one:
        corners = one["corners"]
        x, y = (round(sum(point[i] for point in corners) / len(corners), 1) for i in (0, 1))
        points = " ".join(f"{px},{py}" for px, py in corners)
        return {"name": name, "points": points, "x": x, "y": y, "radius": 0, "unsure": unsure}
    x, y = one["at"]
    return {"name": name, "points": "", "x": x, "y": y, "radius": one["radius"], "unsure": unsure}
