/**
 * The version, the package's hash (as in `cluewise --version`) and the hash of the page's files. The build
 * (wasm_build/site/files.py) writes them here; empty when web/ is served without a build.
 * @type {{version?: string, package?: string, page?: string}}
 */
export const edition = /* EDITION */ {};

/** The text to show: "0.2.0 (5f3a09c1, page 77d0e4b2)"; "" without a build. */
export function quoted() {
  const { version, package: mark, page } = edition;
  return version ? `${version} (${mark}, page ${page})` : "";
}
