"""`python -m tests.bench [NAME…]`: run the measurements and print their tables; all of them without a name."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any


def main(wanted: list[str]) -> int:
    names = sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name != "__main__")
    as_json = "--json" in wanted
    wanted = [name for name in wanted if name != "--json"]
    unknown = set(wanted) - set(names)
    if unknown:
        print(f"no such measurement: {', '.join(sorted(unknown))}; there are: {', '.join(names)}", file=sys.stderr)
        return 2
    results = {}
    for name in wanted or names:
        module = importlib.import_module(f"tests.bench.{name}")
        if not hasattr(module, "run"):
            continue
        results[name] = module.run()
        if not as_json:
            print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}")
            print(table(results[name]), flush=True)
    if as_json:
        print(json.dumps(results))
    return 0


def table(rows: list[dict[str, Any]]) -> str:
    """The rows under each other, columns aligned."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = [columns, *[["" if row.get(c) is None else f"{row[c]}" for c in columns] for row in rows]]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    lines = ("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in cells)
    return "\n".join(f"  {line.rstrip()}" for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
