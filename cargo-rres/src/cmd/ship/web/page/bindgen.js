// Starts a program of wasm-bindgen.
export async function run(bytes) {
  const { default: init } = await import("./game.js");
  try {
    await init({ module_or_path: bytes });
  } catch (error) {
    // winit leaves `main` so; the game goes on.
    if (!error.message?.startsWith("Using exceptions for control flow")) throw error;
  }
}
