"""The verb `rate`: the scan trees of a method pack, replayed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.formats.packs import Place, RatedTree, rate_tree
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.regions import by_id, landings
from cluewise.desks.scan.results import RatedPack, RateOptions, TreeRating
from cluewise.errors import BadNotation

MOST_TEXT = 20_000_000  # characters


def rate(_position: Position, options: RateOptions) -> Job[RatedPack]:
    """What each scan tree of a pack covers, its faults and its ticks; other methods are skipped."""
    methods = _methods(options.pack)
    teleports: dict[Place, int] = {}
    for rows in landings().values():
        for one in rows:
            teleports[one.at] = min(one.ticks, teleports.get(one.at, one.ticks))
    trees = []
    for i, method in enumerate(methods):
        if isinstance(method, Mapping) and method.get("type") == "scantree":
            trees.append(_rating(method, teleports))
        yield Progress(i + 1, len(methods))
    return RatedPack(trees)


def _methods(text: str) -> list[Any]:
    where = "$.options.pack"
    if len(text) > MOST_TEXT:
        raise BadNotation("The pack is too long.", where)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadNotation("This is not the JSON of a method pack.", where) from None
    if isinstance(found, dict) and isinstance(found.get("pack"), dict):
        found = found["pack"]
    methods = found.get("methods") if isinstance(found, dict) else None
    if not isinstance(methods, list):
        raise BadNotation("A method pack has a list of `methods`.", where)
    return methods


def _rating(method: Mapping[str, Any], teleports: Mapping[Place, int]) -> TreeRating:
    clue, found, faults = None, RatedTree(), list[str]()
    spots = 0
    try:
        clue = int(method["for"]["clue"])
        if clue not in by_id():
            faults.append(f"There is no region {clue}.")
        spots = len(method["tree"]["ordered_spots"])
        found = rate_tree(method, teleports)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        faults.append(f"The tree is damaged: {problem or type(problem).__name__}.")
    expected = method.get("expected_time")
    return TreeRating(
        clue=clue,
        name=str(method.get("name", "")),
        spots=spots,
        covered=len(found.covered),
        answers=found.answers,
        depth=found.depth,
        faults=[*faults, *found.faults],
        ticks=found.mean,
        told=float(expected) if isinstance(expected, (int, float)) else None,
    )
