"""What the rack desk's verbs take and give; the page's types are generated from these.

One file, because every desk has its options and results in one.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from cluewise.core.desk import doc
from cluewise.desks.rack.position import PastChoice, Position, TokenKind

Model: TypeAlias = Literal["published", "joint", "bayes"]
CutModel: TypeAlias = Literal["bayes", "tile-removal"]
Band: TypeAlias = Literal["poor", "moderate", "good", "excellent"]
Stuck: TypeAlias = Literal["", "skip", "explode"]
Action: TypeAlias = Literal[
    "dual", "solo", "reveal", "double", "triple", "super", "either", "together", "miss"
]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all option structs share."""


class Result(msgspec.Struct, frozen=True, omit_defaults=False):
    """What all results share."""


class IndicateOptions(Options, frozen=True):
    """Flags of `indicate`."""

    stand: Annotated[int, doc("the stand whose player shows a token", ge=0)] = 0
    token: Annotated[TokenKind | None, doc("kind of token; default: the position's")] = None
    model: Annotated[Model, doc("how information is measured")] = "bayes"
    seen_by: Annotated[
        Literal["anybody", "teammates"], doc("teammates: averaged over what each may hold herself")
    ] = "anybody"
    samples: Annotated[int, doc("sampled hands per teammate", ge=1, le=2000)] = 40
    seed: Annotated[int, doc("seed of the samples", ge=0)] = 1
    house_rules: Annotated[bool, doc("parity tokens although yellow wires are in play")] = False
    criterion: Annotated[
        Literal["information", "win"],
        doc("rank by bits, or by the chance to win where it can be computed"),
    ] = "information"
    seconds: Annotated[
        float | None, doc("criterion win: play games as long; default: 96 a token")
    ] = None


class Win(Result, frozen=True):
    """The chance to win the mission after a cut or a first token, from simulated games."""

    chance: float
    """Share of the games that were won."""
    error: float
    """Its standard error."""
    games: int
    """Simulated games with it."""
    equal: bool
    """Within two standard errors of the best, over the same deals."""


class Indication(Result, frozen=True):
    """A slot to indicate: gain in bits, the part of the uncertainty that it resolves."""

    slot: int | None
    """The slot it would lie on; null for an absent value, which lies next to the stand."""
    wire: str
    """The wire there; empty for an absent value."""
    gain: float
    """Bits that the token tells; can be negative in the published model."""
    resolved: float
    """The gain as a part of the baseline."""
    band: Band | None
    """poor, moderate, good or excellent; the lower bound belongs to the better word; null where
    a model has none.
    """
    reason: str
    """What the table would see, one sentence."""
    error: float | None = None
    """Standard error of a sampled gain, bits; null where it is exact."""
    says: str | None = None
    """What a token says that lies, or shows an absent value: not:7, lacks:7; null: the truth."""
    win: Win | None = None
    """With `criterion` win: the chance to win; null where no games were simulated."""


class Indications(Result, frozen=True):
    """Every legal slot, best first. `baseline` is what is open before, in bits."""

    model: Model
    """How information was measured."""
    token: TokenKind
    """The kind of token."""
    baseline: float
    """What is open before, bits."""
    options: list[Indication]
    """Every slot on which the token may lie, by the chance to win where it was computed, by gain,
    then slot.
    """
    assumed: str
    """What the model takes for granted."""
    note: str = ""
    """Why there are none, where the player may not choose a true token of this kind."""
    check: list[str] = []
    """Rules of the mission that are not in the numbers: ask the card."""
    bands: list[float] = []
    """Shares resolved from which a token is called moderate, good, excellent."""


class PosteriorOptions(Options, frozen=True):
    """Flags of `posterior`."""

    model: Annotated[CutModel, doc("how shown wires count")] = "bayes"


class StandChances(Result, frozen=True):
    """One entry per slot: chances by wire, or null where the viewer knows the wire."""

    slots: list[dict[str, float] | None]
    """Probabilities by wire, null where the viewer knows the wire."""


class Posterior(Result, frozen=True):
    """Exact chances. `arrangements` (decimal) counts the deals that fit; `bits`: their entropy."""

    model: CutModel
    """How shown wires count."""
    arrangements: str
    """How many arrangements of the hidden wires fit (decimal)."""
    bits: float
    """Their entropy."""
    stands: list[StandChances]
    """One entry a stand."""
    assumed: str
    """What the model takes for granted."""
    check: list[str] = []
    """Rules of the mission that are not in the numbers: ask the card."""
    equipment: list[list[Action]] = []
    """What each player may point with next to a plain cut: `[["double"], ["double"]]`."""
    tokens: list[list[str]] = []
    """What each player lays at the start, token by token: own_choice, parity, multiplicity, random,
    absent, false; [] without a mission's card.
    """
    rules: list[str] = []
    """The kinds of the mission's special rules, and number_cards, captain_card where it has them.
    """
    cards: list[dict[str, str]] = []
    """For each player the cards of the mission that are no cut, by number: "" or why not now."""
    barred: list[dict[str, str]] = []
    """For each player the values that may not be named with a plain cut now, each with why."""
    lost: str = ""
    """That no one who still has wires can ever cut one again, a sentence; "" while somebody may."""
    saved_by: str = ""
    """The number of a card that may yet help then, if it lies there unused; "" without one."""


class CutsOptions(Options, frozen=True):
    """Flags of `cuts`."""

    model: Annotated[CutModel, doc("how shown wires count")] = "bayes"
    actions: Annotated[list[str], doc("only these, such as dual or double; default: all")] = []
    rank: Annotated[
        Literal["success", "win", "auto"],
        doc("by chance of success, or to win; auto: to win where it can be computed"),
    ] = "success"
    seconds: Annotated[
        float | None, doc("rank win: play games as long; default: 2048 a cut at most")
    ] = None
    every_triple: Annotated[
        bool, doc("all triple detectors, not the three best a stand and value")
    ] = False
    joined: Annotated[
        bool, doc("the ray with a detector too: the three best a stand and detector")
    ] = False
    read: Annotated[
        bool | None, doc("others' past choices count; default: if there are choices")
    ] = None


class Calibrated(Result, frozen=True):
    """Chances as observed for such cuts in whole games of tables that follow the rule."""

    success: float
    """Probability that it works."""
    red: float
    """Probability that the bomb goes off."""


class Read(Result, frozen=True):
    """Chances of a cut where the others' last choices count as the agreed rule's."""

    success: float
    """Probability that it works."""
    red: float
    """Probability that the bomb goes off."""
    choices: int
    """How many choices count."""
    effective: float | None
    """How many equally weighted deals the drawn ones are worth; null where all deals count."""
    calibrated: Calibrated
    """Those chances as they are shown."""


class Cut(Result, frozen=True):
    """A cut: chance of success, chance that the bomb goes off, expected bits told.

    `gain` is null where it is not counted exactly; `assumed` then says why.
    """

    action: Action
    """dual, solo, reveal, together, the equipment used, or miss: a value that cannot be there,
    announced on purpose; only where the chance to win is computed.
    """
    stand: int
    """The stand pointed at; for solo and reveal the player's own."""
    slots: list[int]
    """The slots pointed at, ascending."""
    value: str
    """The value named, two as "3/5" for the ray, alone or with a detector."""
    success: float
    """Probability that it works."""
    red: float
    """Probability that the bomb goes off."""
    gain: float | None
    """Expected drop of the entropy of the deal, bits; null where it is not counted exactly."""
    certain: bool
    """No deal that fits is without it."""
    also: list[tuple[int, int]] = []
    """Solo, reveal, together: stand and slot of the wires on other stands."""
    win: Win | None = None
    """With `rank` win: the chance to win; null where no games were simulated."""
    read: Read | None = None
    """A cut at one wire where others' choices count; else null."""


class Recommendation(Result, frozen=True):
    """One of the cuts worth a look; `option` is its place in `options`."""

    option: int
    """Its place in `options`, from 0."""
    reason: str
    """One sentence."""


class Cuts(Result, frozen=True):
    """Cuts, certain ones first, then by success, red, gain; `front` is what to choose from."""

    model: CutModel
    """How shown wires count."""
    bits: float
    """Entropy of the deal, as the viewer sees it."""
    options: list[Cut]
    """Every legal cut with a chance: certain first, then by success, red, gain, stand, slots,
    value.
    """
    front: list[Recommendation]
    """What to choose from."""
    assumed: str
    """What the numbers take for granted."""
    check: list[str] = []
    """Rules of the mission that are not in the numbers: ask the card."""
    note: str = ""
    """Which first tokens are read as choices; with `rank` win how the games were played, or why
    none were, and what is won if all have cut by this list; what happens to a viewer who may do
    nothing.
    """
    stuck: Stuck = ""
    """What happens to a viewer whose turn it is and who may do nothing: the turn is skipped, or
    the bomb goes off; "" while she may do something, and where another player cuts instead.
    """
    stuck_steps: int = 0
    """Steps of the detonator that the skipped turn takes."""


class Suspect(Result, frozen=True):
    """One fact of a contradiction, with the place it stands at as a JSON path."""

    where: str
    """Its JSON path."""
    stand: int
    """The stand it stands on."""
    slot: int | None
    """The slot; null for what is said of a whole stand."""
    text: str
    """It in words."""


class Doubt(Result, frozen=True):
    """`smallest` is a smallest set of facts that cannot all hold, [] when all is well."""

    contradiction: bool
    """No deal fits."""
    smallest: list[list[Suspect]]
    """The sets of least size that cannot hold together (at most 20); [] when all is well."""
    proved: bool
    """No smaller set exists."""
    sizes: str
    """A sentence where slots and wires in play do not match, else ""."""


class ShorthandOptions(Options, frozen=True):
    """Flags of `shorthand`."""

    text: Annotated[str | None, doc("one stand a line, such as 'Ann: 1 ? i5 !7 2x'")] = None


class Shorthand(Result, frozen=True):
    """The stands as text, one a line, and the position with the stands of the text."""

    text: list[str]
    """The stands, one a line."""
    position: Position
    """The position, with the stands of the text where one was given."""


class OutcomeOptions(Options, frozen=True):
    """What happened at the table; see `cluewise rack outcome --help`."""

    action: Annotated[Action, doc("what was done")] = "dual"
    actor: Annotated[int | None, doc("the player who acted; default: viewer")] = None
    stand: Annotated[int, doc("the stand that was pointed at", ge=0)] = 0
    slots: Annotated[list[int], doc("the slots pointed at")] = []
    also: Annotated[list[tuple[int, int]], doc("together, alone: stand, slot on other stands")] = []
    value: Annotated[str, doc("the value named")] = ""
    success: Annotated[
        bool | None, doc("whether it worked; default: the sealed practice game knows")
    ] = None
    at: Annotated[int | None, doc("the slot cut, or the one that got the token")] = None
    shown: Annotated[str | None, doc("what it turned out to be, such as 7, Y4 or YELLOW")] = None
    stabilized: Annotated[
        bool, doc("with the stabilizer: a miss costs no step, red does not explode")
    ] = False
    own: Annotated[list[int] | None, doc("actor's stand and slot whose wire was cut too")] = None
    own_shown: Annotated[
        str | None, doc("that wire, such as Y4, where its number was not known")
    ] = None


class UseOptions(Options, frozen=True):
    """Which card was used, and what everybody saw; see `cluewise rack use --help`."""

    card: Annotated[str, doc("the card's number, such as 8 or 10.10, E1, E2; draw or skip")] = ""
    actor: Annotated[int | None, doc("the player who used it; default: viewer")] = None
    value: Annotated[str, doc("radar, fast pass, disintegrator: the number")] = ""
    yes: Annotated[list[int], doc("radar: the stands that said yes")] = []
    stand: Annotated[int, doc("the wire's stand", ge=0)] = 0
    slot: Annotated[int, doc("the wire; of two neighbours the left one", ge=0)] = 0
    slots: Annotated[list[int], doc("fast pass: the two slots")] = []
    shown: Annotated[
        str | None, doc("note: what the token shows; swap, hook: what came to you")
    ] = None
    places: Annotated[
        list[tuple[int, int]],
        doc("disintegrator: stand and slot of what was cut; fast pass: on other stands"),
    ] = []
    other: Annotated[tuple[int, int] | None, doc("swap: stand and slot of the other wire")] = None
    at: Annotated[int, doc("where the arriving wire went in, from 0", ge=0)] = 0
    other_at: Annotated[int, doc("swap: where the other one went in", ge=0)] = 0
    to: Annotated[int, doc("hook, draw: the stand it went to", ge=0)] = 0
    steps: Annotated[int, doc("skip: steps that it costs", ge=0, le=9)] = 0


class Outcome(Result, frozen=True):
    """The position after the turn, and the turn in words."""

    position: Position
    """The table after the turn."""
    text: str
    """The turn in words."""
    exploded: bool
    """The bomb has gone off."""
    check: list[str] = []
    """What the card leaves open: ask it."""
    choice: PastChoice | None = None
    """The turn as `choices` of the position has it; null where wires changed stands."""


class PartnerOptions(Options, frozen=True):
    """Flags of `partner`."""

    actor: Annotated[int, doc("the partner's seat, from 0", ge=0)] = 1


class PartnerTurn(Result, frozen=True):
    """A partner's turn in a practice game."""

    position: Position
    """The table after the turn."""
    text: str
    """The turn in words."""
    exploded: bool
    """The bomb has gone off."""
    reason: str
    """Why she did that, one sentence."""
    made: OutcomeOptions | None
    """The turn as `outcome` takes it; null for a skipped one."""
    choice: PastChoice | None = None
    """The turn as `choices` of the position has it."""


class PlayedTurn(Options, frozen=True):
    """A turn that was played: a cut (`outcome`) or a card (`use`), as those verbs take it."""

    outcome: Annotated[OutcomeOptions | None, doc("a cut and how it ended")] = None
    use: Annotated[UseOptions | None, doc("equipment that is no cut, or a skip")] = None
    position: Annotated[
        Position | None, doc("the table before it; default: as the turns before it left it")
    ] = None


class ReviewOptions(Options, frozen=True):
    """Flags of `review`."""

    turns: Annotated[list[PlayedTurn], doc("the turns, oldest first")] = []
    games: Annotated[int, doc("simulated games per chance", ge=64, le=8192)] = 512


class Chance(Result, frozen=True):
    """A chance to win from simulated games."""

    chance: float
    """Share of the games that were won."""
    error: float
    """Its standard error; 0 where every deal that fits was played."""


class ReviewedTurn(Result, frozen=True):
    """A turn: `before` + `decision` + `luck` = `after`.

    Chances are those of who acted, where all her wires are known in the end, else the viewer's,
    for whom nothing is said of the decision.
    """

    actor: int
    """The player who acted."""
    text: str
    """The turn in words."""
    seen_by: int
    """The player whose knowledge the chances are."""
    before: Chance | None
    """Chance to win before the turn: after the best choice, where the decision is judged."""
    after: Chance | None
    """Chance once the result was seen."""
    decision: Chance | None
    """Chance after the choice made less that after the best one, on the same deals; at most 0
    beyond its error. null for equipment and where the wires of who acted are not known.
    """
    luck: float | None
    """What the result changed: `after` less the chance after the choice made."""
    best: Cut | None
    """The best choice, where another one was made."""
    note: str = ""
    """Why something is missing, one sentence; else empty."""


class Review(Result, frozen=True):
    """A game looked back on, turn by turn."""

    turns: list[ReviewedTurn]
    """The turns, oldest first."""
    ended: Literal["won", "lost", "open"]
    """How the game stands after the last turn."""
    decisions: float
    """Sum of all that decisions gave away, at most 0 beyond the errors."""
    luck: float
    """Sum of all luck."""
    lost: int | None
    """The turn that lost the game, from 0: the largest fall of the chance; null if not lost."""
    mistake: int | None
    """The decision that gave most away, from 0, if more than two standard errors."""
    summary: list[str]
    """That in sentences."""


class MissionOptions(Options, frozen=True):
    """Flags of `mission` and `deal`."""

    mission: Annotated[int, doc("1 to 66", ge=1, le=66)] = 1
    players: Annotated[int, doc("2 to 5", ge=2, le=5)] = 4
    seed: Annotated[int, doc("which yellow and red wires are drawn", ge=0)] = 0
    seat: Annotated[int, doc("your place, counted from the captain", ge=0, le=4)] = 0


class Setup(Result, frozen=True):
    """A table laid out for a mission."""

    position: Position
    """The table."""
    text: str
    """The wires in play in words."""
    check: list[str] = []
    """What the card must be asked about: rules that are not modelled."""


Draw: TypeAlias = Literal["published", "played"]


class SimulateOptions(Options, frozen=True):
    """Flags of `simulate`."""

    games: Annotated[int, doc("games to deal", ge=1, le=20_000)] = 500
    players: Annotated[int, doc("2 to 5", ge=2, le=5)] = 5
    seed: Annotated[int, doc("seed of the deals", ge=0)] = 1
    draw: Annotated[Draw, doc("as in the published benchmark, or as played")] = "published"


class Benchmark(Result, frozen=True):
    """Shares of uncertainty resolved, over all choices and over each player's best one."""

    model: str
    """How information was measured."""
    token: str
    """The kind of token."""
    choices: int
    """Choices weighed."""
    mean: float
    """Mean share resolved, over all choices."""
    deviation: float
    """Standard deviation of that share."""
    best: float
    """Mean share of each player's best choice."""
    negative: float
    """Share of choices below 0."""
    least: float
    """Least gain, bits."""
    most: float
    """Largest gain, bits."""
    bands: list[float]
    """Lower bounds of moderate, good, excellent."""


class Simulation(Result, frozen=True):
    """One row a token and model."""

    games: int
    """Games dealt."""
    players: int
    """Players in each."""
    seed: int
    """Seed of the deals."""
    draw: Draw
    """How the games were dealt and played."""
    assumed: str
    """That in words."""
    rows: list[Benchmark]
    """Tokens and models."""


Way: TypeAlias = Literal["likeliest", "careful", "spare", "win", "misses", "agreed"]


class GamesOptions(Options, frozen=True):
    """Flags of `games`."""

    mission: Annotated[int, doc("1 to 66", ge=1, le=66)] = 4
    players: Annotated[int, doc("2 to 5", ge=2, le=5)] = 4
    games: Annotated[int, doc("games to play", ge=1, le=100_000)] = 100
    seed: Annotated[int, doc("seed of the deals", ge=0)] = 1
    ways: Annotated[
        list[str], doc("ways, compared with the first; all without playouts by default")
    ] = []
    deals: Annotated[int, doc("win, misses: playouts a cut", ge=16, le=8192)] = 512
    held_out: Annotated[
        float, doc("win, misses: share of choices valued on other deals", ge=0, le=1)
    ] = 0.0


class WayResult(Result, frozen=True):
    """How often a way to choose wins."""

    way: Way
    """The way in which every seat chooses."""
    won: int
    """Games won."""
    rate: float
    """Their share."""
    low: float
    """Lower end of the interval that holds the true share 19 times in 20 (Wilson)."""
    high: float
    """Its upper end."""
    gain: float
    """Rate less the first way's, on the same deals."""
    error: float
    """Standard error of the gain."""


class Decisions(Result, frozen=True):
    """What single choices by games gain, on deals that they were not made on."""

    choices: int
    """Choices that were valued, of at least two cuts each."""
    deals: int
    """Deals that each was valued on."""
    changed: float
    """Share in which it was another cut than the first of the plain order."""
    gain: float
    """Mean gain of win chance over the first of the plain order."""
    error: float
    """Its standard error."""
    over_rule: float
    """Mean gain over what the seats' rule does."""
    over_rule_error: float
    """Its standard error."""


class WinRates(Result, frozen=True):
    """Win rates of ways to choose, on the same deals."""

    mission: int
    """The mission that was played."""
    players: int
    """Players in each game."""
    games: int
    """Games played in each way."""
    seed: int
    """Seed of the deals."""
    deals: int
    """Playouts a cut, where cuts are ranked by games."""
    rows: list[WayResult]
    """One a way, as asked."""
    decisions: Decisions
    """What single choices gained, where some were valued."""
