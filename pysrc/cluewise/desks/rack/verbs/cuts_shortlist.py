"""The short list of cuts: certain ones, then the Pareto front of success, red and information.

A cut is on the front if no other is at least as good in all three and better in one. Plain cuts
precede detectors, which use up equipment. Every recommendation has a reason in words.
Cost: O(cuts^2) comparisons.
"""

from __future__ import annotations

from math import floor

from msgspec.structs import replace

from cluewise.desks.rack.results import Cut, Recommendation

Numbers = tuple[float, float, float]  # success, red, bits
PLAIN = ("dual", "solo", "reveal")
MOST_CERTAIN = 4
MOST_OPEN = 5
MISS = "A miss on purpose costs what a failed cut costs; it cannot set off the bomb."


def pareto_front(options: list[Cut]) -> list[Recommendation]:
    """Return certain cuts, then a spread of the Pareto front of dual cuts, then equipment.

    `options` are in descending order of success.
    """
    sure = [i for i, cut in enumerate(options) if cut.certain]
    bare = [i for i in sure if options[i].action in PLAIN]
    certain = bare[:MOST_CERTAIN] or sure[:2]
    plain = [i for i, cut in enumerate(options) if cut.action == "dual" and not cut.certain]
    chosen = _spread(options, _pareto(options, plain))
    listed = [Recommendation(i, _certain_reason(options[i])) for i in certain]
    for rank, i in enumerate(chosen):
        listed.append(Recommendation(i, _reason(options, i, rank, chosen)))
    return listed + _equipment(options, certain, chosen)


def agreed_shortlist(ranked: list[Cut]) -> list[Recommendation]:
    """Return the first cuts of the order that the players have agreed on."""
    return [
        Recommendation(i, _certain_reason(cut) if cut.certain else _agreed_reason(cut, i))
        for i, cut in enumerate(ranked[:MOST_OPEN])
    ]


def _agreed_reason(cut: Cut, rank: int) -> str:
    lead = "First in the list that all of you cut by" if not rank else "Further down that list"
    plain = f" Without their choices: {_percent(cut.success)}." if cut.read else ""
    one = cut.read.calibrated if cut.read else cut
    return f"{lead}: {_numbers(replace(cut, success=one.success, red=one.red))}{plain}"


def shortlist_by_win_rate(ranked: list[Cut], listed: list[Recommendation]) -> list[Recommendation]:
    """Return the short list with the cut that won most simulated games first.

    `listed` is the short list of the same cuts; `ranked` begins with those that were simulated.
    """
    best = ranked[0] if ranked else None
    if best is None or best.win is None:
        return listed
    rest = [one for one in listed if one.option != 0]
    if best.action == "miss":
        return [Recommendation(0, f"No cut won more of the simulated games. {MISS}"), *rest]
    reason = (
        _certain_reason(best)
        if best.certain
        else f"No cut won more of the simulated games: {_numbers(best)}"
    )
    misses = (i for i, cut in enumerate(ranked) if cut.action == "miss" and cut.win)
    equal = next((i for i in misses if (win := ranked[i].win) and win.equal), None)
    if equal is not None:
        rest.insert(0, Recommendation(equal, f"Wins as often as the best cut. {MISS}"))
    return [Recommendation(0, reason), *rest]


def _dominates(a: Numbers, b: Numbers) -> bool:
    """Return whether a dominates b: at least as good in all three and better in one."""
    return a[0] >= b[0] and a[1] <= b[1] and a[2] >= b[2] and a != b


def uses_ray(cut: Cut) -> bool:
    """Return whether a cut combines the ray with a detector."""
    return cut.action != "either" and "/" in cut.value


def information_gain(cut: Cut) -> float:
    """Return a cut's bits; 0 if they are not computed."""
    return cut.gain or 0.0


def _bits(cut: Cut) -> str:
    """Return `", 1.25 bits"`; "" if they are not computed."""
    return "" if cut.gain is None else f", {cut.gain:.2f} bits"


def _pareto(options: list[Cut], among: list[int]) -> list[int]:
    numbers = {i: (options[i].success, options[i].red, information_gain(options[i])) for i in among}
    found: dict[Numbers, int] = {}
    for i, mine in numbers.items():
        if mine not in found and not any(_dominates(one, mine) for one in found):
            found[mine] = i
    return [i for mine, i in found.items() if not any(_dominates(one, mine) for one in found)]


def _spread(options: list[Cut], found: list[int]) -> list[int]:
    """Return the likeliest cut, the one with most bits, and evenly spaced ones between them."""
    if len(found) <= MOST_OPEN:
        return found
    steps = MOST_OPEN - 1
    places = sorted({round(k * (len(found) - 1) / steps) for k in range(steps + 1)})
    most_bits = max(range(len(found)), key=lambda k: (information_gain(options[found[k]]), -k))
    return [found[k] for k in sorted({*places[:-1], most_bits})]


def _equipment(options: list[Cut], certain: list[int], chosen: list[int]) -> list[Recommendation]:
    """Return the best cut with each card that is likelier, or gains more, than plain cuts."""
    plain = [options[i] for i in certain + chosen]
    best = max((cut.success for cut in plain), default=0.0)
    gained = max((information_gain(cut) for cut in plain if cut.success == best), default=0.0)
    listed = []
    for action in ("double", "triple", "super", "either"):
        bare = (i for i, cut in enumerate(options) if cut.action == action and not uses_ray(cut))
        i = next(bare, None)
        if i is None or i in certain:
            continue
        cut = options[i]
        if cut.success > best:
            rise = f"from {_percent(best)} to {_percent(cut.success)}"
            text = f"With this equipment the chance rises {rise}."
            listed.append(Recommendation(i, text))
        elif not certain and cut.success == best and information_gain(cut) > gained:
            bits = information_gain(cut)
            text = f"Works as often as the likeliest cut and tells more: {bits:.2f} bits."
            listed.append(Recommendation(i, text))
    best = max([best, *(options[one.option].success for one in listed)])
    i = next((i for i, cut in enumerate(options) if uses_ray(cut)), None)
    if i is not None and options[i].success > best:
        rise = f"from {_percent(best)} to {_percent(options[i].success)}"
        listed.append(Recommendation(i, f"With both cards together the chance rises {rise}."))
    return listed


def _certain_reason(cut: Cut) -> str:
    if cut.action == "solo":
        return "Certain: all that is left of this value is yours."
    if cut.action == "reveal":
        return "Certain: only red wires are left in your hand."
    if information_gain(cut) > 0:
        return f"Certain, and it shows which one it is ({information_gain(cut):.2f} bits)."
    return "Certain: nothing else can stand there."


def _reason(options: list[Cut], i: int, rank: int, chosen: list[int]) -> str:
    cut = options[i]
    if rank == 0:
        lead = "The likeliest cut"
    elif information_gain(cut) == max(information_gain(options[j]) for j in chosen) > 0:
        lead = "Tells most, whether it works or not"
    elif cut.red == min(options[j].red for j in chosen) and options[chosen[0]].red > cut.red:
        lead = "Safer than the likeliest one"
    else:
        lead = "Gives up some safety for information"
    return f"{lead}: {_numbers(cut)}"


def _numbers(cut: Cut) -> str:
    danger = "no risk of red" if cut.red == 0 else f"red with {_percent(cut.red)}"
    return f"works with {_percent(cut.success)}, {danger}{_bits(cut)}."


def _percent(share: float) -> str:
    """Format a share as the page does, `"65 %"`; 0 % and 100 % only if they are exact."""
    whole = floor(100 * share + 0.5)
    if whole == 0 and share > 0:
        return "<\u00a01\u00a0%"
    return ">\u00a099\u00a0%" if whole == 100 and share < 1 else f"{whole}\u00a0%"
