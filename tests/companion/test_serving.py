"""A real table in one process: how it starts, and what its camera may meet without being lost."""

import threading

import numpy as np
import pytest
from click.testing import CliRunner

from companion import serving
from companion.cli import main
from companion.log import NotWritable
from companion.referee import Verdict
from companion.serving import KEY_BYTES, _key, _look_on
from tests.companion.tables import laid_out, open_table, seal, seated
from vision.camera import CameraError, EndOfPictures, Frame


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


class Pictures:
    """A camera that gives these, a watcher that meets these: an error is raised, all else is given."""

    def __init__(self, *given):
        self.given = list(given)

    def take(self, _=None):
        one = self.given.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    read = feed = take


FRAME = Frame(np.zeros((8, 8, 3), np.uint8), 0.0)
END = EndOfPictures("that was all")
FULL = NotWritable("The disk is full. Make room and try again.")
NOT_TAKEN = "The camera goes on, but a picture was not taken in."


@pytest.mark.parametrize(
    ("pictures", "looks", "told"),
    [
        ([FRAME, FRAME, FRAME], [FULL, None, Verdict("ok")], [f"{NOT_TAKEN} {FULL}"]),
        ([FRAME] * 3, [FULL] * 3, [f"{NOT_TAKEN} {FULL}"]),
        ([FRAME] * 3, [FULL, Verdict("ok"), FULL], [f"{NOT_TAKEN} {FULL}"] * 2),
        ([CameraError("02.jpg is no photo"), FRAME], [Verdict("ok")], [f"{NOT_TAKEN} 02.jpg is no photo"]),
    ],
)
def test_a_picture_that_is_not_taken_in_is_told_once_and_the_camera_goes_on(monkeypatch, pictures, looks, told):
    monkeypatch.setattr(serving, "TROUBLE_S", 0.0)
    said, watcher = [], Pictures(*looks)
    _look_on(Pictures(*pictures, END), watcher, threading.Event(), said.append)
    assert watcher.given == []
    assert said == [*told, "The camera has no more pictures; the phones go on without it."]


def test_of_a_defect_no_values_are_told(monkeypatch):
    monkeypatch.setattr(serving, "TROUBLE_S", 0.0)
    said = []
    _look_on(Pictures(FRAME, END), Pictures(KeyError("a bid of three")), threading.Event(), said.append)
    assert "KeyError in " in said[0]
    assert "bid" not in said[0].replace(__file__, "")
