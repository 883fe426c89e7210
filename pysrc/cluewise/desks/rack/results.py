"""Options and results of the rack desk's verbs; the page's types are generated from these."""

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
    """Base of all options."""


class Result(msgspec.Struct, frozen=True, omit_defaults=False):
    """Base of all results."""


class IndicateOptions(Options, frozen=True):
    """Flags of `indicate`."""

    stand: Annotated[int, doc("the stand whose player shows a token", ge=0)] = 0
    token: Annotated[TokenKind | None, doc("kind of token; default: the position's")] = None
    model: Annotated[Model, doc("how information is measured")] = "bayes"
    seen_by: Annotated[
        Literal["anybody", "teammates"],
        doc("teammates: averaged over the hands that each may hold"),
    ] = "anybody"
    samples: Annotated[int, doc("sampled hands per teammate", ge=1, le=2000)] = 40
    seed: Annotated[int, doc("seed of the samples", ge=0)] = 1
    house_rules: Annotated[bool, doc("parity tokens although yellow wires are in play")] = False
    criterion: Annotated[
        Literal["information", "win"],
        doc("rank by bits, or by the chance to win where it can be computed"),
    ] = "information"
    seconds: Annotated[
        float | None, doc("criterion win: simulate games for so long; default: 96 a token")
    ] = None


class Win(Result, frozen=True):
    """The chance to win the mission after a cut or a first token, from simulated games."""

    chance: float
    """Share of the games that were won."""
    error: float
    """Its standard error."""
    games: int
    """Games simulated after it."""
    equal: bool
    """Within two standard errors of the best, over the same deals."""


class Indication(Result, frozen=True):
    """A slot to indicate, with its information gain."""

    slot: int | None
    """The slot of the token; null for an absent value, whose token lies next to the stand."""
    wire: str
    """The wire there; empty for an absent value."""
    gain: float
    """Information gain, bits; can be negative in the published model."""
    resolved: float
    """The gain as a share of the baseline."""
    band: Band | None
    """poor, moderate, good or excellent; a bound belongs to the better band; null for false tokens
    and absent values.
    """
    reason: str
    """What the token shows to the table, one sentence."""
    error: float | None = None
    """Standard error of a sampled gain, bits; null if the gain is exact."""
    says: str | None = None
    """A false token (not:7) or one of an absent value (lacks:7); null: a true token."""
    win: Win | None = None
    """With `criterion` win: the chance to win; null if no games were simulated."""


class Indications(Result, frozen=True):
    """Every legal slot, best first."""

    model: Model
    """How information was measured."""
    token: TokenKind
    """The kind of token."""
    baseline: float
    """Entropy before the token, bits."""
    options: list[Indication]
    """Every slot on which the token may lie, by chance to win if it was computed, then gain, then
    slot.
    """
    assumed: str
    """Assumptions of the model."""
    note: str = ""
    """Why there are none, if the player may not choose a true token of this kind."""
    check: list[str] = []
    """Rules of the mission that are not in the numbers: see the card."""
    bands: list[float] = []
    """Shares resolved from which a token is called moderate, good, excellent."""


class PosteriorOptions(Options, frozen=True):
    """Flags of `posterior`."""

    model: Annotated[CutModel, doc("how shown wires count")] = "bayes"


class StandChances(Result, frozen=True):
    """The marginals of a stand."""

    slots: list[dict[str, float] | None]
    """By slot the probability of each wire; null if the viewer knows the wire."""


class Posterior(Result, frozen=True):
    """Exact marginals of all hidden wires."""

    model: CutModel
    """How shown wires count."""
    arrangements: str
    """Number of deals that fit, as a decimal."""
    bits: float
    """Entropy of the deal, bits."""
    stands: list[StandChances]
    """One entry per stand."""
    assumed: str
    """Assumptions of the model."""
    check: list[str] = []
    """Rules of the mission that are not in the numbers: see the card."""
    equipment: list[list[Action]] = []
    """Each player's usable detectors and ray: `[["double"], ["double"]]`."""
    tokens: list[list[str]] = []
    """Each player's first tokens by kind: own_choice, parity, multiplicity, random, absent, false;
    [] without a mission.
    """
    rules: list[str] = []
    """Kinds of the mission's special rules, and number_cards, captain_card if it has them."""
    cards: list[dict[str, str]] = []
    """By player the cards that are no cuts, by number: "" or why they are unusable now."""
    barred: list[dict[str, str]] = []
    """By player the values that a plain cut may not name now, each with the reason."""
    lost: str = ""
    """A sentence if no player can ever cut a wire again (deadlock), else ""."""
    saved_by: str = ""
    """The card that may end a deadlock if it lies there unused; "" without one."""


class CutsOptions(Options, frozen=True):
    """Flags of `cuts`."""

    model: Annotated[CutModel, doc("how shown wires count")] = "bayes"
    actions: Annotated[list[str], doc("only these, such as dual or double; default: all")] = []
    rank: Annotated[
        Literal["success", "win", "auto"],
        doc("by chance of success, or to win; auto: to win where it can be computed"),
    ] = "success"
    seconds: Annotated[
        float | None, doc("rank win: simulate games for so long; default: 2048 a cut at most")
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
    """Chances corrected by how often such cuts worked in whole games (logistic calibration)."""

    success: float
    """Probability that it works."""
    red: float
    """Probability that the bomb goes off."""


class Read(Result, frozen=True):
    """Chances of a cut given the others' last choices, made by the agreed policy."""

    success: float
    """Probability that it works."""
    red: float
    """Probability that the bomb goes off."""
    choices: int
    """Number of choices that count."""
    effective: float | None
    """Effective sample size of the drawn deals (Kish); null if all deals were enumerated."""
    calibrated: Calibrated
    """The calibrated chances, which are displayed."""


class Cut(Result, frozen=True):
    """A cut with its chances and information gain."""

    action: Action
    """dual, solo, reveal, together, the equipment used, or miss: a deliberate failure, which names
    a value that cannot be there; only if chances to win are computed.
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
    """Expected decrease of the deal's entropy, bits; null if it is not computed exactly, for the
    reason in `assumed`.
    """
    certain: bool
    """Whether it works in every deal that fits."""
    also: list[tuple[int, int]] = []
    """Solo, reveal, together: stand and slot of the wires on other stands."""
    win: Win | None = None
    """With `rank` win: the chance to win; null if no games were simulated."""
    read: Read | None = None
    """Chances of a dual cut given the others' choices, if they count; else null."""


class Recommendation(Result, frozen=True):
    """A recommended cut."""

    option: int
    """Its index in `options`."""
    reason: str
    """One sentence."""


class Cuts(Result, frozen=True):
    """Ranked cuts, and the recommended ones among them."""

    model: CutModel
    """How shown wires count."""
    bits: float
    """Entropy of the deal given the viewer's knowledge, bits."""
    options: list[Cut]
    """Every legal cut with a chance: certain first, then by success, red, gain, stand, slots,
    value.
    """
    front: list[Recommendation]
    """The recommended cuts."""
    assumed: str
    """Assumptions of the numbers."""
    check: list[str] = []
    """Rules of the mission that are not in the numbers: see the card."""
    note: str = ""
    """Which first tokens count as choices; with `rank` win the policy of the games, or why none
    were simulated, and the win rate of tables that cut by this list; the consequence of a turn
    without a legal action.
    """
    stuck: Stuck = ""
    """Consequence of a viewer's turn without a legal action: the turn is skipped or the bomb goes
    off; "" if there is one, or another player cuts instead.
    """
    stuck_steps: int = 0
    """Steps of the detonator that the skipped turn takes."""


class Suspect(Result, frozen=True):
    """A fact of a contradiction."""

    where: str
    """Its JSON path."""
    stand: int
    """Its stand."""
    slot: int | None
    """Its slot; null for a fact about the whole stand."""
    text: str
    """The fact in words."""


class Doubt(Result, frozen=True):
    """Whether the facts contradict each other, and the smallest conflicts."""

    contradiction: bool
    """Whether no deal fits."""
    smallest: list[list[Suspect]]
    """The smallest unsatisfiable sets of facts (at most 20); [] without a contradiction."""
    proved: bool
    """Whether it is proven that no smaller set exists."""
    sizes: str
    """A sentence if slots and wires in play do not match, else ""."""


class ShorthandOptions(Options, frozen=True):
    """Flags of `shorthand`."""

    text: Annotated[str | None, doc("one stand a line, such as 'Ann: 1 ? i5 !7 2x'")] = None


class Shorthand(Result, frozen=True):
    """The stands as text, one a line, and the position with the stands of the text."""

    text: list[str]
    """The stands, one a line."""
    position: Position
    """The position, with the stands of the text if there is one."""


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
    """Which card was used, and its public result; see `cluewise rack use --help`."""

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
    """What the card leaves open: look it up there."""
    choice: PastChoice | None = None
    """The turn as an entry of the position's `choices`; null if wires changed stands."""


class PartnerOptions(Options, frozen=True):
    """Flags of `partner`."""

    actor: Annotated[int, doc("the partner's seat, from 0", ge=0)] = 1
    token: Annotated[bool, doc("indicate a wire before the first cut")] = False


class PartnerTurn(Result, frozen=True):
    """A partner's turn in a practice game."""

    position: Position
    """The table after the turn."""
    text: str
    """The turn in words."""
    exploded: bool
    """The bomb has gone off."""
    reason: str
    """Reason for the choice, one sentence."""
    made: OutcomeOptions | None
    """The turn as options of `outcome`; null for a skipped one and a first token."""
    choice: PastChoice | None = None
    """The turn as an entry of the position's `choices`."""
    place: tuple[int, int] | None = None
    """Stand and slot of a first token."""


class PlayedTurn(Options, frozen=True):
    """A turn that was played: the options of `outcome` for a cut, of `use` for a card."""

    outcome: Annotated[OutcomeOptions | None, doc("a cut and how it ended")] = None
    use: Annotated[UseOptions | None, doc("equipment that is no cut, or a skip")] = None
    position: Annotated[
        Position | None, doc("the table before it; default: as the turns before it left it")
    ] = None


class ReviewOptions(Options, frozen=True):
    """Flags of `review`."""

    turns: Annotated[list[PlayedTurn], doc("the turns, oldest first")] = []
    games: Annotated[int, doc("games simulated for each chance", ge=64, le=8192)] = 512


class Chance(Result, frozen=True):
    """A chance to win from simulated games."""

    chance: float
    """Share of the games that were won."""
    error: float
    """Its standard error; 0 if every deal that fits was simulated."""


class ReviewedTurn(Result, frozen=True):
    """A turn: `before` + `decision` + `luck` = `after`.

    Chances are those of the player who acted, if all wires of that player are known at the end;
    else the viewer's, without a judgement of the decision.
    """

    actor: int
    """The player who acted."""
    text: str
    """The turn in words."""
    seen_by: int
    """The player whose knowledge the chances are."""
    before: Chance | None
    """Chance to win before the turn: after the best choice, if the decision is judged."""
    after: Chance | None
    """Chance given the result."""
    decision: Chance | None
    """Chance after the choice made less that after the best one, on the same deals; positive only
    within its error. null for equipment, and if the wires of the player are not known.
    """
    luck: float | None
    """Effect of the result: `after` less the chance after the choice made."""
    best: Cut | None
    """The best choice, if another one was made."""
    note: str = ""
    """Why something is missing, one sentence; else empty."""


class Review(Result, frozen=True):
    """The review of a game, turn by turn."""

    turns: list[ReviewedTurn]
    """The turns, oldest first."""
    ended: Literal["won", "lost", "open"]
    """How the game stands after the last turn."""
    decisions: float
    """Sum of all decisions, positive only within the errors."""
    luck: float
    """Sum of all luck."""
    lost: int | None
    """The turn that lost the game, from 0: the largest fall of the chance; null if not lost."""
    mistake: int | None
    """The turn of the costliest decision, from 0, if it exceeds two standard errors."""
    summary: list[str]
    """The result in sentences."""


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
    """Rules of the mission that are not in the numbers: see the card."""


Draw: TypeAlias = Literal["published", "played"]


class SimulateOptions(Options, frozen=True):
    """Flags of `simulate`."""

    games: Annotated[int, doc("games to deal", ge=1, le=20_000)] = 500
    players: Annotated[int, doc("2 to 5", ge=2, le=5)] = 5
    seed: Annotated[int, doc("seed of the deals", ge=0)] = 1
    draw: Annotated[Draw, doc("as in the published benchmark, or as played")] = "published"


class Benchmark(Result, frozen=True):
    """Shares of the entropy that tokens resolve, by kind of token and model."""

    model: str
    """How information was measured."""
    token: str
    """The kind of token."""
    choices: int
    """Number of choices."""
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
    """The results of many dealt games."""

    games: int
    """Games dealt."""
    players: int
    """Players in each."""
    seed: int
    """Seed of the deals."""
    draw: Draw
    """How the games were dealt and played."""
    assumed: str
    """The draw in words."""
    rows: list[Benchmark]
    """One row per kind of token and model."""


Way: TypeAlias = Literal["likeliest", "careful", "spare", "win", "misses", "agreed"]


class GamesOptions(Options, frozen=True):
    """Flags of `games`."""

    mission: Annotated[int, doc("1 to 66", ge=1, le=66)] = 4
    players: Annotated[int, doc("2 to 5", ge=2, le=5)] = 4
    games: Annotated[int, doc("games to play", ge=1, le=100_000)] = 100
    seed: Annotated[int, doc("seed of the deals", ge=0)] = 1
    ways: Annotated[
        list[str], doc("policies, compared with the first; default: all without playouts")
    ] = []
    deals: Annotated[int, doc("win, misses: most playouts of a cut", ge=16, le=8192)] = 512
    held_out: Annotated[
        float, doc("win, misses: share of choices evaluated on held-out deals", ge=0, le=1)
    ] = 0.0


class WayResult(Result, frozen=True):
    """How often a policy wins."""

    way: Way
    """The policy of every seat."""
    won: int
    """Games won."""
    rate: float
    """Their share."""
    low: float
    """Lower end of the 95 % interval of the share (Wilson)."""
    high: float
    """Its upper end."""
    gain: float
    """Rate less that of the first policy, on the same deals."""
    error: float
    """Standard error of the gain."""


class Decisions(Result, frozen=True):
    """Gains of single choices by rollouts, on held-out deals."""

    choices: int
    """Choices that were evaluated, of at least two cuts each."""
    deals: int
    """Held-out deals of each choice."""
    changed: float
    """Share of choices that are not the first cut by chance of success."""
    gain: float
    """Mean gain of the chance to win over that first cut."""
    error: float
    """Its standard error."""
    over_rule: float
    """Mean gain over the cut that the policy of rollouts makes."""
    over_rule_error: float
    """Its standard error."""


class WinRates(Result, frozen=True):
    """Win rates of policies, on the same deals."""

    mission: int
    """The mission that was played."""
    players: int
    """Players in each game."""
    games: int
    """Games of each policy."""
    seed: int
    """Seed of the deals."""
    deals: int
    """Most playouts of a cut, for policies that rank cuts by simulated games."""
    rows: list[WayResult]
    """One for each policy, in the order of the request."""
    decisions: Decisions
    """Gains of single choices, if some were evaluated."""
