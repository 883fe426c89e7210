"""Spots, walls and method packs in foreign formats: round trips, ratings and named errors."""

import base64
import io
import itertools
import json
import random
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from asking import ask_scan
from cluewise import service
from cluewise.desks.scan import walls
from cluewise.desks.scan.formats.maps import read_grid, read_spots, write_grid, write_spots
from cluewise.desks.scan.formats.walls_image import read_picture
from cluewise.desks.scan.regions import by_id
from cluewise.errors import BadInput, BadPosition
from commands import Command
from selection import sample

SPOT = st.tuples(st.integers(-2000, 15000), st.integers(-2000, 15000), st.integers(0, 3))
FILTERS = [0, 1, 2, 3, 4]


@given(st.lists(SPOT))
def test_spots_survive_writing_and_reading(spots: list[tuple[int, int, int]]) -> None:
    assert list(read_spots(write_spots(spots))) == spots


@given(st.integers(1, 40), st.integers(1, 20), st.data())
def test_grids_survive_text_and_packing(width: int, height: int, data: Any) -> None:
    rows = data.draw(st.lists(st.integers(0, (1 << width) - 1), min_size=height, max_size=height))
    assert read_grid(write_grid(width, rows)) == (width, rows)
    assert walls.unpack(walls.pack(rows, (0, 0), (width, height))) == rows


def png(pixels: list[list[tuple[int, ...]]], colour: int, filters: list[int]) -> bytes:
    """Return a PNG of the pixels, each row with its filter, by the definition of the filters."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    width = len(pixels[0])
    before, body = [0] * (width * channels), b""
    for row, kind in zip(pixels, filters, strict=True):
        flat = [v for pixel in row for v in pixel]
        out = [kind]
        for i, value in enumerate(flat):
            left = flat[i - channels] if i >= channels else 0
            corner = before[i - channels] if i >= channels else 0
            out.append((value - predict(kind, left, before[i], corner)) % 256)
        body += bytes(out)
        before = flat
    head = struct.pack(">IIBBBBB", width, len(pixels), 8, colour, 0, 0, 0)
    parts = [(b"IHDR", head)]
    if colour == 3:
        parts.append((b"PLTE", bytes([0, 0, 0, 255, 255, 255])))
    parts += [(b"IDAT", zlib.compress(body)), (b"IEND", b"")]
    chunks = b"".join(
        struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b)) for n, b in parts
    )
    return b"\x89PNG\r\n\x1a\n" + chunks


def predict(kind: int, left: int, above: int, corner: int) -> int:
    if kind == 4:
        guess = left + above - corner
        return min((left, above, corner), key=lambda v: abs(guess - v))
    return [0, left, above, (left + above) // 2][kind]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from([0, 2, 3, 4, 6]))
def test_dark_and_transparent_pixels_of_a_png_are_walls(seed: int, colour: int) -> None:
    r = random.Random(seed)
    width, height = r.randint(1, 12), r.randint(1, 9)
    rows = [r.getrandbits(width) for _ in range(height)]

    def pixel(dark: int) -> tuple[int, ...]:
        shade = r.randint(0, 127) if dark else r.randint(128, 255)
        if colour == 3:
            return (0 if dark else 1,)
        alpha = (255,) if colour in (4, 6) else ()
        if dark and alpha and r.random() < 0.5:
            shade, alpha = 255, (r.randint(0, 127),)
        return (shade,) * (3 if colour in (2, 6) else 1) + alpha

    pixels = [[pixel(row >> x & 1) for x in range(width)] for row in reversed(rows)]
    data = png(pixels, colour, [r.choice(FILTERS) for _ in range(height)])
    alphas = [one[-1] for row in pixels for one in row] if colour in (4, 6) else [255]
    if not sum(~row & (1 << width) - 1 for row in rows) and min(alphas) < 128 <= max(alphas):
        return  # nothing light is drawn: an overlay
    assert read_picture(data) == (width, rows)


def test_drawn_pixels_of_a_transparent_png_are_walls() -> None:
    """Collision maps are published in this form: a red pixel is a blocked tile."""
    red, none, light = (255, 0, 0, 255), (0, 0, 0, 0), (200, 200, 200, 255)
    assert read_picture(png([[red, none], [none, none]], 6, [0, 0])) == (2, [0, 0b01])
    assert read_picture(png([[red, none], [light, none]], 6, [0, 0])) == (2, [0b10, 0b11])
    assert read_picture(png([[none, none]], 6, [0])) == (2, [0b11])


def ask(**options: Any) -> Any:
    request = {"desk": "scan", "want": "walls", "position": {"region": 364}, "options": options}
    return service.run(request)


def test_grid_becomes_walls_of_the_position() -> None:
    result = ask(text=".#\n..\n", at=[2990, 3390])
    assert (result["size"], result["blocked"], result["at"]) == ([2, 2], 1, [2990, 3390])
    position = {"region": 364, "walls": {"grid": result["grid"]}}
    request = {"desk": "scan", "want": "classes", "position": position, "options": {"list": True}}
    tiles = {
        (x, y)
        for c in service.run(request)["list"]
        for x0, y0, x1, y1 in c["rects"]
        for x in range(x0, x1 + 1)
        for y in range(y0, y1 + 1)
    }
    assert (2991, 3391) not in tiles
    assert {(2990, 3390), (2991, 3390), (2990, 3391)} <= tiles


GOOD = png([[(0,), (255,)]], 0, [0])


@pytest.mark.parametrize("kind", ["GIF", "BMP", "JPEG", "WEBP"])
def test_other_picture_formats_are_read(kind: str) -> None:
    out = io.BytesIO()
    picture = Image.new("L", (24, 16), 255)
    picture.paste(0, (0, 8, 16, 16))
    picture.save(out, kind)
    assert read_picture(out.getvalue()) == (24, [0xFFFF] * 8 + [0] * 8)


def test_sixteen_bit_pixels_are_read_by_their_upper_eight_bits() -> None:
    out = io.BytesIO()
    picture = Image.new("I;16", (3, 1))
    for x, value in enumerate((0x7FFF, 0x8000, 0x00FF)):
        picture.putpixel((x, 0), value)
    picture.save(out, "PNG")
    assert read_picture(out.getvalue()) == (3, [0b101])


def test_without_pillow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(BadInput, match=r"cluewise\[pictures\]"):
        ask(png=base64.b64encode(GOOD).decode())


def test_grid_of_a_million_tiles_is_accepted_and_a_larger_one_refused() -> None:
    r = random.Random(1)
    rows = [r.getrandbits(1000) & r.getrandbits(1000) for _ in range(1000)]
    grid = walls.pack(rows, (2800, 3000), (1000, 1000))
    position = {
        "region": 364,
        "walls": {"grid": {"at": grid.at, "size": grid.size, "packed": grid.packed}},
    }
    request = {"desk": "scan", "want": "classes", "position": position, "options": {}}
    assert service.run(request)["classes"] > 537
    with pytest.raises(BadPosition, match="1048576"):
        walls.check_size((1025, 1024), "$")


def test_random_walls_over_a_large_window_are_divided_into_classes() -> None:
    r = random.Random(2)
    rows = [r.getrandbits(1000) for _ in range(1000)]
    grid = walls.pack(rows, (0, 0), (1000, 1000))
    position = {
        "range": 3,
        "spots": [[0, 0], [999, 999]],
        "walls": {"grid": {"at": grid.at, "size": grid.size, "packed": grid.packed}},
    }
    request = {"desk": "scan", "want": "classes", "position": position, "options": {}}
    assert service.run(request)["classes"] > 50_000


def test_written_spots_and_walls_are_read_unchanged() -> None:
    painted = [
        [2990, 3390, 2999, 3394, 1],
        [2992, 3391, 2993, 3400, 0],
        [2985, 3389, 2985, 3389, 1],
    ]
    position = {"region": 364, "walls": {"painted": painted}}
    written = service.run({"desk": "scan", "want": "write", "position": position})
    pasted = service.run({"desk": "scan", "want": "paste", "options": {"text": written["text"]}})
    assert len(pasted["spots"]) == 18
    assert written["at"] == [2985, 3389]
    again = ask(text=written["walls"], at=written["at"])
    grid = msgspec.convert(again["grid"], walls.WallGrid)
    window = (2980, 3385, 30, 30)
    before = walls.window_rows(msgspec.convert({"painted": painted}, walls.Walls), window)
    assert walls.window_rows(walls.Walls(grid), window) == before
    assert again["blocked"] == sum(row.bit_count() for row in before)
    # Pasted spots and the grid make the position that was written, spot for spot.
    same = {"range": 22, "spots": pasted["spots"], "walls": {"grid": again["grid"]}}
    assert service.run({"desk": "scan", "want": "write", "position": same}) == written


def test_position_without_walls_is_written_as_spots_only() -> None:
    written = service.run({"desk": "scan", "want": "write", "position": {"region": 364}})
    assert (written["walls"], written["at"]) == (None, None)
    freed = {"region": 364, "walls": {"painted": [[1, 1, 2, 2, 0]]}}
    assert service.run({"desk": "scan", "want": "write", "position": freed}) == written


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


def export(position: Any, **options: Any) -> Any:
    return ask_scan("pack", position, **{"stop": 1, "effort": 0} | options)["pack"]


def rate(pack: Any) -> Any:
    (tree,) = ask_scan("rate", pack=json.dumps(pack))["trees"]
    return tree


@pytest.mark.parametrize("region", sample(sorted(by_id()), 4))
@pytest.mark.parametrize("meerkats", [False, True])
def test_exported_pack_covers_every_spot_without_faults(region: int, meerkats: bool) -> None:
    pack = export({"region": region, "meerkats": meerkats}, name="Mine")
    tree, method = rate(pack), pack["methods"][0]
    assert (tree["clue"], tree["name"], tree["faults"]) == (region, "Mine", [])
    assert tree["covered"] == tree["spots"] == len(by_id()[region].spots)
    assert method["assumptions"]["meerkats_active"] == meerkats
    assert method["tree"]["assumed_range"] == by_id()[region].range + 5 * meerkats
    heard = rate(export({"region": region, "meerkats": meerkats}, on_the_way=True))
    assert (heard["covered"], heard["faults"]) == (tree["covered"], [])
    floors = {spot[2] for spot in by_id()[region].spots}
    if (
        len(floors) == 1 and region != 371
    ):  # there one dig serves two spots, here a scan comes first
        assert tree["ticks"] == pytest.approx(method["expected_time"]) == tree["told"]


def test_exported_path_goes_round_walls() -> None:
    walls = {"painted": [[2900, 3360, 3100, 3360, 1], [3060, 3360, 3060, 3360, 0]]}
    pack = export({"region": 364, "here": [2999, 3358], "walls": walls})
    tree = rate(pack)
    assert tree["faults"] == []
    assert tree["ticks"] == pytest.approx(pack["methods"][0]["expected_time"])
    blocked = {(x, 3360) for x in range(2900, 3101)} - {(3060, 3360)}
    for run in runs(pack["methods"][0]["tree"]["root"]):
        assert not blocked & set(tiles(run))


def runs(node: Any) -> list[Any]:
    own = [step["waypoints"] for step in node["path"] if step["type"] == "run"]
    return own + [run for child in node["children"] for run in runs(child["value"])]


def tiles(points: Any) -> list[tuple[int, int]]:
    found = []
    for a, b in itertools.pairwise(points):
        dx, dy = b["x"] - a["x"], b["y"] - a["y"]
        long = max(abs(dx), abs(dy))
        found += [(a["x"] + n * dx // long, a["y"] + n * dy // long) for n in range(long + 1)]
    return found


def test_abilities_and_teleports_of_a_plan_are_steps_of_the_pack() -> None:
    port = {"at": [2966, 3403], "ticks": 4, "name": "Falador"}
    position = {"region": 364, "here": [3200, 3200], "teleports": [port]}
    pack = export(position, surge=2, dive=True, mobile=True, name="Kit")
    method = pack["methods"][0]
    assert method["assumptions"] == {
        "meerkats_active": False, "double_surge": True, "double_escape": False, "mobile_perk": True,
    }  # fmt: skip
    text = json.dumps(method)
    assert '"type": "ability"' in text
    assert {"type": "cheat", "target": {"x": 2966, "y": 3403, "level": 0}, "ticks": 4} in (
        method["tree"]["root"]["path"]
    )
    assert rate(pack)["faults"] == []


def pack_of(spots: list[tuple[int, int]], root: Any) -> Any:
    tree = {"ordered_spots": [place(*spot) for spot in spots], "assumed_range": 20, "root": root}
    method = {"type": "scantree", "for": {"clue": 364}, "assumptions": {}, "tree": tree}
    return rate({"methods": [method]})


def place(x: int, y: int) -> dict[str, int]:
    return {"x": x, "y": y, "level": 0}


def test_door_starts_at_the_current_tile_and_powerburst_resets_surge() -> None:
    sides = [
        {"valid_from": {"origin": place(5, y)}, "offset": place(0, by)}
        for y, by in ((7, -2), (5, 2))
    ]
    door = {"assumed_start": place(5, 5), "internal": {"actions": [{"movement": sides}]}}
    surges = [{"ability": "surge", "from": place(x, 7), "to": place(x + 10, 7)} for x in (5, 15)]
    first, second = [{"type": "ability"} | surge for surge in surges]
    run = {"type": "run", "waypoints": [place(25, 7), place(26, 7)]}
    path = [{"type": "transport"} | door, first, {"type": "powerburst"}, second, run]
    tree = pack_of([(26, 7)], {"path": path})
    assert (tree["faults"], tree["ticks"]) == ([], 2 + 1)


def test_answers_of_a_large_area_are_complete() -> None:
    area = {"origin": place(0, 0), "size": {"x": 2000, "y": 2000}}
    keys: list[Any] = [{"pulse": 1}, {"pulse": 2}, {"pulse": 3, "spot": place(100, 100)}]
    children = [{"key": key, "value": {}} for key in keys]
    faults = pack_of([(100, 100), (900, 900)], {"region": {"area": area}, "children": children})[
        "faults"
    ]
    assert "At the start: no child for the answer triple of 900, 900." in faults
    assert not any("cannot be there" in fault for fault in faults)


def with_fault(spoil: Callable[[Any], None]) -> Any:
    pack = export({"region": 364})
    spoil(pack["methods"][0])
    return rate(pack)


def drop_child(method: Any) -> None:
    method["tree"]["root"]["children"].pop()


def add_child(method: Any) -> None:
    root = method["tree"]["root"]
    leaf: dict[str, Any] = {"path": [], "children": []}
    root["children"].append({"key": {"pulse": 1, "different_level": True}, "value": leaf})


def move_start(method: Any) -> None:
    child = method["tree"]["root"]["children"][0]["value"]["children"][0]["value"]
    child["path"][0]["waypoints"][0]["x"] += 1


def cut_leaf(method: Any) -> None:
    node = method["tree"]["root"]
    while node["children"]:
        node = node["children"][0]["value"]
    node["path"][-1]["waypoints"][-1]["x"] += 9


def end_early(method: Any) -> None:
    method["tree"]["root"]["children"][0]["value"]["children"] = []


def change_region(method: Any) -> None:
    method["for"]["clue"] = 1


def damage(method: Any) -> None:
    del method["tree"]["root"]["children"][0]["key"]["pulse"]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (drop_child, "no child for the answer"),
        (add_child, "the answer single with the sign cannot be there"),
        (move_start, "a step starts at"),
        (cut_leaf, "not within a tile of"),
        (end_early, "the branch ends with"),
        (change_region, "There is no region 1."),
        (damage, "The tree is damaged"),
    ],
)
def test_fault_of_a_tree_is_named_with_the_preceding_answers(spoil: Any, said: str) -> None:
    assert any(said in fault for fault in with_fault(spoil)["faults"])
