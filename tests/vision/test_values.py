"""What a die shows is told by many looks; where it cannot be sure any more, fewer do."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from vision.things import NAMES
from vision.values import Values

SURE = 0.85


def test_what_cannot_be_sure_is_not_looked_at_again_and_what_is_sure_is_told_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = []

    def seen(seed: int) -> Any:
        random = np.random.default_rng(seed)
        plain = random.uniform(0, 12)

        def look(values: Values, image: Any, looks: Sequence[Any]) -> Any:
            looked.append(len(looks))
            evidence = random.normal(size=(len(looks), len(NAMES)))
            evidence[:, 3] += plain
            shares = np.exp(evidence) / np.exp(evidence).sum(axis=1, keepdims=True)
            return shares.astype(np.float32), random.uniform(20, 24, len(looks))

        return look

    picture = np.zeros((8, 8, 3), np.uint8)
    told, asked = [], []
    for seed in range(60):
        for least in (0.0, SURE):
            monkeypatch.setattr(Values, "_look", seen(seed))
            looked.clear()
            told.append(Values().tell(picture, (4.0, 4.0), 20.0, least))
            asked.append(sum(looked))
    sure = [whole.sure > SURE for whole in told[::2]]
    assert 0 < sum(sure) < len(sure)
    for whole, part, is_sure in zip(told[::2], told[1::2], sure, strict=True):
        assert part.sure == pytest.approx(whole.sure) if is_sure else part.sure <= SURE
    assert sum(asked[1::2]) < sum(asked[::2])
