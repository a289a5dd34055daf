// Loads the program, shows how much of it has arrived, and starts it.
const version = new URL(import.meta.url).search;
const start = document.getElementById("start");
// The names of the packs on the server, each with a hash of its pack.
globalThis.rresPacks = {{packs}};

try {
  const [[bytes, { run }], isOld] = await Promise.all([program(), pageIsOld()]);
  if (isOld) await reload();
  start.remove();
  await run(bytes);
} catch (error) {
  start.textContent = `The game cannot start: ${error.message}`;
  document.body.append(start);
  throw error;
}

async function program() {
  try {
    return await Promise.all([load(`game.wasm${version}`), import(`./run.js${version}`)]);
  } catch (error) {
    // An old page asks for files that are not there any more.
    if (await pageIsOld()) await reload();
    throw error;
  }
}

// Whether the browser has kept this page, and the server has the page of another build. Its program would not find its packs.
async function pageIsOld() {
  if (!version) return false;
  try {
    const response = await fetch(location.href, { cache: "no-cache" });
    return response.ok && !(await response.text()).includes(version);
  } catch {
    return false; // without a connection, what was kept is played
  }
}

async function reload() {
  location.reload();
  await new Promise(() => {});
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
