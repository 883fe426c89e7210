/**
 * Which build this page is, written here by the build (wasm_build/site/files.py): the version, the
 * mark of the package that answers (`cluewise --version` prints the same), and the mark of the
 * page's own files. Empty where web/ is looked at as it stands.
 * @type {{version?: string, package?: string, page?: string}}
 */
export const edition = /* EDITION */ {};

/** As one can quote it: "0.2.0 (5f3a09c1, page 77d0e4b2)"; "" where nothing was built. */
export function quoted() {
  const { version, package: mark, page } = edition;
  return version ? `${version} (${mark}, page ${page})` : "";
}
