"""The table of verbs has every verb, and the coverage floors are held."""

import json
import re
import tomllib
from pathlib import Path

from cluewise import desks
from wasm_build import check_coverage

ROOT = Path(__file__).resolve().parents[2]


def test_every_verb_of_every_desk_stands_in_a_row() -> None:
    text = (ROOT / "web/docs/dev/desks.md").read_text().partition("## Verbs side by side")[2]
    rows = [re.findall(r"[^|]+", line) for line in re.findall(r"^\| .*", text, re.MULTILINE)]
    head = [cell.strip() for cell in rows[0]]
    for name in desks.NAMES:
        cells = [row[head.index(name)] for row in rows[1:] if len(row) == len(head)]
        named = {verb for cell in cells for verb in re.findall(r"`([\w-]+)`", cell)}
        assert sorted(named) == sorted(verb.name for verb in desks.load(name).verbs), name


def test_less_than_the_floor_is_refused_and_more_says_that_it_may_rise() -> None:
    least = {"lines": 95.0, "branches": 95.0}
    said, holds = check_coverage.compare("package", {"lines": 97.26, "branches": 94.9}, least)
    assert not holds
    assert "may rise to 96.7" in said[0]
    assert "too little" in said[1]
    assert check_coverage.compare("package", {"lines": 95.0, "branches": 95.9}, least)[1]


def test_a_file_that_no_test_loads_counts_with_all_its_lines(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "seen.js").write_text("/** A head. */\nconst a = 1;\n\n// why\nuse(a);\n")
    (tmp_path / "web" / "unseen.js").write_text("export const b = 1;\nexport const c = 2;\n")
    report = tmp_path / "page.lcov"
    report.write_text("SF:web/seen.js\nDA:1,1\nDA:2,1\nDA:5,0\nend_of_record\n")
    assert check_coverage.page(report, tmp_path) == {"lines": 25.0}
    again = report.read_text() + "SF:web/seen.js\nDA:2,0\nDA:5,3\nend_of_record\n"
    report.write_text(again)  # a page that is loaded anew loads its files anew
    assert check_coverage.page(report, tmp_path) == {"lines": 50.0}


def test_the_packages_lines_and_branches_are_counted_apart(tmp_path: Path) -> None:
    totals = {"covered_lines": 9, "num_statements": 10, "covered_branches": 3, "num_branches": 4}
    (tmp_path / "report.json").write_text(json.dumps({"totals": totals}))
    found = check_coverage.package(tmp_path / "report.json")
    assert found == {"lines": 90.0, "branches": 75.0}


def test_the_packages_floor_is_at_least_95_percent() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert all(floor >= 95 for floor in check_coverage.floors("package").values())
    assert settings["coverage"]["run"]["branch"]
