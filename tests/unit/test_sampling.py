"""The daily sample of tests, the tests of one desk or of a change, and the coverage floors."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import selection
from wasm_build import check_changed, check_coverage

TESTS = Path(__file__).resolve().parents[1]
SAMPLED = """
import pytest
from hypothesis import given, settings, strategies as st
from selection import sample

@pytest.mark.parametrize("seed", range(8))
def test_seeds(seed):
    print(f"<seed {seed}>")

@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["code", "rack"])
def test_names(name):
    print(f"<name {name}>")

@pytest.mark.sampled(of="pair")
def test_first():
    print("<first>")

@pytest.mark.sampled(of="pair")
def test_second():
    print("<second>")

@settings(max_examples=40, deadline=1)
@given(st.integers())
def test_drawn(number):
    print(f"<drawn {number}>")

def test_loop():
    print(*(f"<loop {n}>" for n in sample(range(4))))
"""


def run_pytest(folder: Path, *options: str, **sizes: int) -> tuple[list[str], str]:
    """Run the tests above; return what they printed, in order, and the whole output."""
    file = folder / "test_file.py"
    file.write_text(SAMPLED)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("CLUEWISE", "PYTEST"))}
    sizes = {"CLUEWISE_SAMPLE_DAY": 6} | sizes
    environment = clean | {name: str(n) for name, n in sizes.items()} | {"PYTHONPATH": str(TESTS)}
    plain = ["-p", "conftest", "-p", "no:cacheprovider", "-c", "/dev/null", "-rP"]
    command = [sys.executable, "-m", "pytest", *plain, f"--rootdir={folder}", *options, str(file)]
    done = subprocess.run(
        command, cwd=folder, env=environment,
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return re.findall(r"<(.+?)>", done.stdout), done.stdout


def test_a_run_takes_a_daily_sample_and_reports_what_it_left_out(tmp_path: Path) -> None:
    printed, output = run_pytest(tmp_path, "-n", "2")
    drawn = [line for line in printed if line.startswith("drawn")]
    assert set(printed) - set(drawn) == {"seed 6", "name code", "first", "loop 2"}
    assert len(drawn) == 5
    assert (
        "Sample of day 6: left out 35 of 40 Hypothesis examples, 9 of 12 cases, "
        "3 of 4 seeds in loops. Again: CLUEWISE_SAMPLE_DAY=6; everything: CLUEWISE_SAMPLE=1."
    ) in output


def test_sample_size_1_runs_everything(tmp_path: Path) -> None:
    printed, output = run_pytest(tmp_path, CLUEWISE_SAMPLE=1)
    assert len(printed) == 8 + 2 + 2 + 40 + 4
    assert "left out" not in output


@pytest.mark.parametrize(("n", "cases"), [(4, 30), (8, 3), (1, 5)])
def test_n_days_in_a_row_run_every_case_of_a_sample_of_one_in_n(
    n: int, cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "LIMIT", 1000)
    seen: list[int] = []
    for day in range(740_000, 740_000 + n):
        monkeypatch.setattr(selection, "DAY", day)
        chosen = selection.sample(range(cases), n, kind=selection.CASES)
        assert len(chosen) >= 1
        seen += chosen
    assert set(seen) == set(range(cases))
    assert n > cases or len(seen) == cases
    selection.total.clear()
    selection.left_out.clear()


def test_64_days_combine_every_seed_of_a_loop_with_every_case(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selection, "LIMIT", 1000)
    seen = set()
    for day in range(740_003, 740_003 + 64):
        monkeypatch.setattr(selection, "DAY", day)
        (case,) = selection.sample(range(8), kind=selection.CASES)
        seen |= {(case, seed) for seed in selection.sample(range(12))}
    assert len(seen) == 8 * 12
    selection.total.clear()
    selection.left_out.clear()


@pytest.mark.parametrize(
    ("name", "desks", "every", "tests"),
    [
        ("web/desks/code/page.js", {"code"}, False, 0),
        ("pysrc/cluewise/desks/rack/verbs/cuts.py", {"rack"}, False, 0),
        ("pysrc/cluewise/scan.pyi", {"scan"}, False, 0),
        ("wasm_build/kernel/mines/elimination_order.c", {"mines"}, False, 0),
        ("tests/vectors/code_oracle.json", {"code"}, False, 0),
        ("tests/unit/test_code_desk.py", set(), False, 1),
        ("tests/page/link.test.mjs", set(), False, 1),
        ("pysrc/cluewise/core/work.py", set(), True, 0),
        ("wasm_build/kernel/shared/bits.h", set(), True, 0),
        ("web/session/store.js", set(), True, 0),
        ("tests/conftest.py", set(), True, 0),
        ("README.md", set(), False, 0),
        ("e2e/test_code.py", set(), False, 0),
    ],
)
def test_a_changed_file_selects_the_tests_of_its_desk_or_of_all(
    name: str, desks: set[str], every: bool, tests: int
) -> None:
    found = check_changed.select([name])
    assert (found.desks, found.all_desks, len(found.tests)) == (desks, every, tests)


def test_the_commands_of_a_desk_contain_only_its_page_tests() -> None:
    *python, page = check_changed.commands(check_changed.Selection(desks={"sudoku"}))
    assert python[-1][python[-1].index("--desk") :][:2] == ["--desk", "sudoku"]
    assert page[:4] == check_changed.NODE
    assert len(page) > 3
    assert all("sudoku" in name for name in page[len(check_changed.NODE) :])
    assert check_changed.main(["chess"]) == 2


ROOT = Path(__file__).resolve().parents[2]


def test_coverage_below_the_floor_fails_and_a_higher_floor_is_suggested() -> None:
    least = {"lines": 95.0, "branches": 95.0}
    lines, passed = check_coverage.compare("package", {"lines": 97.26, "branches": 94.9}, least)
    assert not passed
    assert "may rise to 96.7" in lines[0]
    assert "Test the new code" in lines[1]
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


def test_the_package_has_separate_coverage_of_lines_and_branches(tmp_path: Path) -> None:
    totals = {"covered_lines": 9, "num_statements": 10, "covered_branches": 3, "num_branches": 4}
    (tmp_path / "report.json").write_text(json.dumps({"totals": totals}))
    found = check_coverage.package(tmp_path / "report.json")
    assert found == {"lines": 90.0, "branches": 75.0}


def test_the_packages_floor_is_at_least_95_percent() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert all(floor >= 95 for floor in check_coverage.floors("package").values())
    assert settings["coverage"]["run"]["branch"]
