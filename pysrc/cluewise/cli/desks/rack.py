"""Terminal tables of the rack desk; gain bands in the published colours."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cluewise.cli.drive import ask, print_position
from cluewise.core.desk import describe_options
from cluewise.desks.rack import results as r
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.stand import letter

COLOURS = {"poor": "red", "moderate": "yellow", "good": "blue", "excellent": "green"}
MOST_ROWS = 15


def show_indicate(position: Position, result: r.Indications) -> RenderableType:
    """Render the slots, best first, with the information gain of each token."""
    unit = f"{result.token} token, {result.model} model"
    head = f"{result.baseline:.2f} bits are open ({unit}). {result.note}"
    played = any(row.win for row in result.options)
    table = Table("slot", "wire", *(("wins",) if played else ()), "bits", "resolved", "", "why")
    for row in result.options:
        band = row.band or ""
        error = f" ±{row.error:.3f}" if row.error else ""
        table.add_row(
            "–" if row.slot is None else letter(row.slot), row.says or row.wire,
            *((_wins(row.win),) if played else ()), f"{row.gain:.3f}{error}",
            f"{row.resolved:.1%}", Text(band, COLOURS.get(band, "")), row.reason,
        )  # fmt: skip
    return Group(head, table, f"Assumed: {result.assumed}")


def show_posterior(position: Position, result: r.Posterior) -> RenderableType:
    """Render one row per hidden slot: its likeliest wires, red ones highlighted."""
    table = Table("stand", "slot", "chances")
    for i, stand in enumerate(result.stands):
        for j, chances in enumerate(stand.slots):
            if chances:
                ranked = sorted(chances.items(), key=lambda item: -item[1])
                table.add_row(_stand(position, i), letter(j), _chances(ranked))
    head = f"{int(result.arrangements):,} arrangements, {result.bits:.2f} bits are open."
    head = f"{head} {result.lost}".rstrip()
    return Group(head, table, f"Assumed: {result.assumed}")


def _chances(ranked: list[tuple[str, float]]) -> Text:
    text = Text()
    for wire, p in ranked[:6]:
        style = "bold red" if wire[0] == "R" else "yellow" if wire[0] == "Y" else ""
        text.append(f"{wire} {p:.1%}   ", style)
    red = sum(p for wire, p in ranked if wire[0] == "R")
    if red and any(wire[0] == "R" for wire, _ in ranked[6:]):
        text.append(f"(red {red:.1%})", "bold red")
    return text


def show_cuts(position: Position, result: r.Cuts) -> RenderableType:
    """Render the best cuts with their reasons, then the first rows of all cuts."""
    played = any(row.win for row in result.options)
    columns = ("cut", *(("wins",) if played else ()), "works", "red", "bits")
    choose = Table("", *columns, "why")
    for item in result.front:
        row = result.options[item.option]
        choose.add_row("★" if row.certain else "", *_cut(position, row, played), item.reason)
    table = Table(*columns)
    listed = [row for row in result.options if row.action != "miss" or (row.win and row.win.equal)]
    for row in listed[:MOST_ROWS]:
        table.add_row(*_cut(position, row, played))
    more = len(listed) - MOST_ROWS
    tail = [f"… and {more} more; --json lists all."] if more > 0 else []
    notes = [result.note] if result.note else []
    return Group(*notes, "To choose from", choose, "All, in order", table, *tail)


def _cut(position: Position, row: r.Cut, played: bool) -> tuple[str, ...]:
    """Return the cells of a row; with its chance to win and its error if games were simulated."""
    slots = "".join(letter(s) for s in row.slots)
    name = f"{row.action} {row.value} → {_stand(position, row.stand)} {slots}"
    gain = "–" if row.gain is None else f"{row.gain:.3f}"
    one = row.read.calibrated if row.read else row
    numbers = (f"{one.success:.1%}", f"{one.red:.1%}", gain)
    return (name, _wins(row.win), *numbers) if played else (name, *numbers)


def show_doubt(position: Position, result: r.Doubt) -> RenderableType:
    """Render the smallest sets of contradictory facts, if any."""
    if not result.contradiction:
        return f"All that is known can hold together. {result.sizes}"
    tables = []
    for conflict in result.smallest:
        table = Table("stand", "slot", "what", "where")
        for row in conflict:
            slot = "" if row.slot is None else letter(row.slot)
            table.add_row(_stand(position, row.stand), slot, row.text, row.where)
        tables.append(table)
    each = "These cannot all hold" if len(tables) == 1 else "Of each set, not all can hold"
    proof = "" if result.proved else " (a smaller set may exist)"
    return Group(f"{each}{proof}:", *tables, result.sizes)


def show_shorthand(position: Position, result: r.Shorthand) -> RenderableType:
    """Render the shorthand, one stand per line."""
    return Text("\n".join(result.text))


def show_deal(position: Position, result: r.Setup | r.Outcome | r.PartnerTurn) -> RenderableType:
    """Render the table as a sentence and in shorthand."""
    stands = (str(stand) for stand in result.position.stands)
    return Text("\n".join([result.text, *stands]))


show_outcome = show_use = show_deal


def show_simulate(position: Position, result: r.Simulation) -> RenderableType:
    """Render the table of simulated gains."""
    table = Table("token", "model", "mean", "sd", "best", "negative", "range", "bands from")
    for row in result.rows:
        bands = " · ".join(f"{b:.1%}" for b in row.bands)
        table.add_row(
            row.token, row.model, f"{row.mean:.2%}", f"{row.deviation:.2%}",
            f"{row.best:.2%}", f"{row.negative:.1%}",
            f"{row.least:.1f} … {row.most:.1f} bits", bands,
        )  # fmt: skip
    head = f"{result.games} games of {result.players} players, seed {result.seed}; "
    return Group(head + "shares of uncertainty resolved.", table, f"Draw: {result.assumed}")


def show_games(position: Position, result: r.WinRates) -> RenderableType:
    """Render the win rates, and the gain of single choices."""
    table = Table("policy", "won", "rate", "95 % interval", "gain ± error")
    for row in result.rows:
        table.add_row(
            row.way, str(row.won), f"{row.rate:.2%}", f"{row.low:.2%} … {row.high:.2%}",
            f"{row.gain:+.2%} ± {row.error:.2%}",
        )  # fmt: skip
    head = f"Mission {result.mission}, {result.players} players, {result.games} games, the same "
    one = result.decisions
    text = ""
    if one.choices:
        text = (
            f"{one.choices} choices by {result.deals} playouts, on {one.deals} other deals: "
            f"{one.gain:+.2%} ± {one.error:.2%} over the likeliest cut, {one.over_rule:+.2%} ± "
            f"{one.over_rule_error:.2%} over the policy of the playouts; another cut in "
            f"{one.changed:.0%}."
        )
    return Group(f"{head}deals for every policy.", table, text)


def _stand(position: Position, i: int) -> str:
    name = position.stands[i].name if i < len(position.stands) else ""
    return name or f"stand {i + 1}"


def show_partner(position: Position, result: r.PartnerTurn) -> RenderableType:
    """Render the partner's turn, its reason and the table."""
    return Group(show_deal(position, result), f"Reason: {result.reason}")


def show_review(position: Position, result: r.Review) -> RenderableType:
    """Render the summary of the game, then each turn with its chance to win as a bar."""
    table = Table("", "turn", "before", "decision", "luck", "after", "", "best instead")
    for i, turn in enumerate(result.turns):
        mark = "✗" if i == result.lost else "!" if i == result.mistake else ""
        gave, luck = turn.decision, turn.luck
        table.add_row(
            f"{i + 1}{mark}", turn.text, _percent(turn.before),
            "–" if gave is None else f"{100 * gave.chance:+.0f} ± {196 * gave.error:.0f}",
            "–" if luck is None else f"{100 * luck:+.0f}",
            _percent(turn.after),
            "█" * round(10 * turn.after.chance) if turn.after else "",
            _cut(position, turn.best, False)[0] if turn.best else "",
        )  # fmt: skip
    notes = dict.fromkeys(turn.note for turn in result.turns if turn.note)
    units = "Chances to win in %, decision (± 95 %) and luck in points."
    return Group(*result.summary, table, units, *notes)


def _percent(chance: r.Chance | None) -> str:
    return "–" if chance is None else f"{chance.chance:.0%}"


def _wins(win: r.Win | None) -> str:
    """Return the chance to win with its 95 % interval."""
    return f"{win.chance:.1%} ± {1.96 * win.error:.1%}" if win else "–"


DEFAULTS = {"cuts": {"rank": "auto"}}
TABLE = r.MissionOptions()
HELP = {option.name: option.text for option in describe_options(r.MissionOptions)}


def extend(app: typer.Typer) -> None:
    """Add the command `mission`."""
    app.command("mission", help="Print the position of a mission.")(_mission)


def _mission(
    number: Annotated[int, typer.Argument(help=HELP["mission"], min=1, max=66)],
    players: Annotated[int, typer.Option(help=HELP["players"], min=2, max=5)] = TABLE.players,
    seed: Annotated[int, typer.Option(help=HELP["seed"], min=0)] = TABLE.seed,
    seat: Annotated[int, typer.Option(help=HELP["seat"], min=0)] = TABLE.seat,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    del as_json  # the position is JSON either way
    options = {"mission": number, "players": players, "seed": seed, "seat": seat}
    print_position(ask("rack", "mission", **options))
