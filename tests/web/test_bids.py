"""What a seat does: bodies are read strictly, and nobody acts or asks for somebody else."""

import json

import pytest

from companion.seal import commitment
from tests.web.conftest import Device
from tests.web.double import RULING, Double

SALT = "5a" * 32


def bid(table: Double, seat: int = 0, attempt: int = 1, **beads: int) -> dict[str, object]:
    args = {"beads": beads or {"green": 1}}
    made = commitment("tafel", "fiji", table.moment, seat, attempt, args, bytes.fromhex(SALT))
    return {"moment": table.moment, "attempt": attempt, "args": args, "salt": SALT, "commitment": made}


@pytest.fixture
def seated(device: Device, table: Double) -> Device:
    device.sit(0, "Ada")
    for seat in (1, 2, 3):
        table.sit(seat, f"P{seat}")
    device.post("/seat/a/begin", json={})
    return device


def test_a_bid_is_sealed_and_answered_with_its_receipt(seated: Device, table: Double):
    sent = bid(table)
    answer = seated.post("/seat/a/seal", json=sent)
    assert answer.json["commitment"] == sent["commitment"]
    assert seated.get("/seat/a/view.json").json["own_seal"] == {"do": "bid", "args": {"beads": {"green": 1}}}


def test_a_forbidden_bid_is_answered_with_its_ruling(seated: Device, table: Double):
    assert seated.post("/seat/a/seal", json=bid(table, blue=3)).json == RULING


def test_an_old_attempt_is_refused(seated: Device, table: Double):
    seated.post("/seat/a/seal", json=bid(table))
    answer = seated.post("/seat/a/seal", json=bid(table))
    assert (answer.status_code, answer.json["error"]) == (409, "stale")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("moment", None),
        ("moment", 7),
        ("moment", "m" * 201),
        ("attempt", 0),
        ("attempt", True),
        ("attempt", 1.0),
        ("attempt", "1"),
        ("args", []),
        ("args", None),
        ("salt", "5a" * 31),
        ("salt", "5A" * 32),
        ("salt", "zz" * 32),
        ("salt", None),
        ("commitment", 5),
        ("commitment", "0" * 65),
    ],
)
def test_a_malformed_bid_is_refused_before_the_table_sees_it(seated: Device, table: Double, name: str, value: object):
    answer = seated.post("/seat/a/seal", json={**bid(table), name: value})
    assert answer.status_code == 400
    assert table.bids_made == 0


@pytest.mark.parametrize("body", [b"", b"[]", b'"x"', b"{", b"\xff", b"[" * 8000, b'{"action": NaN'])
def test_bodies_that_are_no_json_object_are_refused(seated: Device, body: bytes):
    headers = {"Origin": "http://localhost", "X-CSRF-Token": seated.csrf, "Content-Type": "application/json"}
    assert seated.client.post("/seat/a/act", data=body, headers=headers).status_code == 400


def test_a_form_cannot_act(seated: Device):
    assert seated.post("/seat/a/act", data={"action": "{}"}).status_code == 400


def test_actions_go_to_the_table_for_this_seat(seated: Device, table: Double):
    answer = seated.post("/seat/a/act", json={"action": {"do": "rotate_goal", "position": 2}})
    assert answer.json == RULING
    assert table.acts == [{"by": 0, "do": "rotate_goal", "position": 2}]


def test_a_question_is_answered(seated: Device, table: Double):
    assert seated.post("/seat/a/answer", json={"question": "q", "choice": "1"}).json == {"ok": True}
    assert table.answers == [(0, "q", "1")]
    assert seated.post("/seat/a/answer", json={"question": ["q"], "choice": "1"}).status_code == 400


def test_a_stranger_can_do_nothing(app, table: Double, seated: Device):
    stranger = Device(app)
    for deed, body in (("seal", bid(table)), ("act", {"action": {}}), ("rule", {"action": {}}), ("begin", {})):
        answer = stranger.post(f"/seat/a/{deed}", json=body)
        assert (answer.status_code, answer.json["error"]) == (409, "not_seated")
    assert table.acts == []


def test_sealing_tells_others_only_who(seated: Device, table: Double):
    """Whatever is bid, the others' views are byte for byte the same."""
    seen = []
    for beads in ({"green": 1}, {"green": 2, "red": 1, "blue": 1}):
        table.seals.clear()
        seated.post("/seat/a/seal", json=bid(table, **beads))
        views = [table.view(viewer, "en") for viewer in (1, None)]
        seen.append(json.dumps([{**view, "version": 0, "log_head": ""} for view in views]))
    assert seen[0] == seen[1]
