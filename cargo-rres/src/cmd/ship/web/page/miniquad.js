// Starts a game of macroquad or miniquad, whose script has made `importObject`. If the program uses wasm-bindgen, too, that has made `glue`.
export async function run(bytes) {
  const glue = {{glue}};
  const canvas = document.getElementById("glcanvas");
  // The game draws opaque pictures, whatever alpha they have: the page must not shine through.
  const getContext = canvas.getContext.bind(canvas);
  canvas.getContext = (kind, options) => getContext(kind, { ...options, alpha: false });

  const module = await WebAssembly.compile(bytes);
  if (glue) importObject["./game_bg.js"] = glue;
  register_plugins(plugins);
  add_missing_functions_stabs(module);
  const { exports } = await WebAssembly.instantiate(module, importObject);
  globalThis.wasm_memory = exports.memory;
  globalThis.wasm_exports = exports;
  glue?.__wbg_set_wasm(exports);
  init_plugins(plugins);
  canvas.focus();
  if (glue) exports.__wbindgen_start(); // calls `main`
  else exports.main();
}
