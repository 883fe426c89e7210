// TypeScript modules as JavaScript: types become blanks, so that lines and columns stay.
//
//   {"from": folder, "names": ["app.ts", …], "to": folder}
import fs from "node:fs";
import path from "node:path";
import blankTypes from "ts-blank-space";

const job = JSON.parse(fs.readFileSync(0, "utf8"));
for (const name of job.names) {
  const refused = [];
  const text = blankTypes(fs.readFileSync(path.join(job.from, name), "utf8"), (node) => refused.push(node));
  if (refused.length) throw new Error(`${name}: ${refused[0].getText()} is more than a type`);
  const target = path.join(job.to, name.replace(/\.ts$/, ".js"));
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, text.replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n"));
}
