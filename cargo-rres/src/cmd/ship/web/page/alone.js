// Starts a program that imports nothing.
export async function run(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  instance.exports.main();
}
