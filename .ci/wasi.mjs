// Runs a test program for wasm32-wasip1 in Node: node .ci/wasi.mjs PROGRAM ARGUMENT...
import { readFile } from "node:fs/promises";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const args = argv.slice(2);
const wasi = new WASI({ version: "preview1", args, preopens: { "/": "/" } });
const module = await WebAssembly.compile(await readFile(args[0]));
exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
