// Starts a macroquad game that also uses wasm-bindgen: `rres-http` asks the browser for the pack through it.
import * as glue from "./game_bg.js";

const start = document.getElementById("start");
const canvas = document.getElementById("glcanvas");

// The game draws opaque pictures, whatever alpha they have: the page must not shine through.
const getContext = canvas.getContext.bind(canvas);
canvas.getContext = (kind, options) => getContext(kind, { ...options, alpha: false });

try {
  const response = await fetch("game_bg.wasm");
  if (!response.ok) throw new Error(`game_bg.wasm: the server answered ${response.status}`);
  const module = await WebAssembly.compile(await withProgress(response));
  importObject["./game_bg.js"] = glue;
  register_plugins(plugins);
  add_missing_functions_stabs(module);
  const { exports } = await WebAssembly.instantiate(module, importObject);
  globalThis.wasm_memory = exports.memory;
  globalThis.wasm_exports = exports;
  glue.__wbg_set_wasm(exports);
  init_plugins(plugins);
  start.remove();
  canvas.focus();
  exports.__wbindgen_start(); // calls `main`
} catch (error) {
  start.textContent = `The game cannot start: ${error.message}`;
  document.body.append(start);
  throw error;
}

/// Reads the program, and shows how much of it has arrived.
async function withProgress(response) {
  const total = Number(response.headers.get("content-length")) || 0;
  const bar = start.querySelector("progress");
  const parts = [];
  let received = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    received += value.length;
    // A compressed answer has fewer bytes than arrive here.
    if (total >= received) Object.assign(bar, { max: total, value: received });
  }
}
