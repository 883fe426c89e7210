"""The code desk's kernel functions against reference/code.py."""

import random
from array import array
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import factorial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_code
from cluewise.core.work import finish
from cluewise.desks.code.clue import Clue, answer_text
from cluewise.desks.code.engine.constraint_search import CodeCounter as Dealer
from cluewise.desks.code.engine.constraint_search import ConsistencySearch
from cluewise.desks.code.engine.scoring import CRITERIA, score
from cluewise.desks.code.engine.state import (
    CELLS,
    State,
    cell_names,
    count_codes,
    count_guesses,
    load,
    load_planes,
    load_space,
    pack,
    pack_guesses,
    pack_rules,
    unpack,
)
from cluewise.desks.code.position import Position, Rules, answer
from cluewise.kernel import kernel
from reference import code as slow
from wasm_build.codegen.kernel import kernel_for_tests

GAMES = [
    Rules(1, 3), Rules(2, 3), Rules(3, 3), Rules(3, 4), Rules(4, 3), Rules(5, 2),
    Rules(2, 4, repeat=False), Rules(3, 5, repeat=False), Rules(4, 5, repeat=False),
    Rules(3, 3, blanks=True), Rules(3, 4, repeat=False, blanks=True),
    Rules(3, 4, feedback="exact"), Rules(3, 3, blanks=True, feedback="exact"),
]  # fmt: skip


@cache
def codes_of(rules: Rules) -> list[str]:
    return slow.codes(rules.pegs, rules.colours, rules.repeat)


@cache
def guesses_of(rules: Rules) -> list[str]:
    return slow.guesses(rules.pegs, rules.colours, rules.repeat, rules.blanks)


def symmetries_times_guesses(rules: Rules) -> int:
    return factorial(rules.pegs) * factorial(rules.colours) * count_guesses(rules)


SMALL = [rules for rules in GAMES if symmetries_times_guesses(rules) < 3000]


@st.composite
def games(
    draw: st.DrawFn, most: int = 3, honest: bool = True, of: Sequence[Rules] = GAMES
) -> tuple[Rules, list[Clue]]:
    """Rules and clues; honest ones come from a secret, so they never contradict."""
    rules = draw(st.sampled_from(of))
    secret = draw(st.sampled_from(codes_of(rules)))
    clues = []
    for _ in range(draw(st.integers(0, most))):
        guess = draw(st.sampled_from(guesses_of(rules)))
        answered = slow.answer(guess, secret, rules.feedback == "exact")
        if not honest and draw(st.booleans()):
            answered = draw(st.sampled_from(rules.answers()))
        clues.append(Clue(guess, *answered))
    return rules, clues


def left(rules: Rules, clues: list[Clue]) -> list[str]:
    history = [(c.guess, (c.exact, c.partial)) for c in clues]
    return slow.consistent(codes_of(rules), history, rules.feedback == "exact")


def ask(want: str, rules: Rules, clues: list[Clue], **options: Any) -> Any:
    return ask_code(want, Position(rules, tuple(clues)), **options)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_space_lists_all_guesses_in_order(rules: Rules) -> None:
    with kernel().frame() as frame:
        state = State(frame, rules, ())
        finish(load_space(state))
        assert state.texts(state.space, state.guesses) == guesses_of(rules)
        for first in range(0, state.guesses, 7):  # also in parts with any bounds
            last = min(first + 5, state.guesses)
            at = frame.reserve(8 * 5)
            assert frame.call("code_space", state.packed, first, last, at) == last - first
            assert state.texts(at, last - first) == guesses_of(rules)[first:last]
        assert count_codes(rules) == len(codes_of(rules))
        for place, guess in enumerate(guesses_of(rules)):
            at = frame.put(array("Q", [pack(guess)]))
            assert frame.call("code_place", state.packed, at) == place


@given(games(honest=False))
@settings(deadline=None, max_examples=150)
def test_remaining_codes_equal_the_definition(game: tuple[Rules, list[Clue]]) -> None:
    rules, clues = game
    known = left(rules, clues)
    assert ask("remaining", rules, clues, top=1000) == {"count": len(known), "codes": known}


@given(games(honest=False), st.data())
@settings(deadline=None, max_examples=150)
def test_counting_by_colours_equals_enumeration(
    game: tuple[Rules, list[Clue]], data: st.DataObject
) -> None:
    rules, clues = game
    known = left(rules, clues)
    guess = data.draw(st.sampled_from(guesses_of(rules)))
    with kernel().frame() as frame:
        dealer, finder = Dealer(frame, rules), ConsistencySearch(frame, rules)
        cells = dict(slow.split(guess, known, rules.feedback == "exact"))
        assert finish(dealer.answers_to(guess, clues)) == cells
        assert finish(dealer.answers_one_by_one(guess, clues)) == cells
        assert finish(finder.answers_to(guess, clues)) == cells
        assert finish(dealer.count(clues)) == finish(finder.count(clues)) == len(known)
        drawn = finish(dealer.draw(clues, 200 if known else 0, seed=3))
        assert {unpack(w, rules.pegs) for w in drawn} <= set(known)


def test_codes_are_drawn_uniformly() -> None:
    """Ten thousand draws of 17 codes: chi squared with 16 degrees stays below 60 (1 in 2·10⁶)."""
    rules, clues = Rules(3, 4), [Clue("012", 1, 1)]
    known = left(rules, clues)
    with kernel().frame() as frame:
        drawn = finish(Dealer(frame, rules).draw(clues, 10_000, seed=1))
    tally = Counter(unpack(w, rules.pegs) for w in drawn)
    expected = 10_000 / len(known)
    assert sum((tally[c] - expected) ** 2 / expected for c in known) < 60


@given(games(of=SMALL))
@settings(deadline=None, max_examples=60)
def test_classes_and_representatives_equal_the_definition(game: tuple[Rules, list[Clue]]) -> None:
    rules, clues = game
    every, known = guesses_of(rules), left(rules, clues)
    pegs, colours = rules.pegs, rules.colours
    shown = set("".join(c.guess for c in clues))
    excluded = "".join(s for s in slow.SYMBOLS[:colours] if s not in set("".join(known)))
    free = [s for s in slow.SYMBOLS[:colours] if s not in shown and s not in excluded]
    dead = ("." if rules.blanks else "") + excluded
    constraint = slow.constraint_classes(every, [c.guess for c in clues], pegs, colours)
    least = set(constraint.least())
    alone = [g for g in every if slow.excluded_least(g, dead, rules.repeat) == g]
    found = ask("classes", rules, clues)
    assert found["excluded"] == len(alone)
    assert found["constraint"] == len(least)
    assert found["chain"] == len(least & set(alone))
    assert found["colour"] == colour_classes(every, dead, free, rules)
    for guess in every:
        constraint.join(guess, slow.excluded_least(guess, dead, rules.repeat))
    assert found["join"] == len(constraint.least())
    assert found["representatives"] == constraint.least()
    exact = rules.feedback == "exact"
    partition = slow.partition_classes(every, known, pegs, colours, exact)
    assert found["partition"] == len(partition.least())
    by_partition = ask("classes", rules, clues, filter="partition")["representatives"]
    assert by_partition == partition.least()


def colour_classes(every: list[str], dead: str, free: list[str], rules: Rules) -> int:
    classes = slow.Classes(every)
    for guess in every:
        classes.join(guess, slow.excluded_least(guess, dead, rules.repeat))
        for order in permutations(free):
            names = dict(zip(free, order, strict=True))
            classes.join(guess, "".join(names.get(s, s) for s in guess))
    return len(classes.least())


@given(
    games(of=SMALL),
    st.sampled_from([c for c in CRITERIA if c not in ("guesses", "within")]),
    st.booleans(),
    st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_all_fields_of_the_advice_equal_the_definition(
    game: tuple[Rules, list[Clue]], criterion: str, consistent_only: bool, merge: bool
) -> None:
    rules, clues = game
    every, known = guesses_of(rules), left(rules, clues)
    exact = rules.feedback == "exact"
    excluded = "".join(s for s in rules.symbols if s not in set("".join(known)))
    dead = ("." if rules.blanks else "") + excluded
    classes = slow.constraint_classes(every, [c.guess for c in clues], rules.pegs, rules.colours)
    for guess in every:
        classes.join(guess, slow.excluded_least(guess, dead, rules.repeat))
    alike: dict[tuple[slow.Answer, ...], str] = {}
    for guess in every if merge else ():
        vector = tuple(slow.answer(guess, s, exact) for s in known)
        classes.join(guess, alike.setdefault(vector, guess))
    members: dict[str, list[str]] = {}
    for guess in every:
        members.setdefault(classes.find(guess), []).append(guess)
    options = []
    for group in members.values():
        possible = [g for g in group if g in known]
        if consistent_only and not possible:
            continue
        speaker = (possible or group)[0]
        cells = slow.split(speaker, known, exact)
        options.append((slow.score(cells.values(), criterion), not possible, speaker, cells, group))
    options.sort(key=lambda o: o[:3])
    advice = ask(
        "advise", rules, clues, criterion=criterion, consistent_only=consistent_only, top=1000,
        merge=merge,
    )  # fmt: skip
    assert advice["remaining"] == len(known)
    assert advice["candidates"] == (len(known) if consistent_only else len(every))
    assert advice["kept"] == len(options)
    assert advice["ties"] == sum(o[0] == options[0][0] for o in options)
    assert advice["exact"] is True
    for shown, (_, impossible, speaker, cells, group) in zip(
        advice["options"], options, strict=True
    ):
        assert shown["guess"] == speaker
        assert shown["possible"] is not impossible
        assert shown["same"] == len(group)
        assert shown["answers"] == {f"{x}A{y}B": n for (x, y), n in sorted(cells.items())}
        assert shown["worst"] == max(cells.values())
        assert shown["parts"] == len(cells)
        assert shown["expected_left"] == sum(n * n for n in cells.values()) / len(known)


@given(games(most=2), st.data())
@settings(deadline=None, max_examples=60)
def test_own_guess_has_the_rank_of_its_class(
    game: tuple[Rules, list[Clue]], data: st.DataObject
) -> None:
    rules, clues = game
    guess = data.draw(st.sampled_from(guesses_of(rules)))
    known, exact = left(rules, clues), rules.feedback == "exact"
    advice = ask("advise", rules, clues, mine=guess, top=1000)
    mine = advice["mine"]
    cells = slow.split(guess, known, exact)
    assert mine["answers"] == {f"{x}A{y}B": n for (x, y), n in cells.items()}
    own = slow.score(cells.values(), "entropy"), guess not in known
    better = sum(
        (slow.score(o["answers"].values(), "entropy"), not o["possible"]) < own
        for o in advice["options"]
    )
    assert mine["rank"] == better + 1
    like = next(o for o in advice["options"] if o["guess"] == mine["like"])
    assert sorted(like["answers"].values()) == sorted(mine["answers"].values())
    assert mine["same"] == like["same"]
    assert mine["possible"] == (guess in known)


@given(games(most=4, honest=False))
@settings(deadline=None, max_examples=150)
def test_doubt_equals_the_definition(game: tuple[Rules, list[Clue]]) -> None:
    rules, clues = game
    found = ask("doubt", rules, clues)
    contradiction = not left(rules, clues)
    assert found["contradiction"] == contradiction
    conflicts: list[list[int]] = []
    for size in range(len(clues) + 1):
        if conflicts or not contradiction:
            break
        subsets = combinations(range(len(clues)), size)
        conflicts = [list(s) for s in subsets if not left(rules, [clues[i] for i in s])]
    assert found["smallest"] == conflicts
    repairs, redundant = [], []
    for i, clue in enumerate(clues):
        others = left(rules, clues[:i] + clues[i + 1 :])
        split = slow.split(clue.guess, others, rules.feedback == "exact")
        answered = (clue.exact, clue.partial)
        if set(split) <= {answered}:
            redundant.append(i)
        for (x, y), n in split.items() if contradiction else ():
            distance = abs(x - (clue.exact or 0)) + abs(y - (clue.partial or 0))
            repairs.append((distance, i, x, y, n))
    assert found["redundant"] == redundant
    shown = [
        (r["distance"], r["clue"], r["exact"], r["partial"], r["remaining"])
        for r in found["repairs"]
    ]
    assert shown == sorted(repairs)


@given(games(most=2), st.sampled_from(["first", "minmax", "minavg", "entropy", "maxparts"]))
@settings(deadline=None, max_examples=60)
def test_strategies_equal_the_definition(game: tuple[Rules, list[Clue]], criterion: str) -> None:
    rules, clues = game
    exact = rules.feedback == "exact"
    steps: Counter[int] = Counter()

    def play(secrets: list[str], depth: int) -> None:
        guess = secrets[0]
        if criterion != "first" and len(secrets) > 1:
            guess = min(
                guesses_of(rules),
                key=lambda g: (
                    slow.score(slow.split(g, secrets, exact).values(), criterion),
                    g not in secrets,
                    g,
                ),
            )
        cells: dict[slow.Answer, list[str]] = {}
        for secret in secrets:
            if secret == guess:
                steps[depth] += 1
            else:
                cells.setdefault(slow.answer(guess, secret, exact), []).append(secret)
        for cell in cells.values():
            play(cell, depth + 1)

    play(left(rules, clues), 1)
    found = ask("strategy", rules, clues, criterion=criterion)
    assert found["histogram"] == [steps[k] for k in range(1, max(steps) + 1)]


FEW = [
    Rules(1, 9), Rules(2, 8), Rules(3, 6), Rules(4, 5), Rules(4, 6, repeat=False),
    Rules(3, 5, blanks=True), Rules(4, 5, repeat=False, blanks=True), Rules(5, 3), Rules(6, 2),
]  # fmt: skip


@pytest.mark.sampled(of="code, full search")
@pytest.mark.parametrize("rules", FEW, ids=str)
def test_best_guess_for_few_secrets_is_the_best_of_all(rules: Rules) -> None:
    """Up to 64 secrets are split by sixteen guesses at a time, and whole runs of them are passed
    over by a bound; at every number of bytes of secrets, by every criterion, ties as the rule says.
    """
    dice = random.Random(7)
    sizes = {3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 64}
    met: set[int] = set()
    for _ in range(400):
        secret, clues = dice.choice(codes_of(rules)), list[Clue]()
        for _ in range(dice.randrange(1, 4)):
            guess = dice.choice(guesses_of(rules))
            clues.append(Clue(guess, *slow.answer(guess, secret, False)))
        secrets = left(rules, clues)
        n = len(secrets)
        if not 3 <= n <= 64 or n in met or (n not in sizes and dice.random() < 0.9):
            continue
        met.add(n)
        splits = [(slow.split(g, secrets, False), g) for g in guesses_of(rules)]
        for criterion in ("entropy", "minavg", "maxparts", "minmax"):
            best = min(
                (slow.score(cells.values(), criterion), g not in secrets, g) for cells, g in splits
            )
            found = ask("strategy", rules, clues, criterion=criterion, tree=True)
            assert found["tree"]["guess"] == best[2], (n, criterion, clues)
    assert met


@given(games(most=2))
@settings(deadline=None, max_examples=25)
def test_optimal_strategies_equal_exhaustive_search(game: tuple[Rules, list[Clue]]) -> None:
    rules, clues = game
    known = left(rules, clues)
    if 0 < len(known) <= 14:
        optimum = slow.Optimum(guesses_of(rules), rules.feedback)
        found = ask("strategy", rules, clues, criterion="optimal", tree=True)
        assert found["total"] == optimum.of_set(frozenset(known))[0]
        assert found["codes"] == len(known)
        check_tree(rules, found["tree"], known)


def check_tree(rules: Rules, branch: dict[str, Any], secrets: list[str]) -> None:
    """A tree that finds every secret: each answer leads on with the codes that give it."""
    assert branch["left"] == len(secrets)
    cells: dict[str, list[str]] = {}
    for secret in secrets:
        answered = slow.answer(branch["guess"], secret, rules.feedback == "exact")
        if secret != branch["guess"]:
            cells.setdefault(f"{answered[0]}A{answered[1]}B", []).append(secret)
    assert set(branch.get("answers", {})) == set(cells)
    for told_text, rest in cells.items():
        check_tree(rules, branch["answers"][told_text], rest)


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [(Rules(4, 10, repeat=False), (833, 1440, 5040)), (Rules(4, 8), (1025,)),
     (Rules(4, 9, repeat=False, blanks=True), (961, 3000)), (Rules(4, 7, blanks=True), (2113,)),
     (Rules(4, 12, repeat=False), (400, 449))],
    ids=str,
)  # fmt: skip
def test_guesses_of_one_multiset_have_the_same_counts_together_and_singly(
    rules: Rules, sizes: tuple[int, ...]
) -> None:
    dice, packed = random.Random(6), pack_rules(rules)
    number = len(cell_names(rules))
    for n in sizes:
        secrets = sorted(dice.sample(codes_of(rules), n))
        with kernel().frame() as frame:
            state = State(frame, rules, ())
            finish(load_space(state))
            many = state.guesses
            assert many * ((n + 63) // 64) >= 1 << 16  # what takes the way at test
            codes = frame.put(pack_guesses(secrets))
            planes = finish(load_planes(state, codes, n))
            out = frame.reserve(4 * CELLS * many)
            scratch = frame.reserve(8 * rules.pegs * ((n + 63) // 64))
            frame.call("code_split", packed, planes, n, state.space, many, scratch, out)
            flat = frame.get(out, "I", CELLS * many)
            splits = [flat[i : i + number] for i in range(0, len(flat), CELLS)]
            for criterion in ("minavg", "maxparts", "minmax"):
                can = frame.reserve(many)
                found = finish(score(state, criterion, planes, n, state.space, can, many)).scores()
                apart = [
                    slow.score([size for size in cells if size], criterion) for cells in splits
                ]
                assert found == apart, (n, criterion)


@given(st.lists(st.integers(0, 300), min_size=1, max_size=8), st.data())
@settings(deadline=None, max_examples=200)
def test_scores_order_partitions_like_exact_products(sizes: list[int], data: st.DataObject) -> None:
    from cluewise.core.information import compare_entropy

    other = list(sizes)
    for _ in range(3):
        i = data.draw(st.integers(0, len(other) - 1))
        j = data.draw(st.integers(0, len(other) - 1))
        move = data.draw(st.integers(0, other[i]))
        other[i] -= move
        other[j] += move
    with kernel_for_tests().frame() as frame:
        products = frame.reserve(16 * (sum(sizes) + 1), zero=True)
        out = frame.reserve(16)

        def score(cells: list[int]) -> int:
            at = frame.put(array("I", cells))
            asked = (at, len(cells), sum(sizes), 0, products, out)
            assert frame.kernel.host.call("code_score_cells", asked) == 0
            low, high = frame.get(out, "Q", 2)
            return int(low) | int(high) << 64

        assert (score(other) > score(sizes)) - (score(other) < score(sizes)) == compare_entropy(
            sizes, other
        )


def test_published_floating_point_hazard_is_an_exact_tie() -> None:
    with kernel_for_tests().frame() as frame:
        products, out = frame.reserve(16 * 9, zero=True), frame.reserve(32)
        for i, cells in enumerate(([4, 1, 1, 1, 1], [2, 2, 2, 2])):
            at = frame.put(array("I", cells))
            asked = (at, len(cells), 8, 0, products, out + 16 * i)
            assert frame.kernel.host.call("code_score_cells", asked) == 0
        first, second = frame.get(out, "Q", 4)[:2], frame.get(out, "Q", 4)[2:]
        assert first == second


@given(games(most=2), st.integers(0, 20))
@settings(deadline=None, max_examples=60)
def test_several_positions_can_be_loaded_at_once(game: tuple[Rules, list[Clue]], n: int) -> None:
    rules, clues = game
    with kernel().frame() as one, kernel().frame() as other:
        first = finish(load(one, rules, clues))
        finish(load(other, GAMES[n % len(GAMES)], ()))
        assert first.texts(first.secrets, first.n) == left(rules, clues)


@pytest.mark.sampled(of="code, full search")
@pytest.mark.parametrize(
    "rules",
    [Rules(4, 10, repeat=False), Rules(4, 10, feedback="exact"), Rules(5, 6, blanks=True),
     Rules(1, 9), Rules(8, 4)],
    ids=str,
)  # fmt: skip
def test_cells_are_counted_correctly_at_every_column_boundary(rules: Rules) -> None:
    """64 secrets a column, two columns a step, bytes that are added up every 62 columns."""
    dice, names = random.Random(3), cell_names(rules)
    for n in (1, 64, 65, 128, 384, 385, 448, 449, 3967, 3968, 3969, 4032, 4033, 7937, 8001):
        secrets = [
            "".join(dice.choices(rules.symbols, k=rules.pegs) if rules.repeat
                    else dice.sample(rules.symbols, rules.pegs))
            for _ in range(n)
        ]  # fmt: skip
        guesses = [*dice.sample(secrets, min(3, n)), secrets[0]]
        with kernel().frame() as frame:
            packed = pack_rules(rules)
            codes = frame.put(pack_guesses(secrets))
            planes = frame.reserve(8 * frame.call("code_plane_words", packed, n))
            columns = (n + 63) // 64
            frame.call("code_planes", packed, codes, n, planes, 0, columns)
            out = frame.reserve(4 * CELLS * len(guesses))
            asked = frame.put(pack_guesses(guesses))
            scratch = frame.reserve(8 * rules.pegs * columns)
            frame.call("code_split", packed, planes, n, asked, len(guesses), scratch, out)
            found = frame.get(out, "I", CELLS * len(guesses))
        for i, guess in enumerate(guesses):
            counts = Counter(answer_text(*answer(rules, guess, secret)) for secret in secrets)
            cells = found[i * CELLS : i * CELLS + len(names)]
            assert dict(zip(names, cells, strict=True)) == {name: counts[name] for name in names}
