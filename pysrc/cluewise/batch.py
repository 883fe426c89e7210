"""One verb over many positions, on all cores or on a Dask cluster, as a dict of numpy arrays.

>>> positions = [{"rules": {"pegs": pegs}} for pegs in (1, 2, 3)]
>>> study("code", "remaining", positions, jobs=1, top=0)["count"].tolist()
[6, 36, 216]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluewise import service
from cluewise.core.work import Backend
from cluewise.errors import BadOption
from cluewise.parallel.pool import DaskCluster, InProcess, ProcessPool, run_tasks


def study(
    desk: str,
    verb: str,
    positions: Iterable[Any],
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    **options: Any,
) -> dict[str, NDArray[Any]]:
    """Return the verb's results, an array per field with an entry per position.

    The dict is what `pandas.DataFrame` and `polars.DataFrame` take. Numbers become int64 or float64
    (None is NaN), truth values bool, texts str; lists and structs stay objects. `error` has each
    failed position's message, "" for the others; its other fields are NaN, "" or None.

    Positions are structs or plain values and may come from a generator. `jobs` is the number of
    processes, by default one per core, 1 for this process alone; `cluster` is a Dask scheduler's
    address (`"tcp://127.0.0.1:8786"`). Results do not depend on either. Raises `BadOption` or
    `Unknown` for options or a verb that do not exist.
    """
    service.parse_request({"desk": desk, "want": verb, "options": options})  # raises at once
    tasks = ((desk, verb, service.to_plain(one), options) for one in positions)
    found, errors = [], []
    for done in run_tasks(service.run_captured, tasks, _backend(jobs, cluster)):
        value = done.value or {"error": {"message": done.error}}
        found.append(value.get("result"))
        errors.append(value["error"]["message"] if "error" in value else "")
    names = dict.fromkeys(name for one in found if isinstance(one, dict) for name in one)
    columns = {name: _column([(one or {}).get(name) for one in found]) for name in names}
    return {**columns, "error": np.array(errors, str)}


def _backend(jobs: int | None, cluster: str | None) -> Backend:
    if cluster is not None:
        if jobs is not None:
            raise BadOption("Use either jobs or cluster, not both.", "cluster")
        return DaskCluster(cluster)
    backend = ProcessPool() if jobs is None else ProcessPool(jobs)
    return backend if backend.workers > 1 else InProcess()


def _column(values: list[Any]) -> NDArray[Any]:
    kinds = set(map(type, values)) - {type(None)}
    whole = None not in values
    if kinds == {bool} and whole:
        return np.array(values, bool)
    if kinds == {int} and whole and max(map(abs, values)) < 1 << 63:
        return np.array(values, np.int64)
    if kinds and kinds <= {int, float}:
        return np.array(values, np.float64)
    if kinds == {str}:
        return np.array(["" if one is None else one for one in values], str)
    out = np.empty(len(values), object)
    for i, value in enumerate(values):  # an assignment at once would spread lists of equal lengths
        out[i] = value
    return out
