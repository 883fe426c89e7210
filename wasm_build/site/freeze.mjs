// Python's half of the site build, run by Pyodide in Node: `node site/freeze.mjs < job.json`.
//
// One job a process, because marshalled code depends on reference counts: the same job in a
// fresh interpreter gives the same bytes. site/build.py writes the jobs:
//
//   {"stdlib": path or null,
//    "archives": [{"from": zip, "to": zip, "prefix": shown in tracebacks, "leave_out": [regex],
//                  "only": [regex], "optimize": -1 | 0 | 1 | 2,
//                  "members": "deflated" | "stored"}]}
import fs from "node:fs";
import v8 from "node:v8";
import { loadPyodide } from "pyodide";

/**
 * Compile the .py members of a zip to .pyc members at the same place. Hash-based, unchecked .pyc
 * files (flags 1) carry no date; members are sorted and dated 2020-02-02.
 */
const COMPILE = `
import importlib.util, io, marshal, re, struct, zipfile
from importlib._bootstrap_external import MAGIC_NUMBER

def member(name, data, prefix, optimize):
    if not name.endswith(".py"):
        return name, data
    code = compile(data, prefix + name, "exec", dont_inherit=True, optimize=optimize)
    header = MAGIC_NUMBER + struct.pack("<I", 1) + importlib.util.source_hash(data)
    return name + "c", header + marshal.dumps(code)

def compile_archive(source, target, prefix, leave_out, only, optimize, members):
    unwanted = re.compile("|".join(leave_out) or "(?!)")
    wanted = re.compile("|".join(only))
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist()):
            if name.endswith("/") or unwanted.search(name) or not wanted.search(name):
                continue
            name, data = member(name, old.read(name), prefix, optimize)
            info = zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED if members == "deflated" else zipfile.ZIP_STORED
            info.external_attr = 0o644 << 16
            new.writestr(info, data, compresslevel=6)
`;

/** @param {any} py @param {any} archive */
function compileArchive(py, archive) {
  py.FS.writeFile("/in.zip", fs.readFileSync(archive.from));
  const run = py.globals.get("compile_archive");
  const [out, only] = [py.toPy(archive.leave_out), py.toPy(archive.only)];
  run("/in.zip", "/out.zip", archive.prefix, out, only, archive.optimize, archive.members);
  fs.writeFileSync(archive.to, py.FS.readFile("/out.zip"));
}

// A job is too short for the optimising compiler to pay; it saves a tenth of the processor time.
v8.setFlagsFromString("--wasm-tiering-budget=50000000");
const job = JSON.parse(fs.readFileSync(0, "utf8"));
const options = job.stdlib ? { stdLibURL: job.stdlib } : {};
// Tracebacks lose their carets, and code a quarter of its size.
const env = { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
const py = await loadPyodide({ ...options, env });
py.runPython(COMPILE);
for (const archive of job.archives) compileArchive(py, archive);
