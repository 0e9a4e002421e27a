"""Edges of components are found wherever they show beside others."""

from __future__ import annotations

import cv2
import numpy as np

from vision import neighbours


def test_all_edges_at_once_are_as_like_what_is_seen_as_each_alone() -> None:
    random = np.random.default_rng(3)
    seen = random.normal(0, 1, (30, 50, 3)).astype(np.float32)
    edges = random.normal(0, 1, (5, 6, 35, 3)).astype(np.float32)
    edges[2] = seen[11:17, 4:39]
    rows = np.stack([edge.ravel() / np.linalg.norm(edge) for edge in edges])
    alike = neighbours._likeness(seen, rows, 6, 35)
    for edge, like in zip(edges, alike, strict=True):
        assert np.allclose(like, cv2.matchTemplate(seen, edge, cv2.TM_CCORR_NORMED), atol=1e-4)
    assert np.unravel_index(int(alike[2].argmax()), alike[2].shape) == (11, 4)
