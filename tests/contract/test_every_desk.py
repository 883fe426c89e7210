"""What holds for every desk: its shape, its errors, its links; bad input stays harmless."""

import json
from typing import Any

import msgspec
import pytest

from asking import ask, vectors
from cluewise import desks, links, service
from cluewise.core.work import finish
from cluewise.errors import BadInput, BadLink, CluewiseError, Unknown
from cluewise.kernel import kernel
from contract.fuzz import POSITIONS

LINKS: list[dict[str, Any]] = vectors("links")
SENDER = (
    "_M8zwTAyMDMgwrcgMy4zNiBiaXRz"  # the sender's advice behind the payload: not of the position
)

# A cheap verb of every desk that any legal position can be asked.
CHEAP = {
    "code": "doubt",
    "rack": "posterior",
    "scan": "classes",
    "mines": "solve",
    "sudoku": "solve",
}
EVERY = pytest.mark.parametrize("name", desks.available())


@EVERY
def test_description_of_a_desk_has_its_name_and_verbs(name: str) -> None:
    desk = desks.load(name)
    assert desk.name == name
    assert len({verb.name for verb in desk.verbs}) == len(desk.verbs)
    for verb in desk.verbs:
        assert verb.summary
        assert "properties" in json.dumps(msgspec.json.schema(verb.options))
        assert msgspec.json.schema(verb.result)


@EVERY
def test_unknown_field_is_refused_with_its_place(name: str) -> None:
    request = {"desk": name, "want": CHEAP[name], "position": {"desk": name, "nonsense": 1}}
    with pytest.raises(BadInput, match="nonsense") as caught:
        service.run(request)
    assert caught.value.where.startswith("$.position")


@EVERY
def test_unknown_verb_option_or_desk_is_refused(name: str) -> None:
    with pytest.raises(Unknown, match="does not answer"):
        service.run({"desk": name, "want": "juggle"})
    with pytest.raises(BadInput, match="nonsense") as caught:
        service.run({"desk": name, "want": CHEAP[name], "options": {"nonsense": 1}})
    assert caught.value.where.startswith("$.options")
    with pytest.raises(Unknown, match="There is no desk"):
        service.run({"desk": "chess", "want": "move"})


@EVERY
def test_numbers_that_are_no_json_are_refused(name: str) -> None:
    position = {"desk": name, "v": float("nan")}
    with pytest.raises(BadInput):
        service.run({"desk": name, "want": CHEAP[name], "position": position})


@EVERY
def test_deep_nesting_is_refused(name: str) -> None:
    value: Any = 1
    for _ in range(20_000):
        value = [value]
    with pytest.raises(BadInput):
        service.run({"desk": name, "want": CHEAP[name], "position": {"desk": name, "x": value}})


@EVERY
def test_answers_are_deterministic(name: str) -> None:
    for position in POSITIONS[name]:
        request = {"desk": name, "want": CHEAP[name], "position": position}
        assert json.dumps(service.run(request)) == json.dumps(service.run(request))


@EVERY
def test_closed_job_frees_its_memory(name: str) -> None:
    kernel()
    before = kernel().free()
    for position in POSITIONS[name]:
        job = service.start({"desk": name, "want": CHEAP[name], "position": position})
        next(job, None)
        job.close()
        assert kernel().free() == before
        finish(service.start({"desk": name, "want": CHEAP[name], "position": position}))
        assert kernel().free() == before


@EVERY
def test_position_survives_its_link(name: str) -> None:
    desk = desks.load(name)
    for position in POSITIONS[name]:
        checked = service.read_position(desk, position)
        text = links.encode(checked)
        assert text.startswith(f"#/{name}/1/")
        assert links.decode(text) == checked
        assert links.decode("https://example.org/play/" + text) == checked
        for following in (".", ")", ").", "%29,", "”", f"/{SENDER}", f"/{SENDER}."):
            assert links.decode(text + following) == checked


@pytest.mark.parametrize("vector", LINKS, ids=lambda v: str(v["desk"]))
def test_old_links_keep_their_meaning(vector: dict[str, Any]) -> None:
    if vector["desk"] not in desks.available():
        pytest.skip("this build has no such desk")
    assert json.loads(links.canonical(links.decode(vector["link"]))) == vector["position"]


@pytest.mark.parametrize(
    "text",
    ["", "hello", "#/code/1/", "#/code/2/abc", "#/chess/1/q1Y", "#/code/1/%%%", "#/code/1/AAAA"],
)
def test_bad_link_gives_an_error_message(text: str) -> None:
    with pytest.raises(BadLink, match=r"[Ll]ink"):
        links.decode(text)


def test_link_that_expands_too_much_is_refused() -> None:
    import base64
    import zlib

    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b" " * (links.DECODED_LIMIT + 10)) + packer.flush()
    payload = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    with pytest.raises(BadLink, match="256 KB"):
        links.decode(f"#/code/1/{payload}")


GAME = "RGBY ++-\nRRGG -\n"
BOARD = "1#\n##\ntotal 1\n"
SPOTS = "range 14\n2990, 3390\n2995, 3401\n"
STANDS = "?1 ?2 ?3\n? ? ?\n"


@pytest.mark.parametrize(
    ("desk", "text"),
    [("code", GAME), ("mines", BOARD), ("scan", SPOTS), ("rack", STANDS)],
)
def test_text_gives_the_position_of_its_link(desk: str, text: str) -> None:
    position = links.position_of(desk, text)
    assert position.desk == desk
    assert links.position_of(desk, links.encode(position)) == position


PAIR = {"range": 6, "spots": [[100, 100], [130, 100]]}


@pytest.mark.parametrize(
    ("desk", "want", "position", "says"),
    [
        ("scan", "classes", {**PAIR, "walls": {"painted": [[1, 1, 1, 1, 1]] * 4097}}, "At most"),
        ("mines", "solve", {"board": {"kind": "square", "width": 5, "height": 5},
         "groups": [{"kind": "set", "cells": [0], "count": 0}] * 4000}, "350 is the limit"),
    ],
)  # fmt: skip
def test_positions_with_too_many_parts_are_refused(
    desk: str, want: str, position: dict[str, Any], says: str
) -> None:
    with pytest.raises(CluewiseError, match=says):
        ask(desk, want, position)
