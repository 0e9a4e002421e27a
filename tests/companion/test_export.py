"""An exported game: complete, readable without any program, and silent about what nobody may know yet."""

import hashlib
import html.parser
import importlib.util
import json
import random
import re
import zipfile

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.evidence import Evidence
from companion.export import Album, account, write
from companion.games.game import Malformed, games
from companion.games.record import last
from companion.log import Log
from companion.seal import canonical
from companion.verifier import verify
from tests.companion.games import Evening, table_with_witness
from tests.companion.tables import ROWS

AT_TABLES = [name for name, game in games().items() if importlib.util.find_spec(f"{game.folder}.table")]


def exported(folder, out="out.zip", number=None, **more):
    """What `companion export` would write of the table in this folder."""
    with Log(folder / "companion.db", "oak", read_only=True) as log:
        write(folder / out, account(log.entries(), number), Album(Evidence(folder / "evidence")), **more)
    return folder / out


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def everything(path):
    """All bytes that the file holds, packed and unpacked."""
    return path.read_bytes() + b"\n".join((name.encode() + data) for name, data in contents(path).items())


class Page(html.parser.HTMLParser):
    """What a page points to, and whether what it opens it closes."""

    EMPTY = frozenset({"meta", "img", "br", "link"})

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.words = [], [], [], set(), []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open += [] if tag in self.EMPTY else [tag]
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[name] for name in ("href", "src") if name in found]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_a_finished_game_is_told_whole_and_holds_what_checks_it(whole_game):
    folder, scores = whole_game
    path = exported(folder)
    files = contents(path)
    step = last(files["record.jsonl"].splitlines(keepends=True))
    assert (step.answer()["over"], step.answer()["scores"]) == (True, scores)
    assert step.header.players == ("Hedwig", "Christian", "Angelika")
    report = verify(path)
    assert report.ok, report.problems
    assert (report.facts["scores"], report.facts["withheld"]) == (scores, 0)
    assert report.complete


def test_the_chain_in_it_is_what_the_hashes_cover(whole_game):
    folder, _ = whole_game
    lines = [json.loads(line) for line in contents(exported(folder))["chain.jsonl"].splitlines()]
    with Log(folder / "companion.db", "oak", read_only=True) as log:
        entries = list(log.entries())
    assert [line["hash"] for line in lines] == [entry.hash for entry in entries]
    assert [(line["body"], line["sealed"], line["at"]) for line in lines] == [(e.text, e.sealed, e.at) for e in entries]


def test_every_language_has_a_page_that_needs_no_program(whole_game):
    folder, _ = whole_game
    files = contents(exported(folder, lang="de"))
    pages = {name: Page(text.decode()) for name, text in files.items() if name.endswith(".html")}
    assert sorted(pages) == ["index.en.html", "index.html", "index.nl.html"]
    told = {name: " ".join(page.words) for name, page in pages.items()}
    assert "Das Spiel ist zu Ende" in told["index.html"]
    assert "Het spel is afgelopen" in told["index.nl.html"]
    assert "heads" in told["index.en.html"]
    assert "Köpfe" in told["index.html"]
    assert "heads" not in told["index.html"]
    for page in pages.values():
        assert "script" not in page.tags
        assert len(set(page.ids)) == len(page.ids)
        for link in page.links:
            assert link in files or link.removeprefix("#") in page.ids, link


def test_pictures_are_told_with_what_was_recognised_in_them(whole_game):
    folder, _ = whole_game
    page = Page(contents(exported(folder))["index.html"].decode())
    assert {"img", "svg", "polygon", "circle"} <= page.tags
    assert "goal red" in page.words


def test_the_same_game_makes_the_same_file(whole_game):
    folder, _ = whole_game
    assert exported(folder, "one.zip").read_bytes() == exported(folder, "two.zip").read_bytes()


def test_a_dispute_is_told_with_its_surroundings_only(whole_game):
    folder, _ = whole_game
    with Log(folder / "companion.db", "oak", read_only=True) as log:
        acts = [entry.seq for entry in log.entries() if entry.kind == "act"]
    path = exported(folder, "dispute.zip", entry=acts[20])
    page = Page(contents(path)["index.html"].decode())
    assert [int(name[1:]) for name in page.ids if re.fullmatch(r"e\d+", name)] == acts[17:24]
    assert len(contents(path)) < len(contents(exported(folder)))
    report = verify(path)
    assert report.ok, report.problems
    assert not report.complete
    assert report.facts["pictures"] < report.facts["pictures_named"]
    assert any("no part of this file" in note for note in report.notes)
    with pytest.raises(Malformed, match="no action"):
        exported(folder, "none.zip", entry=1)


def test_a_picture_that_had_to_go_is_no_error(whole_game, tmp_path):
    folder, _ = whole_game
    full = Album(Evidence(folder / "evidence"))
    with Log(folder / "companion.db", "oak", read_only=True) as log:
        game = account(log.entries())
    full.collect(game, game.told)
    evidence = Evidence(tmp_path / "evidence")
    for data in full.files.values():
        evidence.put("oak-1", data)
    evidence.put("oak-2", b"newer")
    evidence.prune(0)
    write(tmp_path / "out.zip", game, Album(evidence))
    page = " ".join(Page(contents(tmp_path / "out.zip")["index.html"].decode()).words)
    assert "deleted to stay within the budget" in page
    report = verify(tmp_path / "out.zip")
    assert report.ok, report.problems
    assert any("budget" in note for note in report.notes)


@pytest.mark.parametrize("damage", ["missing", "changed"])
def test_a_picture_that_is_gone_or_changed_is_told_and_found(whole_game, tmp_path, damage):
    folder, _ = whole_game
    with Log(folder / "companion.db", "oak", read_only=True) as log:
        game = account(log.entries())
    full = Album(Evidence(folder / "evidence"))
    full.collect(game, game.told)
    evidence = Evidence(tmp_path / "evidence")
    marks = [evidence.put("oak-1", data) for data in full.files.values()]
    victim = next(path for path in (tmp_path / "evidence").rglob(game.told[0].played.pictures["whole"]))
    victim.unlink() if damage == "missing" else victim.write_bytes(b"another")
    write(tmp_path / "out.zip", game, Album(evidence))
    problems = verify(tmp_path / "out.zip").problems
    assert [(p.check, p.entry) for p in problems] == [("pictures", game.told[0].entry.seq)]
    assert "evidence" in problems[0].message
    assert len(marks) > 3


def test_names_are_only_names(tmp_path):
    table = table_with_witness(tmp_path)
    for name in ("<script>x</script>", "&amp;"):
        token = table.sit(None, name)
    table.begin(token)
    table.act(token, {"do": "lay_conditions", "rows": ROWS}, "en")
    table.close()
    page = Page(contents(exported(tmp_path))["index.html"].decode())
    assert "script" not in page.tags
    assert "<script>x</script>" in " ".join(page.words)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", AT_TABLES)
def test_games_with_secrets_of_any_kind_can_be_checked_when_they_are_over(tmp_path, name):
    table = table_with_witness(tmp_path, name)
    Evening.begin(table, 3, seed=4).play(2000)
    assert table.evening.over
    table.close()
    report = verify(exported(tmp_path))
    assert report.ok, report.problems


def test_what_was_taken_back_stays_in_the_story(tmp_path):
    table = table_with_witness(tmp_path)
    evening = Evening.begin(table, 3)
    evening.play(4)
    back = len(table.evening.played) - 1
    taken = list(table._log.entries())[-1].seq
    table._write(("rewind", {"to": back}))
    evening.play()
    table.close()
    path = exported(tmp_path)
    assert verify(path).ok, verify(path).problems
    page = Page(contents(path)["index.html"].decode())
    assert f"e{taken}" in page.ids
    assert f"Taken back by entry {taken + 1}." in page.words


def test_a_table_with_several_games_tells_each(tmp_path):
    table = table_with_witness(tmp_path)
    evening = Evening.begin(table, 2)
    evening.play()
    table.again(evening.tokens[0])
    table.begin(evening.tokens[0])
    evening.play(5)
    table.close()
    first, second = exported(tmp_path, "1.zip", number=1), exported(tmp_path, "2.zip")
    assert verify(first).ok, verify(first).problems
    assert verify(second).ok, verify(second).problems
    assert (verify(first).facts["finished"], verify(second).facts["finished"]) == (True, False)
    with pytest.raises(Malformed, match="games 1 to 2"):
        exported(tmp_path, number=3)


def test_a_table_without_a_game_says_so(tmp_path):
    table_with_witness(tmp_path).close()
    with pytest.raises(Malformed, match="no game yet"):
        exported(tmp_path)


# --- a game that is still being played -----------------------------------------------------------------------------


def secrets_of(table, evening):
    """All that must not be in an export: bids and what was set aside, salts, tokens, ciphertexts."""
    found = [*evening.tokens, *evening.salts]
    found += [seal.salt.hex() for seal in table.evening.seals.values()]
    found += [entry.sealed for entry in table._log.entries() if entry.sealed]
    found += [canonical(dict(seal.arguments)) for seal in table.evening.seals.values()]
    return [text.encode() for text in found]


@pytest.mark.parametrize("steps", [2, 3, 4, 6])
@pytest.mark.parametrize("players", [2, 3])
def test_an_export_of_a_running_game_holds_no_secret(tmp_path, players, steps):
    table = table_with_witness(tmp_path)
    evening = Evening.begin(table, players, seed=steps, camera=True)
    evening.play(steps)
    while not table.evening.secret_deed():
        evening.play(1)
    for seat in table.evening.to_seal()[:-1]:
        evening.seal(seat)
        evening.seal(seat)  # changed its mind
    path = exported(tmp_path)
    told = everything(path)
    for secret in secrets_of(table, evening):
        assert secret not in told
    assert "secrets.jsonl" not in contents(path)
    report = verify(path)
    assert report.ok, report.problems
    table.close()


def test_nobody_learns_from_an_export_who_has_sealed_or_how_often(tmp_path):
    table = table_with_witness(tmp_path)
    evening = Evening.begin(table, 3)
    evening.play(2)
    before = exported(tmp_path, "before.zip").read_bytes()
    evening.seal(0)
    evening.seal(0)
    evening.seal(1)
    assert exported(tmp_path, "after.zip").read_bytes() == before
    table.close()


def test_bids_of_earlier_exchanges_are_a_matter_of_memory(tmp_path):
    table = table_with_witness(tmp_path)
    evening = Evening.begin(table, 3, camera=True)
    evening.play(2)
    for seat, beads in enumerate(({"green": 3, "blue": 1}, {"red": 2, "yellow": 2}, {"red": 1, "blue": 2})):
        evening.seal(seat, beads=beads)
    evening.look()
    lines = [json.loads(line) for line in contents(exported(tmp_path))["chain.jsonl"].splitlines()]
    assert sum('"bid"' in line.get("body", "") for line in lines) == 3  # they lie open now
    pictures = [name for name in contents(exported(tmp_path)) if name.startswith("pictures/")]
    assert pictures
    while table.evening.secret_deed() is None:
        evening.play(1)
    evening.seal(0)
    files = contents(exported(tmp_path))
    assert b'\\"bid\\"' not in files["chain.jsonl"]
    assert b'"bid"' not in files["record.jsonl"]
    assert b"bids 3 green" not in files["index.html"]
    assert [name for name in files if name.startswith("pictures/")] == []
    assert verify(exported(tmp_path)).ok
    table.close()


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_commands_export_and_verify(whole_game, tmp_path):
    folder, scores = whole_game
    out = tmp_path / "evening.zip"
    done = CliRunner().invoke(main, ["export", str(out), "--data", str(folder), "--table", "oak"])
    assert done.exit_code == 0, done.output
    head = json.loads(contents(out)["export.json"])["head"]
    assert head in done.output
    assert hashlib.sha256(contents(out)["export.json"]).hexdigest() in done.output
    checked = CliRunner().invoke(main, ["verify", str(out), "--head", head[:12], "--json"])
    assert checked.exit_code == 0
    assert json.loads(checked.output)["scores"] == scores
    told = CliRunner().invoke(main, ["verify", str(out)])
    assert "Right:" in told.output
    replayed = tmp_path / "record.jsonl"
    replayed.write_bytes(contents(out)["record.jsonl"])
    again = CliRunner().invoke(main, ["replay", str(replayed), "--json"])
    assert json.loads(again.output)["scores"] == scores


def test_export_says_what_to_do_when_there_is_nothing(tmp_path):
    done = CliRunner().invoke(main, ["export", str(tmp_path / "x.zip"), "--data", str(tmp_path)])
    assert done.exit_code == 1
    assert "no database" in done.output
    assert not (tmp_path / "x.zip").exists()
    assert not (tmp_path / "companion.db").exists()


# --- what people settle among themselves -----------------------------------------------------------------------------


def corrected(folder):
    """A game of Rapa Nui in which people agree that another display was laid; the table, and the proposal's entry."""
    table = table_with_witness(folder, "rapa-nui")
    evening = Evening.begin(table, 3)
    evening.play(2)
    before = table.evening.played[1].before
    other = table.evening.game.dealer(random.Random(9)).act(before).data()
    assert table.propose(evening.tokens[0], 1, other, "en") == {"proposed": True}
    table.vote(evening.tokens[1], table.evening.proposal.id, True)
    assert table.evening.played[1].action.data() == other
    evening.dealer = None
    return table, evening, next(e for e in table._log.entries() if e.kind == "propose")


@pytest.mark.skipif("rapa-nui" not in AT_TABLES, reason="Rapa Nui does not lie on a table yet")
def test_what_was_proposed_and_voted_is_told_and_can_be_checked(tmp_path):
    table, evening, proposal = corrected(tmp_path)
    running = contents(exported(tmp_path, "running.zip"))
    line = json.loads(running["chain.jsonl"].splitlines()[proposal.seq - 1])
    assert set(line) == {"seq", "hash"}  # what a display held is a matter of memory
    assert verify(tmp_path / "running.zip").ok
    evening.play(2000)
    assert table.evening.over
    table.close()
    path = exported(tmp_path)
    assert verify(path).ok, verify(path).problems
    words = Page(contents(path)["index.html"].decode()).words
    assert any(word.startswith("Hedwig: entry") for word in words)
    assert "Christian is for taking it back." in words
    dispute = contents(exported(tmp_path, "dispute.zip", entry=proposal.seq - 1))
    assert f"e{proposal.seq}" in Page(dispute["index.html"].decode()).ids
    assert proposal.seq in {json.loads(row)["seq"] for row in contents(path)["secrets.jsonl"].splitlines()}


@pytest.mark.skipif("rapa-nui" not in AT_TABLES, reason="Rapa Nui does not lie on a table yet")
def test_a_proposal_changed_afterwards_is_noticed(tmp_path):
    table, evening, proposal = corrected(tmp_path)
    evening.play(2000)
    table.close()
    files = contents(exported(tmp_path))
    rows = [json.loads(row) for row in files["secrets.jsonl"].splitlines()]
    row = next(row for row in rows if row["seq"] == proposal.seq)
    row["secret"]["action"]["columns"].reverse()
    files["secrets.jsonl"] = "".join(f"{canonical(row)}\n" for row in rows).encode()
    with zipfile.ZipFile(tmp_path / "changed.zip", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    problems = verify(tmp_path / "changed.zip").problems
    assert [p.check for p in problems] == ["sealed", "votes", "file"]
    assert problems[0].entry == proposal.seq
    assert "not what was voted for" in problems[1].message
