// Cluewise in Pyodide as npm has it: `node stock_pyodide.mjs FOLDER INDEX < requests.json`.
//
// FOLDER holds the wheels that Pyodide's own lock file names, INDEX is the address of a package
// index; the answers to the requests go out as JSON. Nothing else is set up: what works here works
// in any page that has Pyodide and micropip.
import fs from "node:fs";
import { loadPyodide } from "pyodide";

const [folder, index] = process.argv.slice(2);
const py = await loadPyodide({ packageBaseUrl: folder });
await py.loadPackage("micropip", { messageCallback: () => {} });
py.globals.set("INDEX", index);
py.globals.set("REQUESTS", fs.readFileSync(0, "utf8"));
try {
  const answers = await py.runPythonAsync(`
import json, micropip
await micropip.install("cluewise", index_urls=[INDEX])
import cluewise
from cluewise import arrays
assert arrays.canon([[0] * 80 + [1]])[0, 80] == 1
json.dumps([cluewise.run(request) for request in json.loads(REQUESTS)])
`);
  console.log(answers);
} catch (problem) {
  console.error(problem.message); // Node would print Pyodide's whole script above it
  process.exitCode = 1;
}
