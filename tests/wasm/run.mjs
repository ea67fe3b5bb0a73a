// Prints the numbers, one for each seed: those of a library for `wasm32-unknown-unknown`, or of a program for `wasm32-wasip1`.
import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: [], env: {} });
const { module, instance } = await WebAssembly.instantiate(readFileSync(argv[2]), wasi.getImportObject());
if (instance.exports._start) {
    wasi.start(instance);
} else {
    if (WebAssembly.Module.imports(module).length > 0) throw new Error("it imports something");
    for (let seed = 0; seed < 5; seed++) console.log(BigInt.asUintN(64, instance.exports.checksum(seed)).toString());
}
