"""Canonical forms of states: the kernel's against permuting and comparing by definition."""

from array import array
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_code
from cluewise.core.work import finish
from cluewise.desks.code.engine.optimal import NEVER, UNLIMITED, Search
from cluewise.desks.code.engine.state import load, load_space, pack_guesses, pack_rules
from cluewise.desks.code.engine.symmetries import (
    Form,
    Permutation,
    Table,
    TableKind,
    canonical_form,
    refinement_key,
    set_keys,
)
from cluewise.desks.code.position import Rules
from cluewise.desks.code.tree import steps_of
from cluewise.kernel import kernel
from cluewise.kernel.layouts import CODE
from reference import code as slow
from reference import code_states as twin
from wasm_build.codegen.kernel import kernel_for_tests

GAMES: list[twin.Game] = [(2, 3, True), (3, 3, True), (3, 4, True), (3, 4, False), (2, 5, False)]
KINDS: list[TableKind] = ["A", "B", "STAR"]
WIN, LABELS = 3, 4


@st.composite
def sets(draw: st.DrawFn, most: int = 7) -> tuple[twin.Game, list[str]]:
    game = draw(st.sampled_from(GAMES))
    every = slow.codes(*game)
    return game, sorted(draw(st.sets(st.sampled_from(every), min_size=1, max_size=most)))


def keys_of(game: twin.Game, many: list[list[str]]) -> list[tuple[tuple[int, int], int]]:
    packed = pack_rules(Rules(game[0], game[1], repeat=game[2]))
    packed_sets = [array("Q", pack_guesses(one)) for one in many]
    with kernel().frame() as frame:
        return list(set_keys(frame, packed, game[0], packed_sets))


@given(sets(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_sets_have_equal_keys_iff_a_permutation_maps_one_to_the_other(
    chosen: tuple[twin.Game, list[str]], random: Random
) -> None:
    game, codes = chosen
    every = slow.symmetries(game[0], game[1])
    pool = slow.codes(*game)
    moved = sorted(slow.image(code, *random.choice(every)) for code in [codes[0]])
    image = random.choice(every)
    others = [
        sorted(slow.image(code, *image) for code in codes),
        sorted(random.sample(pool, len(codes))),
        sorted({*codes[1:], *moved}),
    ]
    keys = keys_of(game, [codes, *others])
    for other, (key, _) in zip(others, keys[1:], strict=True):
        assert (key == keys[0][0]) == (
            twin.least_image(game, other) == twin.least_image(game, codes)
        )
    keep = sum(sorted(slow.image(c, *one) for c in codes) == codes for one in every)
    assert keys[0][1] == keep


def form_of(columns: list[bytes], kind: TableKind) -> tuple[Form, tuple[int, int]]:
    with kernel().frame() as frame:
        at = frame.put(b"".join(columns))
        table = Table(frame, at, len(columns[0]), len(columns), LABELS, WIN)
        return finish(canonical_form(table, kind)), refinement_key(table, kind)


def relabel(columns: list[bytes], kind: str, random: Random) -> list[bytes]:
    """Return the table with rows and columns in another order and answers renamed."""
    rows = random.sample(range(len(columns[0])), len(columns[0]))
    names = [*random.sample(range(WIN), WIN), WIN]
    moved = []
    for column in columns:
        if kind == "STAR":
            names = [*random.sample(range(WIN), WIN), WIN]
        named = [cell if kind == "A" else names[cell] for cell in column]
        moved.append(bytes(named[i] for i in rows))
    random.shuffle(moved)
    return moved


@given(
    st.lists(st.lists(st.integers(0, WIN), min_size=5, max_size=5), min_size=1, max_size=8),
    st.sampled_from(KINDS),
    st.randoms(use_true_random=False),
)
@settings(max_examples=200, deadline=None)
def test_relabelled_table_has_the_same_canonical_form(
    rows: list[list[int]], kind: TableKind, random: Random
) -> None:
    columns = [bytes(row) for row in rows]
    mine, rough = form_of(columns, kind)
    disguise = relabel(columns, kind, random)
    theirs, rough_too = form_of(disguise, kind)
    assert (mine.key, mine.order, rough) == (theirs.key, theirs.order, rough_too)
    assert sorted(mine.rows) == sorted(theirs.rows)


def by_brute_force(columns: list[bytes], others: list[bytes], kind: str) -> bool:
    """Whether some order of rows makes the tables one, `A` or `STAR`."""
    mine, theirs = ([twin.form(c, WIN, kind) for c in t] for t in (columns, others))
    return twin.same_columns(mine, theirs, kind)


@given(
    st.lists(st.binary(min_size=4, max_size=4), min_size=2, max_size=4),
    st.lists(st.binary(min_size=4, max_size=4), min_size=2, max_size=4),
    st.sampled_from(["A", "STAR"]),
)
@settings(max_examples=200, deadline=None)
def test_tables_have_equal_keys_iff_they_are_isomorphic(
    one: list[bytes], other: list[bytes], kind: TableKind
) -> None:
    first, second = (
        [bytes((b & 1 and WIN) or b >> 1 & 1 for b in c) for c in t] for t in (one, other)
    )
    same = len(first) == len(second) and by_brute_force(first, second, kind)
    assert (form_of(first, kind)[0].key == form_of(second, kind)[0].key) == same


@pytest.mark.parametrize("kind", KINDS)
@given(columns=st.lists(st.binary(min_size=4, max_size=4), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_number_of_automorphisms_equals_brute_force(columns: list[bytes], kind: TableKind) -> None:
    table = [bytes(b % (WIN + 1) for b in column) for column in columns]
    assert form_of(table, kind)[0].order == twin.count_automorphisms(table, WIN, kind)


@given(sets(5), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_symmetry_of_two_positions_maps_one_to_the_other(
    chosen: tuple[twin.Game, list[str]], random: Random
) -> None:
    game, codes = chosen
    secret, guesses = codes[0], codes[1:]
    moved = random.choice(slow.symmetries(game[0], game[1]))
    rules = {"pegs": game[0], "colours": game[1], "repeat": game[2]}

    def position(secret: str, guesses: list[str]) -> dict[str, object]:
        answered = [(g, slow.answer(g, secret)) for g in guesses]
        clues = [{"guess": g, "exact": x, "partial": y} for g, (x, y) in answered]
        return {"rules": rules, "clues": clues}

    mine = position(secret, guesses)
    theirs = position(slow.image(secret, *moved), [slow.image(g, *moved) for g in guesses])
    found = ask_code("equivalent", mine, other=theirs)["state"]
    assert found["same"]
    assert found["kind"] in ("codes", "symmetry")
    if found["kind"] == "symmetry":
        colours = {str(i): str(c) for i, c in enumerate(found["colours"])}
        left = [ask_code("remaining", p, top=999)["codes"] for p in (mine, theirs)]
        assert sorted(slow.image(c, found["pegs"], colours) for c in left[0]) == left[1]


# ---- images in the search ------------------------------------------------------------------


def image_of(game: twin.Game, codes: list[str]) -> tuple[str, ...]:
    """The set that the kernel's permutation makes of a set of codes."""
    rules = Rules(game[0], game[1], repeat=game[2])
    with kernel_for_tests().frame() as frame:
        out = frame.reserve(CODE.Symmetry)
        asked = (pack_rules(rules), frame.put(pack_guesses(codes)), len(codes), out)
        assert frame.kernel.host.call("code_image", asked) == 0
        found = Permutation.from_kernel(bytes(frame.get(out, "B", CODE.Symmetry)), rules)
    assert sorted(found.pegs) == list(range(game[0]))
    assert sorted(found.colours) == list(range(game[1]))
    return tuple(sorted(map(found, codes)))


@given(sets(12))
@settings(max_examples=150, deadline=None)
def test_image_of_a_set_is_one_of_its_permutations(
    chosen: tuple[twin.Game, list[str]],
) -> None:
    game, codes = chosen
    assert twin.least_image(game, list(image_of(game, codes))) == twin.least_image(game, codes)


@pytest.mark.sampled(of="code, full search")
def test_nearly_all_equivalent_sets_have_the_same_image() -> None:
    # Not all: unlike members of equal print are not distinguished (see canonical_set.c).
    random = Random(0)
    several = 0
    for _ in range(1000):
        for game in GAMES:
            every = slow.codes(*game)
            codes = random.sample(every, random.randint(1, min(12, len(every))))
            moved = random.choice(slow.symmetries(game[0], game[1]))
            joined = [slow.image(code, *moved) for code in codes]
            several += image_of(game, sorted(codes)) != image_of(game, sorted(joined))
    assert several <= 5


def search(name: str, imaged: int, **rules: Any) -> tuple[int, int, int]:
    """The least total of a game, that of the tree found, and the sets looked into."""
    with kernel().frame() as frame:
        state = finish(
            load(frame, Rules(int(name[1]), int(name[3:-1]), name[4] == "r", **rules), ())
        )
        finish(load_space(state))
        one = Search(state, False, imaged=imaged)
        total = finish(one.total(one.state.codes(), one.clues(), UNLIMITED, NEVER, 0))
        tree = finish(one.tree(one.state.codes(), one.clues(), UNLIMITED))
        steps = sum(k * n for k, n in enumerate(steps_of(tree), 1))
        return total, steps, one.nodes()


@pytest.mark.sampled(of="code, full search")
@pytest.mark.parametrize(
    ("name", "total"),
    [("p4c6r", 5625), ("p4c7n", 3639), ("p4c8n", 7817), ("p4c9n", 14914), ("p3c9r", 3596)],
)
def test_images_reduce_the_sets_of_a_search_and_keep_its_total(name: str, total: int) -> None:
    # 5625: Koyama and Lai 1993; the others are from an independent solver, with and without keys
    plain, imaged = search(name, 0), search(name, CODE.MOST_IMAGED)
    assert plain[:2] == imaged[:2] == (total, total)
    assert imaged[2] < plain[2]


@pytest.mark.parametrize("rules", [{"blanks": True}, {"feedback": "exact"}])
def test_images_keep_the_total_of_games_with_blanks_or_exact_feedback(
    rules: dict[str, Any],
) -> None:
    assert search("p3c4r", 0, **rules)[:2] == search("p3c4r", CODE.MOST_IMAGED, **rules)[:2]
