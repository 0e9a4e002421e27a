"""The web server's own end."""

from __future__ import annotations

import os
from pathlib import Path

from flask import Flask

from web.server import create


def test_an_answer_that_comes_late_writes_to_no_file_opened_since(tmp_path: Path) -> None:
    """It wakes the server through a pipe; once that is closed, its number is the next file's: a log lost its head."""
    server = create(Flask("pages"), "127.0.0.1", 0)
    before = server.trigger.trigger
    server.close()
    paths = [tmp_path / str(i) for i in range(8)]
    opened = [os.open(path, os.O_RDWR | os.O_CREAT) for path in paths]
    try:
        assert before in opened
        server.pull_trigger()
        assert [path.read_bytes() for path in paths] == [b""] * 8
    finally:
        for handle in opened:
            os.close(handle)
