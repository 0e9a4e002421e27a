"""What all tests share: which run quickly; and small products of matrices on one thread, as in the program.

Several test runners share the cores.
"""

import os
from collections import Counter

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test that is `quick(n)` all but its first n parameters are thorough."""
    seen: Counter[str] = Counter()
    for item in items:
        quick = item.get_closest_marker("quick")
        if quick is None:
            continue
        name = item.nodeid.partition("[")[0]
        seen[name] += 1
        if seen[name] > quick.args[0]:
            item.add_marker(pytest.mark.thorough)
