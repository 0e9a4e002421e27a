"""A phone is lost: whoever keeps the table makes a new way back to its seat."""

import pytest
from click.testing import CliRunner

from companion.cli import main
from tests.companion.tables import laid_out, open_table, seal, seated


@pytest.fixture
def tokens(tmp_path):
    """Three people in their first exchange, at a table that was stopped."""
    table = open_table(tmp_path)
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    seal(table, tokens[1], green=1)
    table.close()
    return tokens


def seat(folder, name="Christian", table="oak"):
    arguments = [name, "--data", str(folder), "--table", table, "--host", "192.168.1.7", "--port", "8001"]
    return CliRunner().invoke(main, ["seat", *arguments])


def test_a_new_way_back_opens_the_seat_and_the_old_one_no_more(tokens, tmp_path):
    told = seat(tmp_path)
    assert told.exit_code == 0, told.output
    assert "the seat of Christian" in told.output
    *_, link = told.output.split()
    start, _, token = link.partition("#")
    assert start == "http://192.168.1.7:8001/back"
    table = open_table(tmp_path)
    assert [table.seat_of(each) for each in (token, *tokens)] == [1, 0, None, 2]
    assert table.view(1, "en")["own_seal"] == {"do": "bid", "args": {"beads": {"green": 1}}}
    table.close()


def test_what_all_have_sealed_opens_only_when_the_table_is_served(tokens, tmp_path):
    table = open_table(tmp_path, closed_s=60.0)
    for token in (tokens[0], tokens[2]):
        seal(table, token, red=1)
    table.close()
    assert seat(tmp_path).exit_code == 0
    table = open_table(tmp_path, closed_s=60.0)
    assert len(table.view(None, "en")["commitments"]) == 3
    assert table.view(None, "en")["openings"] == []
    table.close()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "Noor"}, "Nobody called Noor sits there, but: Hedwig, Christian, Angelika."),
        ({"table": "ash"}, "has no table called ash"),
        ({"table": "a/b"}, "a table's id is letters"),
    ],
)
def test_what_is_not_there_is_named(tokens, tmp_path, wrong, said):
    told = seat(tmp_path, **wrong)
    assert told.exit_code == 1
    assert said in told.output
    assert "Traceback" not in told.output


def test_a_folder_without_tables_stays_as_it_is(tmp_path):
    told = seat(tmp_path)
    assert (told.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert "--data" in told.output


def test_a_table_that_is_served_has_to_be_stopped_first(tokens, tmp_path):
    table = open_table(tmp_path)
    told = seat(tmp_path)
    table.close()
    assert told.exit_code == 1
    assert "Stop" in told.output
