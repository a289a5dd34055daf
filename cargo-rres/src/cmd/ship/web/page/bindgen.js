// Starts a program of wasm-bindgen.
const version = new URL(import.meta.url).search;

export async function run(bytes) {
  const { default: init } = await import(`./game.js${version}`);
  try {
    await init({ module_or_path: bytes });
  } catch (error) {
    // winit leaves `main` so; the game goes on.
    if (!error.message?.startsWith("Using exceptions for control flow")) throw error;
  }
}
