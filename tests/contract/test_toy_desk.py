"""A desk is a position, results, a verb and a page; everything else follows by itself."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cluewise import desks, links, service
from cluewise.browser.console import help_text
from cluewise.errors import BadPosition
from wasm_build.codegen import page_types
from wasm_build.docs import pages

ROOT = Path(__file__).resolve().parents[2]
TOYS = ROOT / "tests" / "toy"
BEGUN = {"desk": "noughts", "cells": "x........"}


@pytest.fixture
def _toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(desks, "__path__", [*desks.__path__, str(TOYS)])
    yield
    for name in [name for name in sys.modules if name.startswith("cluewise.desks.noughts")]:
        del sys.modules[name]


pytestmark = pytest.mark.usefixtures("_toy")


def ask(position: Any) -> Any:
    return service.run({"desk": "noughts", "want": "advise", "position": position})


def test_toy_desk_answers_through_the_service() -> None:
    assert ask(BEGUN) == {"worth": 0, "cells": [4]}
    assert ask({"cells": "xx.oo...."}) == {"worth": 1, "cells": [2]}
    with pytest.raises(BadPosition, match="take turns"):
        ask({"cells": "xxx......"})


def test_toy_desk_has_links() -> None:
    position = service.read_position(desks.load("noughts"), BEGUN)
    assert links.decode(links.encode(position)) == position
    assert links.canonical(position) == '{"cells":"x........","desk":"noughts","v":1}'


def test_toy_desk_has_types_shape_help_and_contract() -> None:
    assert desks.available()[-1] == "noughts"
    assert '"name": "noughts"' in page_types.desk_list()
    assert "worth: number" in page_types.desk_types("noughts")
    assert page_types.shape("noughts")["$defs"]["Position"]["properties"]["cells"]["minLength"] == 9
    assert "do not lose" in help_text("noughts advise")
    assert "best play" in "".join(pages.sentences(desks.load("noughts").verbs[0].result).values())


def test_toy_desk_has_commands(tmp_path: Path) -> None:
    code = (
        "import sys; from cluewise import cli, desks; desks.__path__.append(sys.argv.pop(1)); "
        "cli.main()"
    )
    file = tmp_path / "begun.json"
    file.write_text(json.dumps(BEGUN))
    ran = subprocess.run(
        [sys.executable, "-c", code, str(TOYS), "noughts", "advise", str(file), "--json"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout) == {"worth": 0, "cells": [4]}


def test_toy_desk_page_sends_valid_requests(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "vendor.js").write_text("export const html = () => null;")  # nothing is drawn
    shutil.copytree(TOYS / "noughts", tmp_path / "desks" / "noughts")
    script = (
        "import { page, taken } from './desks/noughts/page.js';"
        "const next = taken(page.initial(), 0);"
        "console.log(JSON.stringify(page.listRequests(page.accept(next), {}).advice));"
    )
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert service.run({"desk": "noughts", **json.loads(ran.stdout)})["cells"] == [4]
