"""Measurements. Some import helpers and slow twins of the tests, whose folders are on no path."""

import sys

from wasm_build.stages import ROOT

sys.path[:0] = [str(ROOT / "e2e"), str(ROOT / "tests")]
