"""The scan desk's tables and commands, as people read them."""

import json
from pathlib import Path

from commands import Command


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
