// Loads the program, shows how much of it has arrived, and starts it. It lies in a directory with the program, which is named after their contents.
const build = new URL(".", import.meta.url);
const start = document.getElementById("start") ?? document.body.appendChild(document.createElement("div"));
// The names of the packs on the server, each with a hash of its pack.
globalThis.rresPacks = {{packs}};

const isOld = pageIsOld();

try {
  const [bytes, { run }] = await program();
  if (await isOld) await reload();
  start.remove();
  await run(bytes);
} catch (error) {
  start.textContent = `The game cannot start: ${error?.message ?? error}`;
  document.body.append(start);
  throw error;
}

async function program() {
  try {
    return await Promise.all([load(new URL("game.wasm", build)), import("./run.js")]);
  } catch (error) {
    // An old page asks for files that are not there any more.
    if (await isOld) await reload();
    throw error;
  }
}

// Whether the browser has kept this page, and the server has the page of another build. Its program may not find its packs.
async function pageIsOld() {
  try {
    const response = await fetch(location.href, { cache: "no-cache", signal: AbortSignal.timeout(4000) });
    const found = (await response.text()).match(/game-[0-9a-f]{16}(?=\/start\.js)/)?.[0];
    if (!response.ok || !found || build.pathname.endsWith(`/${found}/`)) return false;
    // Once for each build: what lies between this page and the server may keep the old page longer.
    if (sessionStorage.getItem("rres-reloaded") == found) return false;
    sessionStorage.setItem("rres-reloaded", found);
    return true;
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
    if (bar && total >= received) Object.assign(bar, { max: total, value: received });
  }
}
