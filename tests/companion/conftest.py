"""What several test files share because it takes a while to make."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.log import Log
from tests.companion.games import Evening, table_with_witness
from tests.companion.logs import EVENING

BEFORE_THE_CAMERA = 12  # steps; the rest is entered on phones, which is quicker


@pytest.fixture(scope="session")
def whole_game(tmp_path_factory):
    """The folder of a finished game of three people, with pictures of its beginning, and its scores."""
    folder = tmp_path_factory.mktemp("game")
    table = table_with_witness(folder)
    evening = Evening.begin(table, 3, camera=True)
    evening.play(BEFORE_THE_CAMERA)
    evening.watcher = None
    evening.play()
    scores = [score.data() for score in table.evening.game.scores(table.evening.state)]
    table.close()
    return folder, scores


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def log(path: Path) -> Iterator[Log]:
    with Log(path, "t1", clock=lambda: EVENING) as log:
        yield log
