"""Commitments bind, and two different decisions never share the bytes that are hashed."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.seal import Seal, canonical, commitment

SALT = bytes(range(32))
ARGS = {"beads": {"red": 1, "green": 2}}


def by_hand(*fields: bytes) -> str:
    """The commitment as the module's text describes it, computed apart from it."""
    return hashlib.sha256(b"".join(len(f).to_bytes(4, "big") + f for f in fields)).hexdigest()


def test_a_commitment_is_the_hash_of_its_length_prefixed_fields():
    expected = by_hand(
        b"companion-bid-v1", b"oak", b"fiji", b"0.2.bid", b"3", b"1", b'{"beads":{"green":2,"red":1}}', SALT
    )
    assert commitment("oak", "fiji", "0.2.bid", 3, 1, ARGS, SALT) == expected


def test_a_salt_of_another_length_is_refused():
    with pytest.raises(ValueError, match="32 bytes"):
        commitment("oak", "fiji", "0.2.bid", 3, 1, ARGS, SALT[:31])


def test_a_seal_holds_only_at_its_own_table_moment_seat_and_attempt():
    made = commitment("oak", "fiji", "0.2.bid", 3, 1, ARGS, SALT)
    seal = Seal("0.2.bid", 3, 1, "bid", ARGS, SALT, made)
    assert seal.holds("oak", "fiji")
    assert not seal.holds("elm", "fiji")
    assert not seal.holds("oak", "giants")
    for other in (
        Seal("0.3.bid", 3, 1, "bid", ARGS, SALT, made),
        Seal("0.2.bid", 2, 1, "bid", ARGS, SALT, made),
        Seal("0.2.bid", 3, 2, "bid", ARGS, SALT, made),
        Seal("0.2.bid", 3, 1, "bid", {"beads": {"red": 2, "green": 2}}, SALT, made),
        Seal("0.2.bid", 3, 1, "bid", ARGS, SALT[::-1], made),
    ):
        assert not other.holds("oak", "fiji")


def test_an_opening_reads_back_to_the_same_seal():
    seal = Seal("0.2.bid", 3, 1, "bid", ARGS, SALT, commitment("oak", "fiji", "0.2.bid", 3, 1, ARGS, SALT))
    assert Seal.read(seal.opening()) == seal


@given(st.tuples(*[st.text(max_size=5)] * 3), st.tuples(*[st.text(max_size=5)] * 3))
def test_different_texts_never_make_the_same_commitment(one, other):
    same = commitment(*one, 0, 1, ARGS, SALT) == commitment(*other, 0, 1, ARGS, SALT)
    assert same == (one == other)


def test_canonical_json_has_one_spelling():
    assert canonical({"b": 1, "a": [1, 2]}) == canonical({"a": [1, 2], "b": 1}) == '{"a":[1,2],"b":1}'
    with pytest.raises(ValueError, match="JSON"):
        canonical({"a": float("nan")})
