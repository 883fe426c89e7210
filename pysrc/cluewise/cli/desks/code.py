"""Terminal tables of the code desk's verbs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from cluewise.cli.desks import plain_table, print_unwrapped
from cluewise.cli.desks.code_strategy import show_check as show_check
from cluewise.cli.desks.code_strategy import show_strategy as show_strategy
from cluewise.cli.desks.code_strategy import summed
from cluewise.core.results import Written
from cluewise.desks.code import results as r
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.formats.colour_names import read_signed_code
from cluewise.desks.code.position import Position

_UNITS = {
    "entropy": "bits",
    "minmax": "worst",
    "minavg": "left on average",
    "maxparts": "answers",
    "guesses": "guesses",
    "within": "codes found within the rows",
}
_SLIPS = {
    "answer": "miscounted",
    "peg": "one peg mistyped",
    "swap": "two pegs exchanged",
    "two": "two rows miscounted",
}
_MOST_SLIPS = 12


def show_advise(position: Position, result: r.Advice) -> RenderableType:
    """Render the options, best first, below the number of remaining codes."""
    head = f"{_codes(result.remaining)} still possible; "
    if result.tried is not None:
        head += f"{result.tried:,} of {result.candidates:,} guesses were compared."
    else:
        some = "" if result.questions else "at most "
        asked = result.questions or result.kept
        head += f"{result.candidates:,} guesses are {some}{asked:,} different questions."
    head += f" Ranked by {_UNITS[result.criterion]}."
    by_rows = result.criterion == "within"
    table = plain_table(
        "guess", ">codes found" if by_rows else ">guesses", ">at most", "", ">left on average",
        ">worst", ">answers", ">alike", ">bits",
    )  # fmt: skip
    for option in result.options:
        row = _row(position, option, result.weight or result.remaining)
        table.add_row(*row, style="bold" if option is result.options[0] else "")
    lines: list[RenderableType] = [Text(head), table]
    if position.is_solved():
        return Text(
            f"The code is {position.spelled(result.options[0].guess)}; nothing is left to ask."
        )
    if result.ties > 1:
        lines.append(Text(f"{result.ties:,} questions are exactly as good as the best."))
    if not result.exact:
        lines.append(Text(_how_certain(result)))
    if result.mine is not None:
        lines.append(_mine(position, result.mine, result.kept))
    return Group(*lines)


def _how_certain(result: r.Advice) -> str:
    if result.criterion == "within":
        return "Another guess may find more codes: not every guess was searched to the end."
    if result.gap is not None:
        text = f"Chosen with a sample of {result.sample:,} codes, then counted on all: a better "
        return f"{text}guess could give about {result.gap:.2g} bits more.{_bounded(result)}"
    if result.error == 0:
        text = "Every code left was counted; a guess that was not compared may be better."
        return text + _bounded(result)
    text = f"Estimated from a sample of {result.sample:,} codes: bits within "
    text += f"±{result.error:.2g}, 19 times in 20. A guess not compared may be better."
    return text + _bounded(result)


def _bounded(result: r.Advice) -> str:
    """Return a sentence on how much better another guess can be, rounded up."""
    if result.bound is None:
        return ""
    over = max(0.0, result.bound - result.options[0].bits + (result.error or 0.0))
    how = "the sample, with five standard errors" if result.error else "proved"
    return f" No guess is more than {ceil(100 * over) / 100:.2f} bits better ({how})."


def _row(position: Position, option: r.Option, whole: int) -> list[str]:
    cost = option.guesses
    return [
        position.spelled(option.guess),
        _found(option.within, whole) if option.within else _guesses(cost),
        str(cost.worst) if cost and cost.exact else "",
        "can be the code" if option.possible else "",
        f"{option.expected_left:.1f}",
        f"{option.worst:,}",
        str(option.parts),
        f"{option.same:,}",
        f"{option.bits:.3f}",
    ]


def _found(within: r.Within, whole: int) -> str:
    """Return the codes found within the rows, or their weight, and the share: `132 (10 %)`."""
    if within.codes is None:
        return f"{within.low:,} to {within.high:,}"
    return f"{within.codes:,} ({100 * within.codes / whole:.0f} %)"


def _guesses(found: r.Guesses | None) -> str:
    """Return the expected guesses, or their lower and upper bound: `5.10 to 5.35`."""
    if found is None:
        return ""
    if found.exact:
        return f"{found.expected:.3f}"
    return f"{found.low:.2f} to {found.high:.2f}"


def _mine(position: Position, mine: r.Mine, kept: int) -> Text:
    chance = "" if mine.possible else ", cannot be the code"
    text = f"Yours, {position.spelled(mine.guess)}: {_cost_of_mine(mine)}{chance}, "
    to = "" if mine.rank_to is None else f" to {mine.rank_to:,}"
    text += f"place {mine.rank:,}{to} of {kept:,}, "
    return Text(f"{text}{mine.bits_lost:.3f} bits less than the best.")


def _cost_of_mine(mine: r.Mine) -> str:
    if mine.within:
        codes = mine.within.codes
        found = f"{mine.within.low} to {mine.within.high}" if codes is None else f"{codes}"
        return f"{found} codes found within {mine.within.rows} rows"
    cost = _guesses(mine.guesses)
    return f"{cost} guesses, {mine.bits:.3f} bits" if cost else f"{mine.bits:.3f} bits"


def _codes(count: int) -> str:
    return "1 code is" if count == 1 else f"{count:,} codes are"


def show_remaining(position: Position, result: r.Remaining) -> RenderableType:
    """Render the number of remaining codes and some of them."""
    if result.count == 0:
        return Text("No code fits all the clues; `cluewise code doubt` says which to look at.")
    more = result.count - len(result.codes)
    tail = f" … and {more:,} more" if more and result.codes else ""
    codes = " ".join(position.spelled(code) for code in result.codes)
    return Text(f"{_codes(result.count)} possible.\n{codes}{tail}")


def show_classes(position: Position, result: r.ClassCounts) -> RenderableType:
    """Render the number of guesses that each filter keeps."""
    table = plain_table("filter", ">keeps")
    for name in ("excluded", "colour", "constraint", "chain", "join", "partition"):
        kept = getattr(result, name)
        table.add_row(name, "not counted" if kept is None else f"{kept:,}")
    shown = result.representatives
    more = f" … and {len(shown) - 60:,} more" if len(shown) > 60 else ""
    return Group(table, Text(" ".join(shown[:60]) + more))


def show_relations(position: Position, result: r.Relations) -> RenderableType:
    """Render the relations, finest first, the filters, and the pair or class in the options."""
    table = plain_table("relation", ">classes", ">guesses alike", "inside")
    for one in result.relations:
        classes = "not counted" if one.classes is None else f"{one.classes:,}"
        size = "" if one.size is None else f"{one.size:,}"
        table.add_row(one.name, classes, size, " ".join(one.inside))
    signs = position.signs or position.rules.symbols
    steps = plain_table("after", ">peg permutations", "colours never used", "colours excluded")
    for step in result.filter:
        after = "the rules" if step.guess is None else position.spelled(step.guess)
        masks = ["".join(signs[c] for c in mask) for mask in (step.free, step.excluded)]
        steps.add_row(after, f"{step.eligible:,}", *masks)
    head = Text(f"{_codes(result.remaining)} possible; {result.guesses:,} guesses.")
    lines: list[RenderableType] = [head, table, steps]
    if result.pair:
        lines.append(_pair_text(position, result.pair))
    if result.members:
        shown = " ".join(position.spelled(code) for code in result.members.codes)
        lines.append(Text(f"Class of {position.spelled(result.members.guess)}: {shown}"))
    return Group(*lines)


def _pair_text(position: Position, pair: r.Compared) -> RenderableType:
    """Render the relations between two guesses, with a proof of the first."""
    one, other = map(position.spelled, pair.guesses)
    joined = f"first joined by {pair.first}" if pair.first else "joined by no relation"
    skipped = f" Not computed: {', '.join(pair.open)}." if pair.open else ""
    lines = [f"{one} and {other}: {joined}.{skipped}"]
    lines += [
        f"  {position.spelled(s.guess)}: {_HOW[s.by]}{_moves(position, s)}" for s in pair.steps
    ]
    for cell in pair.cells:
        totals = f"; {cell.totals[0]} and {cell.totals[1]} guesses" if cell.totals else ""
        state = "same state" if cell.state else "other state"
        left = f"{cell.remaining[0]} and {cell.remaining[1]} left, {state}"
        lines.append(f"  {cell.answers[0]} ~ {cell.answers[1]}: {left}{totals}")
    if pair.totals:
        lines.append(f"  Under best play: {pair.totals[0]} and {pair.totals[1]} guesses in total.")
    return Text("\n".join(lines))


def _moves(position: Position, step: r.SameStep) -> str:
    if step.pegs is None or step.colours is None:
        return ""
    return f". {_swaps(position, step.pegs, step.colours)}"


def show_doubt(position: Position, result: r.Doubt) -> RenderableType:
    """Render the conflicts with their repairs, or the redundant clues."""
    lines: list[RenderableType] = []
    if not result.contradiction:
        lines.append(Text("The clues can all hold."))
    else:
        sets = "; ".join(_names(conflict) for conflict in result.smallest)
        lines.append(Text(f"No code fits. These cannot hold together: {sets}."))
        table = plain_table("row", "written", "could be", "what happened", ">codes left")
        for slip in result.slips[:_MOST_SLIPS]:
            was = [position.clues[change.clue] for change in slip.changes]
            table.add_row(
                "\n".join(str(change.clue + 1) for change in slip.changes),
                "\n".join(f"{position.spelled(c.guess)}  {c.answer}" for c in was),
                "\n".join(_changed_row(position, change) for change in slip.changes),
                _SLIPS[slip.kind],
                f"{slip.remaining:,}",
            )
        none = "No slip of one row, and no two answers that are one off, would explain it."
        lines.append(table if result.slips else Text(none))
    if result.redundant:
        lines.append(Text(f"Each of these follows from the others: {_names(result.redundant)}."))
    return Group(*lines)


def _changed_row(position: Position, change: r.Change) -> str:
    """Return a row after the change."""
    row = Clue(
        change.guess, change.exact, change.partial, False, change.marks, change.sum, change.won
    )
    return f"{position.spelled(row.guess)}  {row.answer}"


def _names(places: list[int]) -> str:
    return ("row " if len(places) == 1 else "rows ") + ", ".join(str(i + 1) for i in places)


def show_game(position: Position, result: r.GameValue) -> RenderableType:
    """Render the value and the optimal mixed strategy of the secret."""
    table = plain_table("kind of code", ">played")
    for code, share in result.mix.items():
        table.add_row(position.spelled(code), share)
    head = f"With best play of both sides: {result.value} guesses ({result.average:.4f}). "
    return Group(Text(f"{head}Against an even choice: {result.even}."), table)


def show_counts(position: Position, result: r.Counts) -> RenderableType:
    """Render the totals per round, then their terms."""
    rounds = ", ".join(f"{n:,}" for n in result.rounds)
    lines: list[RenderableType] = [Text(f"Different sequences of guesses, by round: {rounds}.")]
    for title, found in (("first guess", result.by_first), ("second guess", result.by_second)):
        if found:
            table = plain_table(title, ">different guesses after it")
            for guess, number in found.items():
                table.add_row(position.spelled(guess), f"{number:,}")
            lines.append(table)
    return Group(*lines)


def show_states(position: Position, result: r.States) -> RenderableType:
    """Render one row per number of clues: the states that they can leave."""
    table = plain_table(
        ">clues", ">sets of clues", ">irreducible", ">sets of codes", ">by symmetry", ">A", ">B",
        ">STAR", ">most left",
    )  # fmt: skip
    for number, found in enumerate(result.rounds, 1):
        counts = (found.sets, found.irreducible, found.distinct, found.symmetry)
        kinds = (found.A, found.B, found.STAR)
        shown = ["–" if n is None else f"{int(n):,}" for n in (*counts, *kinds)]
        table.add_row(str(number), *shown, f"{found.largest:,}")
    return table


def show_equivalent(position: Position, result: r.Equivalent) -> RenderableType:
    """Render whether two positions or guesses are equivalent, with the permutation if they are."""
    question = result.question
    if result.state is not None:
        return Text(
            "\n".join([_state_text(position, result.state), _permutation_text(position, result)])
        )
    if question and question.kind not in (None, "constraint"):
        steps = " then ".join(f"{position.spelled(s.guess)} {_HOW[s.by]}" for s in question.steps)
        return Text(f"The same question: {steps}.")
    return Text(_permutation_text(position, result))


def _permutation_text(position: Position, result: r.Equivalent) -> str:
    """Return whether permuting pegs and colours maps the first position to the second."""
    question = result.question
    if result.pegs is None or result.colours is None:
        text = "Not equivalent: no permutation of pegs and colours takes one to the other."
        if question and question.same is None:
            text += " Whether they split the remaining codes alike was not checked."
        return text
    agree = "" if result.answers_agree else "\nTheir answers differ."
    return f"Equivalent. {_swaps(position, result.pegs, result.colours)}{agree}"


def _swaps(position: Position, pegs: list[int], colours: list[int]) -> str:
    symbols = position.signs or position.rules.symbols
    moved = ", ".join(f"{i + 1}→{to + 1}" for i, to in enumerate(pegs))
    renamed = ", ".join(f"{symbols[i]}→{symbols[c]}" for i, c in enumerate(colours))
    return f"Pegs {moved}; colours {renamed}."


def _state_text(position: Position, state: r.SameState) -> str:
    """Return whether two positions are one state, with the bijection of codes if they are."""
    mine, theirs = state.remaining
    if mine != theirs:
        return f"Different states: {mine:,} and {theirs:,} codes are left."
    if state.same is None:
        return f"Both leave {mine:,} codes; whether they can be played alike was not determined."
    if state.kind is None:
        return f"Both leave {mine:,} codes, but no renaming makes their tables of answers one."
    if state.kind == "codes":
        return f"One state: both leave the same codes ({mine:,})."
    if state.pegs is not None and state.colours is not None:
        swaps = _swaps(position, state.pegs, state.colours)
        return f"One state: a symmetry takes the {mine:,} codes left to each other. {swaps}"
    pairs = ", ".join(f"{a}→{b}" for a, b in (state.left or [])[:20])
    more = " …" if mine > 20 else ""
    return f"One state, kind {state.kind}: the codes left play each other's parts. {pairs}{more}"


_HOW = {
    "colour": "by colours that are ruled out",
    "constraint": "by a permutation that keeps the rows",
    "partition": "by a permutation of the codes left",
}


def show_paste(position: Position, result: r.Pasted) -> RenderableType:
    """Render the clues, then the lines that could not be read."""
    table = plain_table("guess", "answer")
    written = Position(position.rules, signs=tuple(result.signs) or position.signs)
    for clue in result.clues:
        table.add_row(
            written.spelled(clue.guess), clue.answer + (" (ignored)" if clue.ignored else "")
        )
    lines: list[RenderableType] = [table]
    lines += (Text(f"Line {b.line}: {b.why}", style="yellow") for b in result.bad)
    return Group(*lines)


def show_write(position: Position, result: Written) -> RenderableType:
    """Render the text without wrapping."""
    return print_unwrapped(result.text.rstrip("\n"))


def show_deal(position: Position, result: r.Dealt) -> RenderableType:
    """Render the sealed secret."""
    return Text(f"A secret is drawn and sealed: {result.sealed}")


def show_judge(position: Position, result: r.Judged) -> RenderableType:
    """Render the answer to a guess."""
    return Text(result.answer + (" — that is the code." if result.won else ""))


def show_review(position: Position, result: r.Review) -> RenderableType:
    """Render the expected and the actual information of each guess."""
    costed = any(guess.guesses for guess in result.guesses)
    table = plain_table(
        "guess", "answer", ">left", ">bits expected", ">bits gained", ">luck", "best was", ">loss",
        *([">guesses given away"] if costed else []),
    )  # fmt: skip
    for guess in result.guesses:
        best = "" if guess.loss <= 0 else f"{position.spelled(guess.best)} ({guess.best_bits:.2f})"
        table.add_row(
            position.spelled(guess.guess), guess.answer, f"{guess.after:,}", f"{guess.bits:.2f}",
            f"{guess.got:.2f}", f"{guess.luck:+.2f}", best, f"{guess.loss:.2f}",
            *([_guesses(guess.guesses.given if guess.guesses else None)] if costed else []),
        )  # fmt: skip
    whole = f"Luck {result.luck:+.2f} bits, given away {result.loss:.2f} bits."
    reasons = dict.fromkeys(guess.uncosted for guess in result.guesses if guess.uncosted)
    return Group(table, Text(whole), *map(Text, reasons))


SUFFIXES = (".json",)
FOLDERS: dict[str, tuple[tuple[str, ...], Callable[[Any], tuple[str, ...]]]] = {
    "strategy": (("codes", "guesses", "average", "worst"), summed),
}

_CODE_OPTIONS = ("mine", "secret", "guess", "guesses", "by_second", "of")


def read_typed(position: Position, options: Any) -> Any:
    """Return the options with typed codes converted from the position's signs to symbols.

    The terminal prints codes in signs, so in a game of 1 to 6 a typed `1123` means `0012`.
    Requests in JSON use symbols.
    """
    read = partial(read_signed_code, position)
    given = {name: getattr(options, name, None) for name in _CODE_OPTIONS}
    typed = {name: read(text) for name, text in given.items() if isinstance(text, str)}
    pairs = {
        name: tuple(map(read, texts)) for name, texts in given.items() if isinstance(texts, tuple)
    }
    return msgspec.structs.replace(options, **typed, **pairs)
