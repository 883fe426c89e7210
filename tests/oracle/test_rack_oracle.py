"""The rack desk against numbers that were computed independently of it."""

from fractions import Fraction
from typing import Any

import pytest

from asking import ask_rack as ask
from asking import vectors
from cluewise.errors import BadOption

VECTORS = vectors("rack")
LEGAL = VECTORS["legal"]
named = pytest.mark.parametrize
CLOSE = 1e-8


@named("case", VECTORS["stands"], ids=lambda c: c["name"])
@named("token", ["standard", "parity", "multiplicity"])
@named(("model", "column"), [("published", 0), ("joint", 1), ("bayes", 1)])
def test_every_stand_token_and_model(
    case: dict[str, Any], token: str, model: str, column: int
) -> None:
    if model == "bayes" and not case["plain"]:
        pytest.skip("the vectors weigh known copies otherwise; brute force covers this one")
    result = ask("indicate", case["position"], token=token, model=model, house_rules=True)
    baseline = case["published"] if model == "published" else case["joint"]
    assert result["baseline"] == pytest.approx(baseline, abs=CLOSE)
    expected = {slot["slot"]: slot for slot in case["slots"]}
    key = "standard_bayes" if (token, model) == ("standard", "bayes") else token
    compared = 0
    for option in result["options"]:
        if key not in expected[option["slot"]]:
            continue
        gain = expected[option["slot"]][key][column]
        assert option["gain"] == pytest.approx(gain, abs=CLOSE)
        assert option["resolved"] == pytest.approx(gain / baseline, abs=CLOSE)
        compared += 1
    assert compared or token == "multiplicity"  # the variants with removed wires have no xM
    gains = [(-option["gain"], option["slot"]) for option in result["options"]]
    assert gains == sorted(gains)


@named("case", VECTORS["tables"], ids=lambda c: c["name"])
@named(("model", "column"), [("bayes", 2), ("tile-removal", 3)])
def test_every_table_slot_by_slot(case: dict[str, Any], model: str, column: int) -> None:
    result = ask("posterior", case["position"], model=model)
    assert result["arrangements"] == case["arrangements"]
    for row in case["slots"]:
        found = result["stands"][row[0]]["slots"][row[1]]
        expected = {wire: float(Fraction(p)) for wire, p in row[column].items()}
        assert found == pytest.approx(expected, abs=CLOSE)
        if len(expected) == 1:
            assert list(found.values()) == [1.0]


@named("case", VECTORS["tables"], ids=lambda c: c["name"])
@named(("model", "column"), [("bayes", 3), ("tile-removal", 4)])
def test_every_double_detector(case: dict[str, Any], model: str, column: int) -> None:
    result = ask("cuts", case["position"], model=model, actions=["double"])
    found = {
        (o["stand"], tuple(o["slots"]), o["value"]): (o["success"], o["red"])
        for o in result["options"]
    }
    for row in case["doubles"]:
        success, red = found.get((row[0], tuple(row[1]), str(row[2])), (0.0, None))
        assert success == pytest.approx(row[column], abs=CLOSE)
        if model == "tile-removal" and red is not None:
            assert red == pytest.approx(row[5], abs=CLOSE)


WORKED = {  # slot: standard, parity, multiplicity; each published, joint
    0: (1.681085, 0.797307, 0.775583, 0.573720, 0.790619, 1.527026),
    2: (4.733256, 2.197476, 0.861107, 0.962587, -1.076960, 1.139692),
    4: (8.448934, 4.363065, 1.049824, 1.004819, -1.691513, 1.343840),
    7: (10.980156, 6.230713, 1.215132, 1.038402, 1.083515, 1.594261),
    9: (4.189310, 2.780761, 0.775583, 0.573720, 0.862734, 0.851245),
}


def test_worked_example_has_the_published_digits() -> None:
    position = VECTORS["stands"][0]["position"]
    found: dict[int, list[float]] = {slot: [] for slot in range(10)}
    for token in ("standard", "parity", "multiplicity"):
        for model in ("published", "joint"):
            for option in ask("indicate", position, token=token, model=model)["options"]:
                found[option["slot"]].append(round(option["gain"], 6))
    for slot, gains in WORKED.items():
        assert tuple(found[slot]) == gains


def accepts(want: str, position: dict[str, Any], turn: dict[str, Any]) -> bool:
    try:
        ask(want, position, **turn["options"])
    except BadOption:
        return False
    return True


@named("case", LEGAL["positions"], ids=lambda c: c["name"])
def test_exactly_the_legal_cuts_are_listed_and_noted(case: dict[str, Any]) -> None:
    found = ask("cuts", case["position"], actions=case["actions"], every_triple=True)
    cuts = {(c["action"], c["stand"], tuple(c["slots"]), c["value"]): c for c in found["options"]}
    expected = {(action, i, tuple(j), v): (p, red) for action, i, j, v, p, red in case["cuts"]}
    assert set(cuts) == set(expected)
    for key, numbers in expected.items():
        assert (cuts[key]["success"], cuts[key]["red"]) == pytest.approx(numbers, abs=CLOSE)
    assert case["stuck"] in (None, found["stuck"])
    for turn in case["outcome"]:
        assert accepts("outcome", case["position"], turn) == turn["accepted"], turn


@named("case", LEGAL["indicate"], ids=lambda c: c["name"])
def test_first_tokens_are_ranked_only_where_a_true_one_is_chosen(case: dict[str, Any]) -> None:
    found = ask("indicate", case["position"], stand=case["stand"])
    assert sorted(o["slot"] for o in found["options"]) == case.get("slots", [])
    assert bool(found["note"]) == (case["expect"] == "none")


@named("case", LEGAL["use"], ids=lambda c: c["name"])
def test_the_fast_pass_cuts_only_wires_that_may_be_cut(case: dict[str, Any]) -> None:
    assert accepts("use", case["position"], case) == case["accepted"]
