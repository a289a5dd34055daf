// Loads the program, shows how much of it has arrived, and starts it.
const version = new URL(import.meta.url).search;
const start = document.getElementById("start");

try {
  const [bytes, { run }] = await Promise.all([load(`game.wasm${version}`), import(`./run.js${version}`)]);
  start.remove();
  await run(bytes);
} catch (error) {
  start.textContent = `The game cannot start: ${error.message}`;
  document.body.append(start);
  throw error;
}

async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status} to ${url}`);
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
