// The page's modules as few files: its own, one a desk, and what several of them share, in parts/.
//
//   {"site": folder, "entries": ["app.js", …], "worker": "engine/worker.js",
//    "others": ["console/page.js", …], "to": folder}
//
// Entries keep their names. `made.json` next to the files: "alone", the modules that come one by one,
// which are `others` and what they import, and "early", what the page needs before its first line runs.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const job = JSON.parse(fs.readFileSync(0, "utf8"));
const settings = {
  absWorkingDir: job.site,
  bundle: true,
  splitting: true,
  format: "esm",
  outdir: job.to,
  outbase: job.site,
  write: false,
  metafile: true,
  logLevel: "error",
  target: "es2022",
};

// Where a module lay is known by its name, since in a bundle it lies elsewhere.
const HERE = "__here__";
const places = {
  name: "places",
  setup(one) {
    one.onLoad({ filter: /\.js$/ }, async ({ path: file }) => {
      const text = await fs.promises.readFile(file, "utf8");
      const name = path.relative(job.site, file);
      return { contents: text.replaceAll("import.meta.url", `${HERE}("${name}")`), loader: "js" };
    });
  },
};

/** @param {string} text @param {string} name of the file that it is */
function placed(text, name) {
  return text.replace(new RegExp(`${HERE}\\("([^"]+)"\\)`, "g"), (_, module) => {
    const from = path.posix.relative(path.posix.dirname(name), module);
    return `new URL(${JSON.stringify(from.startsWith(".") ? from : `./${from}`)},import.meta.url).href`;
  });
}

const inside = (names) => names.map((name) => path.join(job.site, name));
const joined = {
  ...settings,
  chunkNames: "parts/[name]-[hash]",
  minify: true,
  legalComments: "eof",
  plugins: [places],
};
const page = await build({ ...joined, entryPoints: inside(job.entries) });
// One file: each module that it imports would be a round trip before Python's first byte.
const worker = await build({ ...joined, entryPoints: inside([job.worker]), splitting: false });
const one = await build({ ...settings, entryPoints: inside(job.others) });

for (const { path: file, text } of [...page.outputFiles, ...worker.outputFiles]) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, placed(text, path.relative(job.to, file)));
}

const outputs = Object.fromEntries(
  Object.entries(page.metafile.outputs).map(([name, output]) => [
    path.relative(job.to, path.join(job.site, name)),
    output.imports
      .filter(({ kind }) => kind === "import-statement")
      .map((found) => path.relative(job.to, path.join(job.site, found.path))),
  ]),
);
const early = new Set([job.entries[0]]);
for (const name of early) for (const next of outputs[name]) early.add(next);

const alone = [...job.others, ...Object.keys(one.metafile.inputs)];
fs.writeFileSync(path.join(job.to, "made.json"), JSON.stringify({ alone, early: [...early] }));
