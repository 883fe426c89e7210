"""Terminal tables of the scan desk, and its command `import`."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from cluewise.cli.desks import print_unwrapped
from cluewise.cli.drive import ask, print_position
from cluewise.cli.files import read_bytes, read_text_lenient
from cluewise.desks.scan import results as r
from cluewise.desks.scan.formats.maps import read_clue
from cluewise.desks.scan.position import Position, check
from cluewise.desks.scan.walls import Walls
from cluewise.errors import BadOption

PULSE = {1: "single", 2: "double", 3: "triple"}
MOST_ROWS = 20


def show_classes(_position: Position, result: r.Classes) -> RenderableType:
    """Render the number of areas; with --list also the most informative ones."""
    if result.window is None:
        return "No spots yet: name a region, or give a range and spots."
    head = (
        f"{result.remaining} spots left, {result.classes} areas of "
        f"{result.profiles} kinds; at most {result.max_bits:.2f} bits "
        f"({result.best} area{'s' if result.best != 1 else ''})."
    )
    if result.list is None:
        return head
    table = Table("bits", "single", "double", "triple", "tiles", "at", title_justify="left")
    for row in result.list[:MOST_ROWS]:
        counts = row.counts[:3]
        if len(row.counts) == 6:
            counts = [a + b for a, b in zip(counts, row.counts[3:], strict=True)]
        mark = "★ " if row.best else ""
        table.add_row(f"{mark}{row.bits:.2f}", *map(str, counts), str(row.tiles), _tile(row.label))
    more = len(result.list) - MOST_ROWS
    return Group(head, table, *([f"… and {more} more; --json lists all."] if more > 0 else []))


def show_next(position: Position, result: r.Advice) -> RenderableType:
    """Render the options, best first."""
    dig = result.dig
    if dig is not None and dig.spots is not None:
        return _shared_dig(position, result, dig)
    if dig is not None:
        how = _uses_text(msgspec.to_builtins(dig))
        one = "can be reached" if result.beyond else "is left"
        sentence = f"Only spot {dig.spot + 1} {one}, {dig.walk_ticks} ticks away{how}: dig there."
        return sentence + _unreachable_text(position, result.beyond)
    if not result.options and result.beyond:
        return _unreachable_text(position, result.beyond).strip()
    if not result.options:
        return "No spots yet: name a region, or give a range and spots."
    table = Table("walk to", "ticks to walk", "bits", "leaves 1·2·3", "expected ticks", "tiles")
    for row in result.options:
        leaves = "·".join(map(str, row.leaves))
        table.add_row(
            _tile(row.tile), str(row.walk_ticks), f"{row.bits:.2f}", leaves,
            f"{row.expected_ticks:.1f}", str(row.tiles),
        )  # fmt: skip
    start = f"From {_tile(result.from_tile)}, {result.remaining} spots left."
    start += _assumptions(position) + _unreachable_text(position, result.beyond)
    ways = [
        f"  {_tile(o.tile)}{_uses_text(msgspec.to_builtins(o))}" for o in result.options if o.uses
    ]
    if ways:
        mean = result.ability_ticks
        took = [] if mean is None else [f"With abilities the first takes {mean:.1f} ticks."]
        return Group(start, table, *took, *ways)
    if result.changes is None:
        return Group(start, table)
    stops = [f"  {_change_text(msgspec.to_builtins(c))}, {c.leaves} left" for c in result.changes]
    return Group(start, table, "On the run to the first, stop at a change:", *stops)


def _shared_dig(position: Position, result: r.Advice, dig: r.Dig) -> RenderableType:
    """Render a dig that serves several spots or may find nothing, then the scans."""
    at, how = _tile(dig.at), _uses_text(msgspec.to_builtins(dig))
    spots = _spot_numbers(dig.spots or [])
    sentence = f"Dig at {at}, {dig.walk_ticks} ticks away{how}: it is spot {spots}."
    if result.options:
        sentence = f"Dig at {at}, {dig.walk_ticks} ticks away{how}, for spot {spots}: "
        sentence += f"{dig.expected_ticks:.1f} ticks on average."
    sentence += _assumptions(position) + _unreachable_text(position, result.beyond)
    if not result.options:
        return sentence
    scans = msgspec.structs.replace(result, dig=None)
    return Group(sentence, "If you scan first:", show_next(position, scans))


def _spot_numbers(spots: list[int]) -> str:
    """Return the numbers of spots: "13 or 22"."""
    return " or ".join(str(spot + 1) for spot in spots)


def _assumptions(position: Position) -> str:
    """Return the assumptions behind the ticks if pulses or positions are uncertain."""
    if not (position.misread or position.slack):
        return ""
    chances = " weighted by how likely each spot is," if position.misread else ""
    places = f" over all tiles within {position.slack} of each scan," if position.slack else ""
    return f" Ticks are means{chances}{places} if later pulses are read right."


def show_route(position: Position, result: r.Route) -> RenderableType:
    """Render the totals and the decision tree."""
    head = (
        f"{result.expected_ticks:.1f} ticks on average ({result.worst_ticks} at worst), "
        f"{result.expected_scans:.2f} scans, from {_tile(result.start)}. "
        f"Always going to the most information: {result.baseline_ticks:.1f}."
    )
    if result.on_foot_ticks is not None:
        head += f" The same scans without abilities: {result.on_foot_ticks:.1f}."
    if result.lower_bound is not None:
        above = 100 * (result.expected_ticks / max(result.lower_bound, 1e-9) - 1)
        head += " On open ground, of the routes that stop for every pulse"
        head += "" if _digs_early(result.tree) else " and dig only when sure"
        head += ", none takes less"
        head += (
            ": that is proved."
            if result.lower_bound >= result.expected_ticks
            else f" than {result.lower_bound:.1f}: "
            f"this one is at most {above:.1f} % above the best."
        )
    head += _assumptions(position) + _unreachable_text(position, result.beyond)
    if not result.tree and result.beyond:
        return _unreachable_text(position, result.beyond).strip()
    if not result.tree:
        return "No spots yet: name a region, or give a range and spots."
    tree = Tree(_node_text(result.tree))
    _add_branches(tree, result.tree)
    return Group(head, tree)


def _digs_early(node: Any) -> bool:
    """Return whether a plan has a dig that may find nothing."""
    return "else" in node or any(_digs_early(child) for child in node.get("answers", {}).values())


def _add_branches(tree: Tree, node: Any) -> None:
    if "else" in node:
        _add_branches(tree.add(Text(f"not found: {_node_text(node['else'])}")), node["else"])
    for name, child in node.get("answers", {}).items():
        other = ", other level" if name.endswith("d") else ""
        branch = tree.add(Text(f"{PULSE[int(name[0])]}{other}: {_node_text(child)}"))
        _add_branches(branch, child)
    for heard in node.get("heard", []):
        branch = tree.add(Text(f"{_change_text(heard)}: {_node_text(heard['then'])}"))
        _add_branches(branch, heard["then"])


def _change_text(heard: Any) -> str:
    """Return a pulse change on a run, with its tick."""
    name, at = PULSE[heard["pulse"]], _tile(heard["at"])
    if heard["silent"]:
        return f"no change as far as {at}, scan there: {name} ({heard['ticks']} ticks)"
    return f"{name} at {at} ({heard['ticks']} ticks)"


def _node_text(node: Any) -> str:
    if "spot" in node:
        return f"dig at spot {node['spot'] + 1}{_dig_paths(node)}"
    if "dig" in node:
        way = f"{node['walk_ticks']} ticks{_uses_text(node)}"
        found = "for" if "else" in node else "it is"
        return f"dig at {_tile(node['dig'])} ({way}), {found} spot {_spot_numbers(node['spots'])}"
    if "spots" in node:
        named = " or ".join(str(s + 1) for s in node["spots"])
        return f"the arrow shows spot {named}{_dig_paths(node)}"
    if "heard" in node:
        return f"run towards {_tile(node['tile'])}; stop where the pulse changes"
    text = f"walk to {_tile(node['tile'])} ({node['walk_ticks']} ticks{_uses_text(node)})"
    return text + (f", listening at {_tile(node['at'])}" if "at" in node else "")


def _uses_text(way: Any) -> str:
    """Return the abilities used on a path: ": dive at once to 3000, 3390; surge after …"."""
    uses = [_use_text(use) for use in way.get("uses", [])]
    return f": {'; '.join(uses)}" if uses else ""


def _use_text(use: Any) -> str:
    if use["ability"] == "teleport":
        return f"teleport to {use.get('name') or _tile(use['to'])}"
    if use["ability"] == "stairs":
        way = "up" if use["to"][2] > use["at"][2] else "down"
        name = f" ({use['name']})" if use.get("name") else ""
        return f"{way} the stairs at {_tile(use['at'][:2])}{name} to floor {use['to'][2]}"
    when = f"after {use['tick']} tick{'s' if use['tick'] > 1 else ''}" if use["tick"] else "at once"
    turned = "one tile back, " if use["ability"] == "escape" else ""
    return f"{turned}{use['ability']} {when} to {_tile(use['to'])}"


def _unreachable_text(position: Position, spots: list[int] | None) -> str:
    """Return a sentence that lists the unreachable spots."""
    if not spots:
        return ""
    named = f"{'spots' if len(spots) > 1 else 'spot'} {', '.join(str(i + 1) for i in spots)}"
    if position.walls is not None and position.walls.ground is not None:
        return f" Left out, since no path leads there: {named}."
    return f" No stairs lead to the floor of {named}."


def _dig_paths(node: Any) -> str:
    """Return the paths to the spots of a leaf on which abilities are used."""
    ways = [dig for dig in node.get("digs", []) if "uses" in dig]
    one = len(node.get("digs", [])) == 1
    paths = []
    for dig in ways:
        spot = "" if one else f"to {dig['spot'] + 1} "
        paths.append(f"{spot}{dig['walk_ticks']} ticks{_uses_text(dig)}")
    return f" ({', '.join(paths)})" if paths else ""


def show_fewest(_position: Position, result: r.Fewest) -> RenderableType:
    """Render the least expected number of scans."""
    each = f"{result.expected_scans:.3f} scans on average until one of {result.spots} spots is left"
    if result.proved:
        return f"{each} (total {result.total}), proved to be the fewest."
    return (
        f"{each} (total {result.total}) is the best known; "
        f"a total under {result.at_least} is proved impossible."
    )


def show_rate(_position: Position, result: r.RatedPack) -> RenderableType:
    """Render the scan trees of a method pack and their faults."""
    if not result.trees:
        return "There are no scan trees in this pack."
    table = Table("region", "name", "spots", "depth", "ticks", "promised", "faults")
    for tree in result.trees:
        ticks, promised = ("" if n is None else f"{n:.1f}" for n in (tree.ticks, tree.told))
        table.add_row(
            str(tree.clue), tree.name, f"{tree.covered} of {tree.spots}", str(tree.depth), ticks,
            promised, str(len(tree.faults)),
        )  # fmt: skip
    faults = [f"{tree.name}: {fault}" for tree in result.trees for fault in tree.faults[:MOST_ROWS]]
    return Group(table, *faults)


def show_regions(_position: Position, result: r.Regions) -> RenderableType:
    """Render the built-in regions."""
    table = Table("id", "region", "range", "spots", "tier", "levels", "landings")
    for row in result.regions:
        levels = ", ".join(map(str, row.levels))
        table.add_row(
            str(row.id), row.name, str(row.range), str(row.spots), row.tier, levels,
            str(len(row.landings)),
        )  # fmt: skip
    return table


def show_doubt(position: Position, result: r.Doubt) -> RenderableType:
    """Render the conflicts and their repairs, or the redundant clues."""
    if not result.contradiction:
        extra = [_clue(position, i) for i in result.redundant]
        return "The clues can all hold." + (
            f" Nothing new in: {'; '.join(extra)}." if extra else ""
        )
    lines = ["These cannot all hold:"]
    lines += ["  " + " and ".join(_clue(position, i) for i in s) for s in result.smallest[:5]]
    lines += ["It makes sense again if one of these is changed:"] if result.repairs else []
    for repair in result.repairs[:MOST_ROWS]:
        what = PULSE[repair.pulse] if repair.pulse else "not ruled out"
        lines.append(f"  {_clue(position, repair.clue)} → {what} ({repair.remaining} spots left)")
    return "\n".join(lines)


def show_review(_position: Position, result: r.Review) -> RenderableType:
    """Render each scan with its expected ticks, loss and luck."""
    table = Table("scan", "saw", "spots", "ticks with it", "the plan", "given away", "luck")
    for row in result.scans:
        table.add_row(
            _tile(row.tile), PULSE[row.pulse], f"{row.before} → {row.after}",
            f"{row.expected_ticks:.1f}", f"{row.best_ticks:.1f} ({_tile(row.best)})",
            f"{row.loss:.1f}", f"{row.luck:+.1f}",
        )  # fmt: skip
    head = (
        f"Spot {result.spot + 1} from {_tile(result.start)}: {result.ticks} ticks. The plan "
        f"promised {result.planned:.1f} on average; {result.loss:.1f} were given away, the pulses "
        f"saved {result.luck:.1f}. For this spot the plan takes {result.plan_ticks}, "
        f"with {result.plan_scans} scans."
    )
    return Group(head, table)


def show_write(position: Position, result: r.WrittenMap) -> RenderableType:
    """Render the spots, and below them the walls and their corner."""
    walls = f"\nwalls from {_tile(result.at)}\n{result.walls}" if result.walls else ""
    return print_unwrapped((result.text + walls).rstrip("\n"))


def _clue(position: Any, index: int) -> str:
    seen = position.observations
    if index < len(seen):
        place = seen[index].at or seen[index].area
        return f"{PULSE[seen[index].pulse]} at {_tile(place)}"
    return f"spot {position.ruled_out[index - len(seen)] + 1} ruled out"


def _tile(tile: Any) -> str:
    return ", ".join(str(v) for v in tile)


def extend(app: typer.Typer) -> None:
    """Add the command `import`."""
    app.command("import")(import_files)


def import_files(
    spots: Annotated[
        Path | None, typer.Option(help="Lines of x, y and perhaps level, or JSON.")
    ] = None,
    clue_range: Annotated[int | None, typer.Option("--range", help="The clue's range.")] = None,
    region: Annotated[int | None, typer.Option(help="A built-in region's id.")] = None,
    walls: Annotated[
        Path | None, typer.Option(help="Walkability as a picture or text grid.")
    ] = None,
    at: Annotated[str | None, typer.Option(help="The grid's lowest tile, X,Y.")] = None,
) -> None:
    """Print a position made from a list of spots or a region, and a walkability grid."""
    named, listed = read_clue(read_text_lenient(spots)) if spots is not None else (None, None)
    reach = named if clue_range is None else clue_range
    position = Position(region=region, range=reach, spots=listed)
    check(position)
    if walls is not None:
        found = ask("scan", "walls", position, at=_corner(at), **_grid(walls))
        position = msgspec.structs.replace(position, walls=Walls(found.grid))
    print_position(position)


def _grid(file: Path) -> dict[str, str]:
    """Return the file as an option of `walls`: its text if it is UTF-8, else a picture."""
    data = read_bytes(file)
    try:
        return {"text": data.decode("utf-8-sig")}
    except UnicodeDecodeError:
        return {"png": base64.b64encode(data).decode()}


def _corner(at: str | None) -> tuple[int, int] | None:
    if at is None:
        return None
    try:
        x, y = (int(part) for part in at.split(","))
    except ValueError:
        raise BadOption("--at takes two whole numbers such as 2990,3390.", "$.at") from None
    return x, y
