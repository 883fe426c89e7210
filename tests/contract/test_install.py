"""The wheel as people install it: in a clean environment, with the oldest parts it allows."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
QUIET = ["--quiet", "--disable-pip-version-check", "--no-input"]


def floors(requirements: list[str]) -> list[str]:
    """The lowest version that each requirement allows: `["msgspec==0.19"]`."""
    found = []
    for text in requirements:
        match = re.match(r"([\w.-]+)>=([\w.]+)", text)
        assert match, f"{text} names no lowest version"
        found.append(f"{match[1]}=={match[2]}")
    return found


def ran(*command: str | Path, status: int = 0) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True, text=True, timeout=300, check=False, cwd=Path(command[0]).parent,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with the wheel and the oldest libraries, without the terminal's."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=120)
    found = folder / "bin" / "python"
    ran(found, "-m", "pip", "install", *QUIET, wheel, *floors(PROJECT["dependencies"]))
    return found


ASK = """
import cluewise
for desk, want in [("code", "advise"), ("rack", "mission"), ("scan", "regions"),
                   ("mines", "examples"), ("sudoku", "generate")]:
    assert cluewise.run({"desk": desk, "want": want}), desk
from cluewise import arrays
assert arrays.canon([[0] * 80 + [1]]).shape == (1, 81)
assert cluewise.study("code", "remaining", [{}], jobs=1)["count"].tolist() == [1296]
print(cluewise.run({"desk": "code", "want": "advise"})["options"][0]["guess"])
"""


def test_a_wheel_out_of_the_sdist_is_the_wheel_of_the_tree(wheel: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build"]
    subprocess.run([*build, "-t", "sdist", "-d", tmp_path], cwd=ROOT, check=True, timeout=120)
    source = next(tmp_path.glob("*.tar.gz"))
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / source.name.removesuffix(".tar.gz")
    subprocess.run([*build, "-t", "wheel", "-d", tmp_path], cwd=folder, check=True, timeout=120)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as made, zipfile.ZipFile(wheel) as ours:
        assert {f.filename: f.CRC for f in made.infolist()} == {
            f.filename: f.CRC for f in ours.infolist()
        }
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", source, wheel],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


@pytest.mark.long
def test_the_oldest_allowed_libraries_answer_on_every_desk_and_the_terminal_may_be_added(
    python: Path, wheel: Path
) -> None:
    assert ran(python, "-c", ASK).split() == ["0123"]
    said = ran(python, "-m", "cluewise", "code", "advise", status=2)
    assert "cluewise[terminal]" in said
    assert "Traceback" not in said
    extras = PROJECT["optional-dependencies"]
    extra = floors(extras["terminal"] + extras["pictures"])
    ran(python, "-m", "pip", "install", *QUIET, f"{wheel}[terminal,pictures]", *extra)
    for command in ([python, "-m", "cluewise"], [python.parent / "cluewise"]):
        assert "0123" in ran(*command, "code", "advise")
        assert "the best next move" in ran(*command, "--help")
    walls = python.parent / "walls.png"
    ran(python, "-c", f"from PIL import Image; Image.new('L', (3, 2), 0).save({str(walls)!r})")
    asked = ("scan", "import", "--region", "364", "--walls", str(walls))
    assert '"size": [3, 2]' in ran(python, "-m", "cluewise", *asked)
