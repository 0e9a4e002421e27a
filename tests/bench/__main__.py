"""`python -m tests.bench [NAME…]`: run the measurements and print their tables; all of them without a name.

`--photos DIR…` gives photographs to those that can use them, `--out DIR` says where pictures are drawn (`out`).
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any


def main(arguments: list[str]) -> int:
    names = sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name != "__main__")
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--photos", nargs="+", type=Path, default=[], metavar="DIR", help="photographs with the truth")
    parser.add_argument("--out", type=Path, default=Path("out"), metavar="DIR", help="where pictures are drawn")
    said = parser.parse_args(arguments)
    unknown = set(said.names) - set(names)
    if unknown:
        print(f"no such measurement: {', '.join(sorted(unknown))}; there are: {', '.join(names)}", file=sys.stderr)
        return 2
    results = {}
    for name in said.names or names:
        module = importlib.import_module(f"tests.bench.{name}")
        if not hasattr(module, "run"):
            continue
        wishes = {"photos": said.photos, "out": said.out}
        results[name] = module.run(**{k: wishes[k] for k in inspect.signature(module.run).parameters})
        if not said.json:
            print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}")
            print(table(results[name]), flush=True)
    if said.json:
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
