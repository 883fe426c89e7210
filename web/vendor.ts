/** The npm packages of the page; other modules import them from here only. */

export { createStore, promisifyRequest } from "./vendor/idb-keyval/dist/index.js";
export { live } from "./vendor/lit-html/directives/live.js";
export { ref } from "./vendor/lit-html/directives/ref.js";
export { repeat } from "./vendor/lit-html/directives/repeat.js";
export { html, nothing, render, svg } from "./vendor/lit-html/lit-html.js";
export { encode as encodeQr } from "./vendor/uqr/dist/index.js";
