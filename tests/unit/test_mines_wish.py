"""Wishes for the easiest path of a puzzle: reading, writing, gaps and distance."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asking import ask_mines, vectors
from cluewise.cli.desks.mines_text import lack_text
from cluewise.desks.mines.generator.move_profile import (
    WORDS,
    MoveCount,
    MoveProfile,
    effort_score,
    profile_distance,
    profile_gaps,
    profile_like,
    rank,
    read_wish,
    write_wish,
)
from cluewise.desks.mines.rating import TECHNIQUES, Lack, Move, Technique
from cluewise.errors import BadOption

CASES = vectors("mines_cases")


def path(*kinds: Technique, counts: int = 2) -> list[Move]:
    clues = [*(f"group:{i}" for i in range(counts)), "flag:1"]
    return [Move(kind, clues, [i], "safe") for i, kind in enumerate(kinds)]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (
            "three sum steps, none deeper, curve rising",
            MoveProfile((MoveCount("sum", 3, 3),), "sum", None, True),
        ),
        ("2+ chain, 1..3 SUMS", MoveProfile((MoveCount("chain", 2, None), MoveCount("sum", 1, 3)))),
        (
            "no parity,  none harder than  weighted",
            MoveProfile((MoveCount("parity", 0, 0),), "weighted"),
        ),
        (
            "2 subset, no sum, none deeper",
            MoveProfile((MoveCount("subset", 2, 2), MoveCount("sum", 0, 0)), "subset"),
        ),
        ("at most 6 counts", MoveProfile(widest=6)),
        # as the page writes it
        (
            "3 sum, 0 chain, 2+ subset, none deeper, at most 6 counts, rising",
            MoveProfile(
                (MoveCount("subset", 2, None), MoveCount("chain", 0, 0), MoveCount("sum", 3, 3)),
                "sum",
                6,
                True,
            ),
        ),
    ],
)
def test_wish_is_read_in_free_wording(text: str, wish: MoveProfile) -> None:
    assert read_wish(text) == wish


@pytest.mark.parametrize(
    ("text", "why"), CASES["a wish that cannot be read is refused with the part that is wrong"]
)
def test_unreadable_wish_is_refused_with_its_wrong_part(text: str, why: str) -> None:
    with pytest.raises(BadOption) as refused:
        read_wish(text)
    assert str(refused.value).startswith(why)
    assert refused.value.where == "$.options.wish"


@st.composite
def wishes(draw: st.DrawFn) -> MoveProfile:
    """Draw satisfiable wishes of every form."""
    kinds = draw(st.lists(st.sampled_from(TECHNIQUES), unique=True, max_size=4))
    times = []
    for kind in sorted(kinds, key=rank):
        least = draw(st.integers(0, 999))
        times.append(MoveCount(kind, least, draw(st.none() | st.integers(least, 999))))
    hardest = max((rank(kind) for kind in kinds), default=0)
    deepest = draw(st.none() | st.sampled_from(TECHNIQUES[hardest:]))
    return MoveProfile(
        tuple(times), deepest, draw(st.none() | st.integers(0, 999)), draw(st.booleans())
    )


@given(wishes().filter(lambda wish: wish != MoveProfile()))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a machine at work
def test_wish_survives_writing_and_reading(wish: MoveProfile) -> None:
    assert read_wish(write_wish(wish)) == wish


def test_number_words_are_read() -> None:
    assert [read_wish(f"{word} sum").times[0].least for word in WORDS] == list(range(11))


def test_gaps_between_path_and_wish_have_both_numbers() -> None:
    wish = read_wish("3 sum, 1 subset, none deeper, at most 4 counts")
    moves = path("sum", "subset", "subset", "one", "parity", counts=5)
    found = profile_gaps(wish, moves)
    assert found == [
        Lack("many", 2, 1, "subset"), Lack("few", 1, 3, "sum"), Lack("deep", 1, 0, "sum"),
        Lack("wide", 5, 4),
    ]  # fmt: skip
    assert [lack_text(lack) for lack in found] == [
        "2 subset moves instead of 1", "1 sum move instead of 3", "1 move harder than sum",
        "a move rests on 5 counts instead of at most 4",
    ]  # fmt: skip
    assert profile_gaps(read_wish("2 subset, 1+ one, 0..1 sum"), moves) == []


@pytest.mark.parametrize(
    ("kinds", "falls"),
    CASES["a way rises if every third is as hard as the one before and the last harder"],
)
def test_path_rises_if_no_third_is_easier_than_the_one_before_and_the_last_is_harder(
    kinds: tuple[Technique, ...], falls: int
) -> None:
    found = profile_gaps(MoveProfile(rising=True), path(*kinds))
    assert found == ([Lack("falling", falls, 0)] if falls else [])
    assert all(lack_text(lack) == "it does not get harder towards the end" for lack in found)


def test_distance_to_a_wish_orders_paths() -> None:
    wish = read_wish("2 sum, none deeper, at most 3 counts")
    ways = [
        path("sum", "one", "sum"), path("sum", "bounds"), path("sum", "chain"), path("sum", "one"),
        path("one", "one"), path("one", "one", counts=9),
    ]  # fmt: skip
    far = [profile_distance(wish, moves) for moves in ways]
    assert far[0] == 0
    assert far == sorted(set(far))
    deep = [
        profile_distance(wish, path("sum", "sum", *more)) for more in (("weighted",), ("deeper",))
    ]
    assert 0 < deep[0] < deep[1]


def test_effort_is_the_sum_of_technique_weights_times_counts() -> None:
    assert effort_score([]) == effort_score(path("one", "one", counts=1)) == 0
    assert effort_score(path("subset", "cross", "sum", counts=3)) == 3 * (1 + 2 + 5)
    assert effort_score(path("deeper", counts=4)) == 9 * 4


@pytest.mark.parametrize(
    ("kinds", "compared", "wish"),
    [
        (("one", "chain", "chain"), "same", "2 chain, none deeper than chain, at most 3 counts"),
        (("one", "chain"), "harder", "2..3 chain, none deeper than chain, at most 4 counts"),
        (("one", "cross", "sum"), "easier", "1..2 cross, none deeper than cross, at most 3 counts"),
        (("one", "cross", "sum", "sum"), "easier",
         "1..2 cross, 1 sum, none deeper than sum, at most 3 counts"),
        (("one", "one"), "harder", "1..2 subset, none deeper than subset"),
        (("one", "one"), "same", "none deeper than one"),
    ],
)  # fmt: skip
def test_wish_is_derived_from_the_path_of_a_model(
    kinds: tuple[Technique, ...], compared: Any, wish: str
) -> None:
    moves = path(*kinds, counts=3)
    profile = profile_like(moves, compared)
    assert write_wish(profile) == wish
    assert read_wish(wish) == profile
    assert bool(profile_gaps(profile, moves)) is (compared != "same")


def test_puzzle_is_generated_slightly_harder_than_its_model() -> None:
    bare = {"desk": "mines", "v": 1}
    model = ask_mines("generate", bare, size=4, seed=1, wish="1 cross, none deeper")
    made = ask_mines("generate", bare, size=4, seed=2, model=model, compared="harder")
    assert made["rating"]["wished"]["met"]
    assert made["rating"]["wished"]["wish"].count("2..3 cross") == 1
    with pytest.raises(BadOption, match="mines are not known"):
        ask_mines("generate", bare, model={**bare, "board": model["board"]})
