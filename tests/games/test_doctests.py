"""The examples in the docstrings of the rules say what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import companion.games

MODULES = [m.name for m in pkgutil.walk_packages(companion.games.__path__, "companion.games.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [e for name in MODULES for t in finder.find(importlib.import_module(name)) for e in t.examples]
    assert len(found) > 10
