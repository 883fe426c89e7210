"""The scan desk's tables and commands, as people read them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cluewise import service
from cluewise.cli.desks.scan import TABLES
from cluewise.cli.drive import request
from cluewise.core.work import finish
from commands import Command

FALADOR: dict[str, Any] = {"region": 364, "here": [2990, 3390]}
CONTRADICTION: dict[str, Any] = {
    "region": 364,
    "observations": [
        {"at": [2960, 3340, 0], "pulse": 3},
        {"at": [3040, 3400, 0], "pulse": 3},
    ],
}


def shown(verb: str, position: dict[str, Any], **options: Any) -> str:
    asked = request("scan", verb, position, **options)
    console = Console(width=110, record=True, file=io.StringIO())
    console.print(TABLES[verb](asked.position, finish(service.outcome(asked)).result))
    return console.export_text()


@pytest.mark.parametrize(
    ("verb", "position", "options", "words"),
    [
        ("classes", FALADOR, {}, ["18 spots left, 537 areas of 536 kinds", "2.32 bits (1 area)"]),
        ("classes", FALADOR, {"list": True}, ["★ 2.32", "517 more"]),
        ("classes", {}, {}, ["No spots yet"]),
        ("next", FALADOR, {"policy": "bits", "top": 1}, ["2.32", "ticks to walk"]),
        ("next", {"range": 5, "spots": [[0, 0]], "here": [9, 0]}, {}, ["Only spot 1", "4 ticks"]),
        ("route", FALADOR, {}, ["ticks on average", "walk to 2990, 3390", "dig at spot"]),
        ("route", FALADOR, {"listen": True}, ["run towards", "stop where the pulse changes",
                                              "no change as far as", "dig at spot"]),
        ("route", {"region": 349}, {"surge": 1, "dive": True},
         ["without abilities: ", ": dive at once to ", "surge ", "dig at spot"]),
        ("next", {"region": 364, "here": [3100, 3402]}, {"surge": 1, "dive": True},
         ["With abilities the first takes ", ": dive at once to ", "surge "]),
        ("next", FALADOR, {"listen": True}, ["On the run to the first", " left"]),
        ("review", {"range": 3, "spots": [[0, 0], [7, 0], [20, 0]], "observations": [
            {"at": [-5, 0], "pulse": 1}, {"at": [5, 0], "pulse": 3}]}, {},
         ["Spot 2 from -5, 0", "given away", "3 → 2"]),
        ("fewest", {"region": 364}, {}, ["1.778 scans", "total 32", "proved"]),
        ("regions", {}, {}, ["Falador", "elite"]),
        ("doubt", CONTRADICTION, {}, ["cannot all hold", "triple at 2960, 3340", "→ single"]),
        ("doubt", FALADOR, {}, ["can all hold"]),
        ("write", {"range": 3, "spots": [[0, 7]], "walls": {"painted": [[2, 3, 3, 3, 1]]}}, {},
         ["0, 7, 0", "walls from 2, 3", "##"]),
    ],
)  # fmt: skip
def test_a_table_says_what_matters(
    verb: str, position: dict[str, Any], options: dict[str, Any], words: list[str]
) -> None:
    text = shown(verb, position, **options)
    for word in words:
        assert word in text


def test_the_exit_status_tells_a_contradiction_from_bad_input_and_too_much(
    command: Command,
) -> None:
    contradiction = command("scan", "classes", "-", "--json", text=json.dumps(CONTRADICTION))
    assert contradiction.status == 3
    assert json.loads(contradiction.err)["error"]["kind"] == "contradiction"
    assert command("scan", "classes", "-", text='{"region": 1}').status == 2
    many = json.dumps({"range": 3, "spots": [[i, i] for i in range(70)]})
    assert command("scan", "fewest", "-", text=many).status == 4


def test_import_makes_a_position_from_files(command: Command, tmp_path: Path) -> None:
    spots, grid = tmp_path / "spots.txt", tmp_path / "walls.txt"
    spots.write_text("3200, 3200\n3210, 3220, 1\n")
    grid.write_text(".#\n..\n")
    arguments = ["--spots", str(spots), "--range", "9", "--walls", str(grid), "--at", "3200,3200"]
    made = command("scan", "import", *arguments)
    position = json.loads(made.out)
    assert position["spots"] == [[3200, 3200, 0], [3210, 3220, 1]]
    assert position["walls"]["grid"]["size"] == [2, 2]
    assert command("scan", "classes", "-", "--json", text=made.out).status == 0
    grid.write_bytes(b"\x89PNG nothing else")
    refused = command("scan", "import", *arguments)
    assert refused.status == 2
    assert "PNG" in refused.err
