"""A real table in one process: how it starts, and what its camera may meet without being lost."""

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.serving import KEY_BYTES, _key
from tests.companion.tables import laid_out, open_table, seal, seated


def test_the_pages_key_is_made_once_and_nobody_else_may_read_it(tmp_path):
    path = tmp_path / "pages.key"
    key = _key(path)
    assert len(key) == KEY_BYTES
    assert _key(path) == key
    assert path.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("left", [b"", b"half"])
def test_a_pages_key_that_was_half_written_is_made_anew(tmp_path, left):
    path = tmp_path / "pages.key"
    path.write_bytes(left)
    path.chmod(0o644)
    assert len(_key(path)) == KEY_BYTES
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("mode", "says"), [(None, "is missing"), (0o644, "chmod 600")])
def test_a_key_that_cannot_be_used_is_told_and_is_no_traceback(tmp_path, mode, says):
    table = open_table(tmp_path)
    tokens = seated(table, 3)
    laid_out(table, tokens[0])
    seal(table, tokens[0], green=1)
    table.close()
    key = tmp_path / "companion.db.key"
    key.unlink() if mode is None else key.chmod(mode)
    result = CliRunner().invoke(main, ["serve", "fiji", "--data", str(tmp_path), "--table", "oak"])
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert says in result.output
