"""What the rack desk's verbs take and give; the page's types are generated from these."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from cluewise.desks.rack.position import Fact, Position, Slot, TokenKind

Model: TypeAlias = Literal["published", "joint", "bayes"]
CutModel: TypeAlias = Literal["bayes", "tile-removal"]
Band: TypeAlias = Literal["poor", "moderate", "good", "excellent"]
Action: TypeAlias = Literal["dual", "solo", "reveal", "double", "triple", "super", "either"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all option structs share."""


class Result(msgspec.Struct, frozen=True, omit_defaults=False):
    """What all results share."""


class IndicateOptions(Options, frozen=True):
    """Flags of `indicate`."""

    stand: Annotated[int, Meta(description="the stand whose player shows a token", ge=0)] = 0
    token: Annotated[
        TokenKind | None, Meta(description="kind of token; default: the position's")
    ] = None
    model: Annotated[Model, Meta(description="how information is measured")] = "bayes"
    seen_by: Annotated[
        Literal["anybody", "teammates"],
        Meta(description="teammates: averaged over what each may hold herself"),
    ] = "anybody"
    samples: Annotated[int, Meta(description="sampled hands per teammate", ge=1, le=2000)] = 40
    seed: Annotated[int, Meta(description="seed of the samples", ge=0)] = 1
    house_rules: Annotated[
        bool, Meta(description="parity tokens although yellow wires are in play")
    ] = False


class Indication(Result, frozen=True):
    """A slot to indicate: gain in bits, the part of the uncertainty that it resolves."""

    slot: int
    wire: str
    gain: float
    resolved: float
    band: Band | None
    reason: str
    error: float | None = None  # standard error of a sampled gain


class Indications(Result, frozen=True):
    """Every legal slot, best first. `baseline` is what is open before, in bits."""

    model: Model
    token: TokenKind
    baseline: float
    options: list[Indication]
    assumed: str
    note: str = ""


class PosteriorOptions(Options, frozen=True):
    """Flags of `posterior`."""

    model: Annotated[CutModel, Meta(description="how shown wires count")] = "bayes"


class StandChances(Result, frozen=True):
    """One entry per slot: chances by wire, or null where the viewer knows the wire."""

    slots: list[dict[str, float] | None]


class Posterior(Result, frozen=True):
    """Exact chances. `arrangements` (decimal) counts the deals that fit; `bits`: their entropy."""

    model: CutModel
    arrangements: str
    bits: float
    stands: list[StandChances]
    assumed: str


class CutsOptions(Options, frozen=True):
    """Flags of `cuts`."""

    model: Annotated[CutModel, Meta(description="how shown wires count")] = "bayes"
    actions: Annotated[
        list[str], Meta(description="only these, such as dual or double; default: all")
    ] = []
    every_triple: Annotated[
        bool, Meta(description="all triple detectors, not the three best a stand and value")
    ] = False


class Cut(Result, frozen=True):
    """A cut: chance of success, chance that the bomb goes off, expected bits told.

    `gain` is null where it is not counted exactly; `assumed` then says why.
    """

    action: Action
    stand: int
    slots: list[int]
    value: str
    success: float
    red: float
    gain: float | None
    certain: bool
    also: list[tuple[int, int]] = []  # solo, reveal: stand and slot on the player's other stands


class Recommendation(Result, frozen=True):
    """One of the cuts worth a look; `option` is its place in `options`."""

    option: int
    reason: str


class Cuts(Result, frozen=True):
    """Cuts, certain ones first, then by success, red, gain; `front` is what to choose from."""

    model: CutModel
    bits: float
    options: list[Cut]
    front: list[Recommendation]
    assumed: str


class Suspect(Result, frozen=True):
    """One fact of a contradiction, with the place it stands at as a JSON path."""

    where: str
    stand: int
    slot: int | None
    text: str


class Doubt(Result, frozen=True):
    """`smallest` is a smallest set of facts that cannot all hold, [] when all is well."""

    contradiction: bool
    smallest: list[Suspect]
    proved: bool  # no smaller set exists
    sizes: str  # a sentence when slots and wires in play do not match, else ""


class ShorthandOptions(Options, frozen=True):
    """Flags of `shorthand`."""

    text: Annotated[
        str | None, Meta(description="one stand a line, such as 'Ann: 1 ? i5 !7 2x'")
    ] = None


class Shorthand(Result, frozen=True):
    """The stands as text, one a line, and the position with the stands of the text."""

    text: list[str]
    position: Position


class OutcomeOptions(Options, frozen=True):
    """What happened at the table; see `cluewise rack outcome --help`."""

    action: Annotated[Action, Meta(description="what was done")] = "dual"
    actor: Annotated[int | None, Meta(description="the player who acted; default: viewer")] = None
    stand: Annotated[int, Meta(description="the stand that was pointed at", ge=0)] = 0
    slots: Annotated[list[int], Meta(description="the slots pointed at")] = []
    value: Annotated[str, Meta(description="the value named")] = ""
    success: Annotated[
        bool | None, Meta(description="whether it worked; default: the sealed practice game knows")
    ] = None
    at: Annotated[int | None, Meta(description="the slot cut, or the one that got the token")] = (
        None
    )
    shown: Annotated[
        str | None, Meta(description="what it turned out to be, such as 7, Y4 or YELLOW")
    ] = None
    own: Annotated[
        list[int] | None, Meta(description="actor's stand and slot whose wire was cut too")
    ] = None


class Outcome(Result, frozen=True):
    """The position after the turn, and the turn in words."""

    position: Position
    text: str
    exploded: bool


class MissionOptions(Options, frozen=True):
    """Flags of `mission` and `deal`."""

    mission: Annotated[int, Meta(description="1 to 30", ge=1, le=30)] = 1
    players: Annotated[int, Meta(description="2 to 5", ge=2, le=5)] = 4
    seed: Annotated[int, Meta(description="which yellow and red wires are drawn", ge=0)] = 0
    seat: Annotated[int, Meta(description="your place, counted from the captain", ge=0, le=4)] = 0


class Setup(Result, frozen=True):
    """A table laid out for a mission."""

    position: Position
    text: str


__all__ = ["Fact", "Slot"]
