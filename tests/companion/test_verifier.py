"""Whatever is changed in an export is noticed, and said where; whatever is thrown at the verifier gets an answer."""

import ast
import hashlib
import io
import json
import random
import re
import sys
import zipfile
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import companion.verifier
from companion.cli import main
from companion.evidence import Evidence
from companion.export import Album, account, write
from companion.log import Log
from companion.seal import canonical, commitment
from companion.verifier import verify
from companion.verifier.chain import digest
from tests.companion.games import Evening, table_with_witness

PLAYERS = 2  # they set beads aside, which nobody is told before the end


@cache
def files():
    """A finished game's export, file by file."""
    folder = Path(mkdtemp())
    table = table_with_witness(folder)
    evening = Evening.begin(table, PLAYERS, camera=True)
    evening.play(4)
    while not table.evening.secret_deed():
        evening.play(1)
    evening.seal(0)  # and changes its mind
    evening.watcher = None
    evening.play()
    table.close()
    with Log(folder / "companion.db", "oak", read_only=True) as log:
        write(folder / "out.zip", account(log.entries()), Album(Evidence(folder / "evidence")))
    with zipfile.ZipFile(folder / "out.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def checked(changed, head=None):
    """What the verifier finds in an export with these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in changed.items():
            archive.writestr(name, data)
    return verify(out, head)


def rows(name):
    return [json.loads(line) for line in files()[name].splitlines()]


def with_rows(name, changed):
    return {**files(), name: "".join(f"{canonical(row)}\n" for row in changed).encode()}


def forged(change):
    """An export whose log was changed and chained anew from beginning to end."""
    entries = rows("chain.jsonl")
    change(entries)
    previous = "0" * 64
    for entry in entries:
        entry["previous"] = previous
        entry["hash"] = previous = digest(entry)
    return relisted(with_rows("chain.jsonl", entries), head=previous)


def relisted(changed, **told):
    """These files with a list of files that agrees with them, and what else `export.json` is to say."""
    about = {**rows("export.json")[0], **told}
    about["files"] = {
        name: hashlib.sha256(data).hexdigest()
        for name, data in changed.items()
        if name != "export.json" and not name.startswith("pictures/")
    }
    return {**changed, "export.json": f"{canonical(about)}\n".encode()}


def said(report):
    return [(problem.check, problem.entry) for problem in report.problems]


def test_what_was_not_changed_is_right():
    report = checked(files(), rows("export.json")[0]["head"])
    assert report.ok, report.problems
    assert report.complete
    (note,) = report.notes  # what nobody can prove
    assert "What the pages tell is not proved" in note
    assert hashlib.sha256(files()["export.json"]).hexdigest() in note


@settings(max_examples=40, deadline=None)
@given(where=st.integers(0, 10**9), what=st.integers(1, 255))
def test_any_changed_byte_of_the_chain_is_noticed(where, what):
    data = bytearray(files()["chain.jsonl"])
    where %= len(data)
    line = data[:where].count(b"\n") + 1
    data[where] ^= what
    report = checked({**files(), "chain.jsonl": bytes(data)})
    assert not report.ok
    assert (report.problems[0].check, report.problems[0].entry) == ("chain", line)


@pytest.mark.parametrize("other", [b"crop5", b"whol3", b"mark5"])
def test_an_entry_that_does_not_name_its_pictures_is_noticed(other):
    """One changed letter of a name in the log, by which its pictures cannot be found any more."""
    name = {b"c": b"crops", b"w": b"whole", b"m": b"marks"}[other[:1]]
    data = files()["chain.jsonl"]
    assert name in data
    report = checked({**files(), "chain.jsonl": data.replace(name, other)})
    assert report.problems[0].check == "chain"
    assert "does not say which pictures belong to it" in report.problems[-1].message


@settings(max_examples=40, deadline=None)
@given(which=st.integers(0, 10**9), where=st.integers(0, 10**9), what=st.integers(1, 255))
def test_any_changed_byte_of_a_picture_is_noticed(which, where, what):
    names = sorted(name for name in files() if name.startswith("pictures/"))
    name = names[which % len(names)]
    data = bytearray(files()[name])
    data[where % len(data)] ^= what
    report = checked({**files(), name: bytes(data)})
    assert [(p.check, p.file) for p in report.problems] == [("pictures", name)]
    assert name[9:73] in rows("chain.jsonl")[report.problems[0].entry - 1]["body"]


@settings(max_examples=40, deadline=None)
@example(where=265, what=32)  # another spelling of the same salt
@given(where=st.integers(0, 10**9), what=st.integers(1, 255))
def test_any_changed_byte_of_what_was_sealed_is_noticed(where, what):
    data = bytearray(files()["secrets.jsonl"])
    data[where % len(data)] ^= what
    assert not checked({**files(), "secrets.jsonl": bytes(data)}).ok


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_entries_left_out_put_in_or_moved_are_noticed(data):
    entries = rows("chain.jsonl")
    at = data.draw(st.integers(0, len(entries) - 1))
    to = data.draw(st.integers(0, len(entries) - 1).filter(lambda i: i != at))
    how = data.draw(st.sampled_from(["out", "twice", "moved"]))
    entry = entries[at] if how == "twice" else entries.pop(at)
    if how != "out":
        entries.insert(to, entry)
    assert not checked(with_rows("chain.jsonl", entries)).ok


@settings(max_examples=60, deadline=None)
@given(data=st.one_of(st.binary(max_size=300), st.tuples(st.integers(0, 10**9), st.integers(1, 255))))
def test_a_damaged_zip_is_answered_in_words(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files().items():
            archive.writestr(name, content)
    raw = bytearray(out.getvalue())
    if isinstance(data, bytes):
        raw = bytearray(data)
    else:
        raw[data[0] % len(raw)] ^= data[1]
    report = verify(io.BytesIO(bytes(raw)))
    assert report.ok or all(problem.message for problem in report.problems)


def packed(changed, method):
    """A zip with these files, packed by this method."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in changed.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_whatever_bit_of_a_zip_is_changed_there_is_an_answer(method):
    """Each bit of every header, whatever reading a zip raises for it, and of what is packed; and every end cut off."""
    raw = packed({"export.json": b"{}\n", "index.html": b"x" * 9}, method)
    changed = [raw[:at] + bytes([raw[at] ^ 1 << bit]) + raw[at + 1 :] for at in range(len(raw)) for bit in range(8)]
    for data in (*changed, *(raw[:end] for end in range(len(raw)))):
        report = verify(io.BytesIO(data))
        assert report.problems[0].check == "file"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_packed_as_no_export_packs_it_is_refused(method):
    (problem,) = verify(io.BytesIO(packed(files(), method))).problems
    assert "is packed as no export packs it" in problem.message


def test_the_command_answers_for_a_zip_of_another_version(tmp_path):
    raw = bytearray(packed(files(), zipfile.ZIP_DEFLATED))
    raw[raw.index(b"PK\x01\x02") + 6] = 128  # the version that is needed to unpack the first file
    path = tmp_path / "out.zip"
    path.write_bytes(raw)
    told = CliRunner().invoke(main, ["verify", str(path), "--json"])
    assert (told.exit_code, json.loads(told.output)["ok"]) == (1, False)


def test_a_log_made_up_as_a_whole_is_noticed_by_a_noted_head():
    head = rows("export.json")[0]["head"]

    def rename(entries):
        body = json.loads(entries[1]["body"])
        entries[1]["body"] = json.dumps({**body, "name": "Somebody"})

    changed = forged(rename)
    changed["record.jsonl"] = changed["record.jsonl"].replace(b'"Hedwig"', b'"Somebody"')
    changed = relisted(changed, head=json.loads(changed["export.json"])["head"])
    assert checked(changed).ok  # nothing but the head can tell
    assert said(checked(changed, head)) == [("head", None)]


def test_a_log_cut_off_at_its_end_is_noticed_by_a_noted_head():
    head = rows("export.json")[0]["head"]
    changed = forged(lambda entries: entries.pop())
    assert ("head", None) in said(checked(changed, head))


def test_a_bid_that_was_not_committed_to_is_noticed_though_the_chain_is_right():
    """Whoever keeps the table changes a bid everywhere but in the commitment that stood on the board."""
    entries, secrets = rows("chain.jsonl"), rows("secrets.jsonl")
    bid = next(row for row in secrets if row["secret"].get("do") == "bid")
    beads = bid["secret"]["args"]["beads"]
    colour = next(iter(beads))
    bid["secret"]["args"]["beads"] = {**beads, colour: beads[colour] % 4 + 1}
    closed = next(e["seq"] for e in entries if e["kind"] == "closed" and e["seq"] > bid["seq"])
    assert ("sealed", closed) in said(checked(with_rows("secrets.jsonl", secrets)))


def test_a_commitment_made_up_afterwards_changes_the_chain():
    secrets = rows("secrets.jsonl")
    bid = next(row["secret"] for row in secrets if row["secret"].get("do") == "bid")
    bid["args"] = {"beads": {"red": 1}}
    bid["commitment"] = commitment(
        "oak", "fiji", bid["moment"], bid["seat"], bid["attempt"], bid["args"], bytes.fromhex(bid["salt"])
    )
    assert "sealed" in {problem.check for problem in checked(with_rows("secrets.jsonl", secrets)).problems}


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("seq", [int, float, str])
def test_a_bid_told_twice_is_noticed(before, seq):
    """Once as it was and once otherwise: whoever reads the file could take either for the true one."""
    secrets = rows("secrets.jsonl")
    at, bid = next((i, row) for i, row in enumerate(secrets) if row["secret"].get("do") == "bid")
    lie = {"seq": seq(bid["seq"]), "secret": {**bid["secret"], "args": {"beads": {"blue": 4}}}}
    secrets.insert(at if before else at + 1, lie)
    changed = relisted(with_rows("secrets.jsonl", secrets))
    assert [p.check for p in checked(changed).problems] == ["file"]


def test_an_action_played_in_secret_is_held_to_what_the_log_bound():
    secrets = rows("secrets.jsonl")
    row = next(row for row in secrets if row["secret"].get("action", {}).get("do") == "set_aside")
    row["secret"]["action"]["beads"] = {"blue": 1, "green": 3, "red": 0, "yellow": 0}
    assert ("sealed", row["seq"]) in said(checked(with_rows("secrets.jsonl", secrets)))


def test_an_action_the_rules_forbid_is_named_though_the_chain_is_right():
    seq = next(e["seq"] for e in rows("chain.jsonl") if '"lay_goals"' in e["body"])

    def repeat(entries):
        entries[seq - 1]["body"] = entries[seq - 2]["body"]

    problems = checked(forged(repeat)).problems
    assert ("rules", seq) in [(p.check, p.entry) for p in problems]


def test_another_record_or_result_is_noticed():
    record = files()["record.jsonl"].splitlines(keepends=True)
    assert "record" in {p.check for p in checked({**files(), "record.jsonl": b"".join(record[:-1])}).problems}
    about = rows("export.json")[0]
    about["scores"][0]["total"] += 1
    report = checked(with_rows("export.json", [about]))
    assert [(p.check, p.file) for p in report.problems] == [("result", "export.json")]


def test_a_record_that_python_alone_takes_for_equal_is_noticed():
    header = files()["record.jsonl"].replace(b'"record": 1', b'"record": true', 1)
    assert header != files()["record.jsonl"]
    report = checked(relisted({**files(), "record.jsonl": header}))
    assert [(p.check, p.file) for p in report.problems] == [("record", "record.jsonl")]


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16"])
def test_a_record_in_another_coding_is_noticed(coding):
    first, *more = files()["record.jsonl"].splitlines(keepends=True)
    record = first[:-1].decode().encode(coding) + b"\n" + b"".join(more)
    assert not checked(relisted({**files(), "record.jsonl": record})).ok


@pytest.mark.parametrize("told", [{"winner": "Hedwig"}, {"finished": False}])
def test_what_no_list_of_files_says_is_noticed(told):
    """A result is told of a finished game only, and nothing that nobody checks of any."""
    report = checked(relisted(files(), **told))
    assert [p.check for p in report.problems] == ["file"]
    assert "says what no export does" in report.problems[0].message


@pytest.mark.parametrize("kind", [float, bool])
def test_points_that_python_alone_takes_for_equal_are_noticed(kind):
    about = rows("export.json")[0]
    score = next(score for score in about["scores"] if score["seat"] == 1)
    score["seat"] = kind(1)
    report = checked(relisted(files(), scores=about["scores"]))
    assert [(p.check, p.file) for p in report.problems] == [("result", "export.json")]


def test_a_picture_put_in_or_taken_out_is_noticed():
    extra = b"a picture of another table"
    name = f"pictures/{hashlib.sha256(extra).hexdigest()}.jpg"
    assert [(p.check, p.file) for p in checked({**files(), name: extra}).problems] == [("pictures", name)]
    victim = next(name for name in files() if name.endswith(".jpg"))
    without = {name: data for name, data in files().items() if name != victim}
    problems = checked(without).problems
    assert [p.check for p in problems] == ["pictures", "file", "file", "file"]  # the pages show it
    assert problems[0].entry is not None


@pytest.mark.parametrize("name", ["export.json", "chain.jsonl", "record.jsonl", "secrets.jsonl"])
@pytest.mark.parametrize("content", [None, b"", b"[]\n", b"{}\n", b'{"seq":1}\n', b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_is_missing_or_nonsense_is_answered_in_words(name, content):
    changed = {n: data for n, data in files().items() if n != name}
    if content is not None:
        changed[name] = content
    report = checked(changed)
    assert not report.ok
    assert all(problem.message.endswith(".") for problem in report.problems)


def test_a_file_added_or_doubled_is_named():
    assert [p.file for p in checked({**files(), "run-me.exe": b""}).problems] == ["run-me.exe"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files().items():
            archive.writestr(name, data)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("record.jsonl", files()["record.jsonl"])
    assert "record.jsonl" in [p.file for p in verify(out).problems]


PAGES = ["index.html", "index.de.html", "index.nl.html"]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("change", [lambda page: page.replace(b"Hedwig", b"Hedwug"), lambda page: page + b" "])
def test_a_changed_page_is_named(name, change):
    assert change(files()[name]) != files()[name]
    changed = {**files(), name: change(files()[name])}
    assert [(p.check, p.file) for p in checked(changed).problems] == [("file", name)]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_taken_out_is_named_and_so_are_the_links_to_it(name):
    problems = checked({n: data for n, data in files().items() if n != name}).problems
    assert sorted(p.file for p in problems) == sorted(PAGES)
    assert [p.file for p in problems if "took it out" in p.message] == [name]


def test_a_page_put_in_is_named():
    assert [p.file for p in checked({**files(), "index.fr.html": b"<p>Bonjour"}).problems] == ["index.fr.html"]
    about = rows("export.json")[0]
    del about["files"]
    assert not checked(with_rows("export.json", [about])).ok


def test_no_list_of_files_makes_up_for_the_first_page():
    without = {name: data for name, data in files().items() if name != "index.html"}
    assert ("file", "index.html") in [(p.check, p.file) for p in checked(relisted(without)).problems]


PIXEL = b"https://example.org/x.png"


@pytest.mark.parametrize(
    "extra",
    [
        b"<script>alert(1)</script>",
        b"<SCRIPT>alert(1)</SCRIPT>",
        b"<scr\x00ipt>alert(1)</script>",
        b"<script src=" + PIXEL,  # to the end of the page
        b"<IMG SRC=x.jpg>",
        b'<img src="' + PIXEL + b'" alt="" loading="lazy">',
        b'<img src="#e1" alt="" loading="lazy">',
        b'<p onclick="alert(1)">x</p>',
        b"<p/onclick=alert(1)>x</p>",
        b'<p class="note" style="background:red">x</p>',
        b'<a href="https://example.org/">x</a>',
        b'<a href="javascript:alert(1)">x</a>',
        b'<a href="&#106;avascript:alert(1)">x</a>',
        b'<a href=" javascript:alert(1)">x</a>',
        b'<a href="export.json">x</a>',
        b'<a href="#e1" ping="' + PIXEL + b'">x</a>',
        b'<meta http-equiv="refresh" content="0">',
        b'<base href="https://example.org/">',
        b"<style>p { background: url(//example.org/x) }</style>",
        b"<style>@im\\port '//example.org/x.css'</style>",
        b'<style>p { background: image-set("' + PIXEL + b'" 1x) }</style>',
        b"<svg><style>p { background: u&#114;l(" + PIXEL + b") }</style></svg>",
        b'<svg viewBox="0 0 1 1" role="img" aria-label="x"><g font-size="url(' + PIXEL + b')"></g></svg>',
        b'<svg><a xlink:href="javascript:alert(1)"><text x="1" y="1">x</text></a></svg>',
        b"<svg><script>alert(1)</script></svg>",
        b'<math><maction actiontype="statusline#//example.org">x</maction></math>',
        b"<iframe></iframe>",
        b"<plaintext>",
        b"<template><script>alert(1)</script></template>",
        b"<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
        b"<textarea><!--</textarea><script>alert(1)</script>--></textarea>",
        b"<title><!--</title><script>alert(1)</script>--></title>",
        b"<!-- a comment -->",
        b"<!--><script>alert(1)</script>-->",
        b"<!-- x --!><script>alert(1)</script><!-- -->",
        b"<![CDATA[><script>alert(1)</script>]]>",
        b"<!doctype html><script>alert(1)</script>",
        b"<?x ><script>alert(1)</script>?>",
        b"</p onclick><script>alert(1)</script>",
        b"</ ><script>alert(1)</script>",
        b"< script>alert(1)</script>",
        b"\xff",
    ],
)
def test_what_runs_or_leads_elsewhere_is_found_though_the_list_agrees(extra):
    page = files()["index.html"].replace(b"</body>", extra + b"</body>")
    problems = checked(relisted({**files(), "index.html": page})).problems
    assert [(p.check, p.file) for p in problems] == [("file", "index.html")]


@pytest.mark.parametrize(
    ("was", "is_"),
    [
        (b"<!doctype html>", b""),
        (b"<!doctype html>", b"\xef\xbb\xbf<!doctype html>"),
        (b'<meta charset="utf-8">', b'<meta charset="utf-7">'),
        (b"</title>", b"<!--</title><script>alert(1)</script>"),
        (b"</style>", b"p { background: image-set('" + PIXEL + b"' 1x) }</style>"),
        (b"</style>", b"<!--</style><script>alert(1)</script>"),
        (b"</head>", b"<script>alert(1)</script></head>"),
        (b"</head>", b"<style>p { color: red }</style></head>"),
        (b"</head>", b'<link rel="stylesheet" href="' + PIXEL + b'"></head>'),
    ],
)
def test_a_page_that_begins_otherwise_is_found_though_the_list_agrees(was, is_):
    page = files()["index.html"].replace(was, is_, 1)
    problems = checked(relisted({**files(), "index.html": page})).problems
    assert [(p.check, p.file) for p in problems] == [("file", "index.html")]


def test_words_that_look_like_tags_are_words():
    """Whatever people are called, a page of theirs is one of an export."""
    page = files()["index.html"].replace(b"Hedwig", b"&lt;script&gt; &amp; \x00 &#34;Ada&#34;")
    assert checked(relisted({**files(), "index.html": page})).ok


def without_a_picture(reason):
    """An export from which a picture was taken out, as if for this reason; its pages do not show it any more."""
    victim = next(name for name in files() if name.endswith(".jpg"))
    shown = re.compile(rb'<img src="%b"[^>]*>' % victim.encode())
    kept = {name: shown.sub(b"", data) if name in PAGES else data for name, data in files().items() if name != victim}
    return relisted(kept, absent={**rows("export.json")[0]["absent"], victim[9:73]: reason})


def test_a_finished_game_leaves_no_picture_out():
    problems = checked(without_a_picture("left out")).problems
    assert [p.check for p in problems] == ["pictures"]
    assert problems[0].entry is not None


def test_what_is_missing_for_a_good_reason_is_counted_and_makes_it_right_only_so_far(tmp_path):
    report = checked(without_a_picture("deleted"))
    assert report.ok, report.problems
    assert not report.complete
    assert report.facts["pictures"] == report.facts["pictures_named"] - 1 > 0
    assert any("1 pictures that the log names" in note and "reason it gives" in note for note in report.notes)
    path = tmp_path / "out.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in without_a_picture("deleted").items():
            archive.writestr(name, content)
    told = CliRunner().invoke(main, ["verify", str(path)])
    assert told.exit_code == 0
    assert "Right as far as it goes:" in told.output
    assert f"{report.facts['pictures']} of the {report.facts['pictures_named']} pictures" in told.output
    assert json.loads(CliRunner().invoke(main, ["verify", str(path), "--json"]).output)["complete"] is False


def test_it_shares_no_code_with_what_it_checks():
    """Only the standard library; the rules come by the game's name."""
    folder = Path(companion.verifier.__file__).parent
    imported = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                imported.add(node.module)
    own = {name for name in imported if name.startswith("companion.verifier")}
    assert len(own) > 5
    assert {name.partition(".")[0] for name in imported - own} <= sys.stdlib_module_names


def test_a_withheld_entry_of_a_finished_game_is_named():
    entries = rows("chain.jsonl")
    at = random.Random(1).randrange(10, len(entries) - 1)
    entries[at] = {"seq": entries[at]["seq"], "hash": entries[at]["hash"]}
    assert ("chain", at + 1) in said(checked(with_rows("chain.jsonl", entries)))


def test_the_command_says_what_is_wrong_and_what_to_do(tmp_path):
    path = tmp_path / "out.zip"
    data = files()["chain.jsonl"].replace(b"Hedwig", b"Hedwug", 1)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**files(), "chain.jsonl": data}.items():
            archive.writestr(name, content)
    told = CliRunner().invoke(main, ["verify", str(path)])
    assert told.exit_code == 1
    assert "Entry 2 (sit) was changed" in told.output
    assert "Ask for the file once more" in told.output
    found = json.loads(CliRunner().invoke(main, ["verify", str(path), "--json"]).output)
    assert (found["ok"], found["problems"][0]["entry"]) == (False, 2)


@pytest.mark.parametrize("arguments", [["missing.zip"], [__file__, "--head", "xyz"], [__file__, "--head", "abc"]])
def test_wrong_usage(arguments):
    assert CliRunner().invoke(main, ["verify", *arguments]).exit_code == 2
