// Plays the page's program without a browser: `node web_test.mjs target/web`. The canvas takes everything and shows nothing.
// Fails if the script lacks what the program imports, or if the program says or throws anything.

import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const folder = process.argv[2];
const FRAMES = 120;

const answers = {
    getParameter: () => 0, getShaderParameter: () => 1, getProgramParameter: () => 1, getError: () => 0,
    getActiveUniform: () => ({ name: "uniform", size: 1 }), getSupportedExtensions: () => [],
    getShaderInfoLog: () => "", getProgramInfoLog: () => "", getExtension: () => gl,
};
let drawn = 0;
// Constants are numbers; the rest are functions, which return an object.
const gl = new Proxy(answers, {
    get: (_, name) => {
        if (/^draw/.test(name)) drawn += 1;
        return answers[name] ?? (/^[A-Z0-9_]+$/.test(name) ? 1 : () => ({}));
    },
});
const style = {};
const canvas = {
    width: 1280, height: 800, clientWidth: 1280, clientHeight: 800, style,
    getContext: () => gl, focus() {}, addEventListener() {},
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 1280, height: 800 }),
};
let frame;
globalThis.document = {
    querySelector: () => canvas, addEventListener() {}, hasFocus: () => true, body: { style }, title: "",
};
globalThis.window = globalThis;
globalThis.addEventListener = () => {};
globalThis.requestAnimationFrame = (next) => { frame = next; return 1; };
globalThis.cancelAnimationFrame = () => {};
globalThis.fetch = async () => new Response(readFileSync(`${folder}/typed-pool-demo.wasm`),
    { headers: { "content-type": "application/wasm" } });
const complaints = [];
console.warn = console.error = (...words) => complaints.push(words.join(" "));
globalThis.alert = console.error;

const page = readFileSync(`${folder}/index.html`, "utf8");
const inline = /<script>([^]*?)<\/script>/.exec(page)[1];
runInThisContext(readFileSync(`${folder}/gl.js`, "utf8"), { filename: "gl.js" });
runInThisContext(inline, { filename: "index.html" });
for (let wait = 0; wait < 100 && !frame && complaints.length === 0; wait++) {
    await new Promise((done) => setTimeout(done, 50));
}
for (let n = 0; n < FRAMES && complaints.length === 0; n++) frame();
if (complaints.length > 0 || drawn < FRAMES) {
    console.log(`${drawn} draw calls; ${complaints.slice(0, 5).join("\n")}`);
    process.exit(1);
}
console.log(`${FRAMES} frames, ${drawn} draw calls`);
process.exit(0);
