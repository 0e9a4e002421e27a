"""What the rules say about a Maori table on a photo: the display, and what each board is worth.

Nothing is known of the game so far, only what lies there. A board that was taught and is seen tells the field of each
of its tiles. Without it the tiles themselves do, by the grid in which they lie. Where that fits a board in several ways
the fields stay open, but not the points: islands are finished by each other's tiles alone, since the printed land opens
to no field. Of a tile that cannot be told all readings are counted, and only numbers on which they agree are said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from statistics import fmean, median
from typing import Any, Final

from companion.games.game import Data
from companion.games.maori import islands
from companion.games.maori.actions import SIZE
from companion.games.maori.state import NONE
from companion.games.maori.table import BOARD, BOARDS, PITCH, field_at, says_tile, tile_of
from companion.games.maori.tiles import PRINTED_NAME, Setup, Tile, read_setup
from companion.games.reading import Fields
from companion.games.tabletop import Meaning, Seen, SeenCard, Zone

TOUCHING: Final = 1.25  #: pitches between tiles on neighbouring fields, at most
ASKEW: Final = 12.0  #: degrees that tiles of one board may lie askew to each other
OFF: Final = 0.25  #: pitches that a tile may lie beside its field's middle
MOST_WORLDS: Final = 4096  #: readings of one board that are counted
DISPLAYED: Final = SIZE * SIZE - 1  #: tiles that a display has at least (MA-3: one gap)
NUMBERS: Final = ("palms", "wreaths", "boats", "empty", "removed", "total")

Cell = tuple[int, int]  # row and column; of a grid counted from any of its tiles


@dataclass(frozen=True, slots=True)
class Grid:
    """Tiles that lie in rows and columns of one pitch."""

    cells: Mapping[Cell, SeenCard]
    where: tuple[Cell, ...]  #: fields of a board on which its cell (0, 0) may lie; none when no board has room for it

    @property
    def spans(self) -> tuple[int, int]:
        """Rows and columns from its first tile to its last one."""
        rows, columns = zip(*self.cells, strict=True)
        return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1

    @property
    def middle(self) -> tuple[float, float]:
        return fmean(c.x for c in self.cells.values()), fmean(c.y for c in self.cells.values())


def count(seen: Seen) -> Data:
    """The display row by row, every board with what it counts for (MA-W0 to MA-W5), and what is left open."""
    setup = read_setup(Fields({}, "options"))
    tiles = [card for card in seen.cards if _says_tile(card)]
    boards, tiles = _on_boards(setup, tiles, [c for c in seen.cards if c.sure and c.meaning.get("card") == BOARD])
    grids = _grids(setup, tiles)
    warnings: list[str] = []
    display = _display(grids, bool(boards), warnings)
    boards += [grid for grid in grids if grid is not display and grid.where]
    loose = [c for grid in grids if not grid.where for c in grid.cells.values()]
    if loose:
        warnings.append(f"{len(loose)} tiles lie on no board and in no display that can be told")
    return {
        "display": None if display is None else _rows(display),
        "boards": _with_boats([_board(setup, grid) for grid in boards]),
        "unsure": [_unsure(card) for card in seen.cards if not card.sure],
        "warnings": warnings,
    }


def _says_tile(card: SeenCard) -> bool:
    return any(says_tile(meaning) for _, meaning in _readings(card))


def _readings(card: SeenCard) -> tuple[tuple[str, Meaning], ...]:
    """What a card may be, the likeliest first."""
    return ((card.component, card.meaning),) if card.sure else card.candidates


# --- which tile lies where -------------------------------------------------------------------------------------------


def _on_boards(
    setup: Setup, tiles: Sequence[SeenCard], boards: Sequence[SeenCard]
) -> tuple[list[Grid], list[SeenCard]]:
    """The tiles on the boards that are seen, by field, and all other tiles but those in a board's store."""
    found, left = [], list(tiles)
    for board in boards:
        zone = _zone(board)
        own = [card for card in left if zone.holds(card.x, card.y)]
        fields = {field_at(zone, setup, card): card for card in own}
        left = [card for card in left if all(card is not other for other in own)]
        found.append(Grid({setup.field(cell): card for cell, card in fields.items() if cell is not None}, ((0, 0),)))
    return found, left


def _zone(board: SeenCard) -> Zone:
    """The rectangle that a seen board covers."""
    size = BOARDS[0]
    middle = Zone(BOARD, board.x, board.y, size.width, size.height, board.angle)
    x, y = middle.at(-size.width / 2, -size.height / 2)
    return replace(middle, x=x, y=y)


def _grids(setup: Setup, tiles: Sequence[SeenCard]) -> list[Grid]:
    """Tiles by the grid in which they lie: first what touches, then what fits the same board, the nearest first."""
    turned = [card for card in tiles if card.sure]
    pitch = _pitch(turned)
    groups: list[list[SeenCard]] = []
    for card in turned:
        near = [g for g in groups if any(_touch(card, other, pitch) for other in g)]
        groups = [g for g in groups if all(g is not n for n in near)]
        groups.append([card, *(other for group in near for other in group)])
    while (both := _nearest_pair(setup, groups, pitch)) is not None:
        groups = [g for g in groups if all(g is not one for one in both)]
        groups.append([*both[0], *both[1]])
    doubts, grids = [card for card in tiles if not card.sure], []
    for group in groups:
        cells = _lay_out(group, pitch) or {}
        for card in [*doubts]:
            cell = _cell_of(card, group[0], _turn(group), _step(group, pitch))
            if cell is not None and cell not in cells and _where(setup, {**cells, cell: card}):
                cells[cell] = card
                doubts.remove(card)
        grids.append(Grid(cells, _where(setup, cells)) if cells else Grid({(0, 0): group[0]}, ()))
    return grids


def _pitch(tiles: Sequence[SeenCard]) -> float:
    """From tile to tile, mm: what those that touch another one have in common."""
    nearest = [min((_far(a, b) for b in tiles if b is not a and _parallel(a, b)), default=math.inf) for a in tiles]
    least = min(nearest, default=math.inf)
    return median(d for d in nearest if d <= TOUCHING * least) if least <= TOUCHING * PITCH else PITCH


def _touch(one: SeenCard, other: SeenCard, pitch: float) -> bool:
    return _parallel(one, other) and _far(one, other) <= TOUCHING * pitch


def _parallel(one: SeenCard, other: SeenCard) -> bool:
    return abs((one.angle - other.angle + 180) % 360 - 180) <= ASKEW


def _far(one: SeenCard, other: SeenCard) -> float:
    return math.dist((one.x, one.y), (other.x, other.y))


def _nearest_pair(
    setup: Setup, groups: Sequence[list[SeenCard]], pitch: float
) -> tuple[list[SeenCard], list[SeenCard]] | None:
    """The two groups nearest to each other that one board has room for."""
    pairs = [(a, b) for i, a in enumerate(groups) for b in groups[:i] if _parallel(a[0], b[0])]
    for one, other in sorted(pairs, key=lambda pair: min(_far(a, b) for a in pair[0] for b in pair[1])):
        cells = _lay_out([*one, *other], pitch)
        if cells is not None and _where(setup, cells):
            return one, other
    return None


def _lay_out(group: Sequence[SeenCard], pitch: float) -> dict[Cell, SeenCard] | None:
    """The cells of a group, counted from its first tile; None when they are in no common grid."""
    turn, step = _turn(group), _step(group, pitch)
    cells: dict[Cell, SeenCard] = {}
    for card in group:
        cell = _cell_of(card, group[0], turn, step)
        if cell is None or cell in cells:
            return None
        cells[cell] = card
    return cells


def _turn(group: Sequence[SeenCard]) -> float:
    """The middle turn of a group, radians."""
    turns = [math.radians(card.angle) for card in group]
    return math.atan2(sum(map(math.sin, turns)), sum(map(math.cos, turns)))


def _step(group: Sequence[SeenCard], pitch: float) -> float:
    """The pitch of one group: boards and display may differ a little."""
    steps = [_far(a, b) for i, a in enumerate(group) for b in group[:i] if _touch(a, b, pitch)]
    return median(steps) if steps else pitch


def _cell_of(card: SeenCard, first: SeenCard, turn: float, step: float) -> Cell | None:
    """Rows and columns from the first tile to this one; None when it lies between fields."""
    c, s, dx, dy = math.cos(turn), math.sin(turn), card.x - first.x, card.y - first.y
    column, row = (dx * c + dy * s) / step, (dy * c - dx * s) / step
    cell = round(row), round(column)
    return cell if max(abs(row - cell[0]), abs(column - cell[1])) <= OFF else None


def _where(setup: Setup, cells: Mapping[Cell, SeenCard]) -> tuple[Cell, ...]:
    """Fields of a board on which cell (0, 0) may lie, so that all of these lie on fields for tiles."""
    printed = {cell for cell, _ in setup.printed}
    free = {setup.field(cell) for cell in range(setup.cells) if cell not in printed}
    r0, c0 = next(iter(cells))
    return tuple(
        (row - r0, column - c0)
        for row, column in sorted(free)
        if all((row - r0 + r, column - c0 + c) in free for r, c in cells)
    )


def _display(grids: Sequence[Grid], boards_seen: bool, warnings: list[str]) -> Grid | None:
    """The grid that is the display: one with a tile in every place, or one gap. A grid alone is somebody's board.

    Where boards are seen there may be more gaps: once the pile is empty, none is filled.
    """
    if len(grids) < 2 and not boards_seen:
        if any(len(grid.cells) >= DISPLAYED for grid in grids):
            warnings.append("the only grid of tiles is as full as a display; it is counted as somebody's board")
        return None
    least = SIZE if boards_seen else DISPLAYED
    full = [grid for grid in grids if len(grid.cells) >= least and grid.spans == (SIZE, SIZE)]
    if len(full) > 1:
        warnings.append(f"{len(full)} grids are as full as a display; the one nearest to the middle is taken for it")
    middle = fmean(g.middle[0] for g in grids) if grids else 0.0, fmean(g.middle[1] for g in grids) if grids else 0.0
    return min(full, key=lambda grid: math.dist(grid.middle, middle), default=None)


# --- what it counts for ----------------------------------------------------------------------------------------------


def _rows(grid: Grid) -> list[list[str | None]]:
    """The names in a grid, row by row from its upper edge; None for a gap and for a tile that cannot be told."""
    top, left = min(r for r, _ in grid.cells), min(c for _, c in grid.cells)
    rows: list[list[str | None]] = [[None] * SIZE for _ in range(SIZE)]
    for (row, column), card in grid.cells.items():
        rows[row - top][column - left] = _name(card)
    return rows


def _name(card: SeenCard) -> str | None:
    return card.component.rsplit("/", 1)[-1] if card.sure else None


def _board(setup: Setup, grid: Grid) -> Data:
    """What a board shows and counts for; None for a number that depends on what cannot be told."""
    counts = [_numbers(found) for found in _worlds(setup, grid)]
    each = {name: {one[name] for one in counts} for name in NUMBERS}
    own: dict[str, Any] = {name: next(iter(values)) if len(values) == 1 else None for name, values in each.items()}
    between = None if len(counts) == MOST_WORLDS else [min(each["total"]), max(each["total"])]
    return {
        "centre_mm": [round(v, 1) for v in grid.middle] if grid.cells else None,
        "tiles": len(grid.cells),
        "fields": _fields(setup, grid) if len(grid.where) == 1 else None,
        **own,
        "total_between": between,
    }


def _worlds(setup: Setup, grid: Grid) -> Iterator[islands.Count]:
    """The counts of every way to read these tiles; at most `MOST_WORLDS` of them."""
    cards = list(grid.cells.items())
    tiles: list[Tile] = []
    numbers: list[list[int]] = []  # what lies in each cell: an index into `tiles`, or nothing at all
    for _, card in cards:
        ways = [tile_of(meaning) if says_tile(meaning) else None for _, meaning in _readings(card)]
        numbers.append([NONE if tile is None else len(tiles) + i for i, tile in enumerate(ways)])
        tiles += [tile or Tile() for tile in ways]
    copy = replace(setup, names=tuple(map(str, range(len(tiles)))), tiles=tuple(tiles))
    row, column = grid.where[0]
    for way in islice(product(*numbers), MOST_WORLDS):
        board = [NONE] * setup.cells
        for ((r, c), _), number in zip(cards, way, strict=True):
            board[(row + r) * setup.columns + column + c] = number
        yield islands.count(copy, board)


def _numbers(found: islands.Count) -> dict[str, int]:
    """A board's own points are its palms and wreaths, less what is empty."""
    total = found.palms + islands.WREATH * found.wreaths - found.empty
    return {
        "palms": found.palms,
        "wreaths": found.wreaths,
        "boats": found.boats,
        "empty": found.empty,
        "removed": found.removed,
        "total": total,
    }


def _fields(setup: Setup, grid: Grid) -> list[list[str | None]]:
    """Names by field, as in records; None where nothing lies or it cannot be told."""
    printed = {cell for cell, _ in setup.printed}
    row, column = grid.where[0]
    lying = {(row + r, column + c): _name(card) for (r, c), card in grid.cells.items()}
    return [
        [PRINTED_NAME if r * setup.columns + c in printed else lying.get((r, c)) for c in range(setup.columns)]
        for r in range(setup.rows)
    ]


def _with_boats(boards: list[Data]) -> list[Data]:
    """MA-W3: most boats among the boards seen; None as long as a count of boats is open, or one board is all."""
    boats = [board["boats"] for board in boards]
    if len(boards) < 2 or None in boats:
        return [{**board, "most_boats": None} for board in boards]
    return [{**board, "most_boats": points} for board, points in zip(boards, islands.most(boats), strict=True)]


def _unsure(card: SeenCard) -> Data:
    names = [name.rsplit("/", 1)[-1] for name, _ in card.candidates]
    return {"centre_mm": [round(card.x, 1), round(card.y, 1)], "candidates": names}


def told(counted: Data) -> list[str]:
    """What was counted, line by line, for people."""
    lines = []
    if counted["display"] is not None:
        lines += ["Display: " + " ".join(name or "?" for name in row) for row in counted["display"]]
    for number, board in enumerate(counted["boards"], 1):
        lines.append(f"Board {number}, {board['tiles']} tiles: {_points(board)}")
    lines.append("The most shells come on top (MA-W4): a photo does not show whose they are.")
    if counted["unsure"]:
        lines.append(f"Unsure: {len(counted['unsure'])}")
    return lines


def _points(board: Data) -> str:
    if board["total"] is None:
        between = board["total_between"]
        return "cannot be told from here" if between is None else f"{between[0]} to {between[1]} points"
    text = f"{board['total']} points: palms {board['palms']}, wreaths {board['wreaths']}, empty fields {board['empty']}"
    boats = "" if board["most_boats"] is None else f", and {board['most_boats']} for the boats"
    return f"{text}{boats} ({board['removed']} tiles of unfinished islands not counted)"
