"""The tool that counts all grids and makes the table of numbers again, on the last bands."""

import json
from pathlib import Path

import pytest

from cluewise.desks.sudoku.engine.grid_rank import BANDS, CLASSES, GRIDS, parse
from cluewise.kernel.files import read
from wasm_build.codegen import grid_counts as tool

ROOT = Path(__file__).resolve().parents[2]

TABLE = read("cluewise.desks.sudoku", "numbers.bin")
# Bands, their automorphisms, their grids and their fourth rows with grids, as counted for the first
# table by another program, which agreed with the Virtual-catalog-DLL band for band, row for row.
BAND_COUNTS = [
    tuple(map(int, line.split(",")))
    for line in (ROOT / "tests" / "vectors" / "sudoku_bands.csv").read_text().splitlines()[1:]
]


def test_the_table_has_the_published_count_of_every_band() -> None:
    totals = [band.sums[-1] for band in parse(TABLE)]
    assert totals == [grids for _, _, grids, _ in BAND_COUNTS]
    assert (len(totals), sum(totals)) == (BANDS, GRIDS)
    assert sum(rows for *_, rows in BAND_COUNTS) == 652_408
    assert sum(CLASSES.values()) == GRIDS


@pytest.mark.parametrize("band", [380, 394, 411, 416])
def test_a_band_counted_anew_makes_its_piece_of_the_table(band: int) -> None:
    found = tool.count_band(band)
    pieces = [tool.piece(found, rows) for rows, _ in parse(TABLE)[band - 1 : band]]
    assert pieces[0] in TABLE
    _, _, grids, rows = BAND_COUNTS[band - 1]
    assert (sum(found.grids), sum(n > 0 for n in found.grids)) == (grids, rows)
    assert sum(found.orders.values()) <= grids


def test_counting_goes_on_where_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "415.part").write_text("{half a")  # of a count that was stopped in the middle
    (tmp_path / "414.json").write_text(json.dumps(tool.Counted([0], [0], {})._asdict()))
    tool.count(413, 416, 1, tmp_path)
    said = capsys.readouterr().out
    assert "3/3" in said
    assert "band 414 " not in said
    assert tool.counted(412, tmp_path) is None
    last = tool.counted(416, tmp_path)
    assert last is not None
    assert (sum(last.grids), last.orders) == (1, {72: 1})
    assert not list(tmp_path.glob("*.part"))


def test_a_count_that_differs_is_named_and_a_missing_one_refused(tmp_path: Path) -> None:
    tool.count(416, 416, 1, tmp_path)
    assert list(tool.check(tmp_path)) == []
    found = json.loads((tmp_path / "416.json").read_text())
    found["grids"][-1] += 1
    (tmp_path / "416.json").write_text(json.dumps(found))
    assert list(tool.check(tmp_path)) == ["Band 416 does not agree."]
    with pytest.raises(SystemExit, match="Band 1 has not been counted"):
        tool.table(tmp_path, None)
