// One asset: what is known about it, what holds it, its loads; to reload it and to unload it.

/** Changes need the token of the address that the game has printed. */
const token = new URLSearchParams(location.search).get('token') ?? '';
/** What the last action has answered, and for which asset. */
let answer = null;
let isBusy = false;

/** Has the game reload or unload an asset. */
async function act(action, asset) {
  if (isBusy) return;
  isBusy = true;
  answer = { key: asset.key, text: action === 'reload' ? 'Reloading…' : 'Unloading…', done: true };
  drawDetail();
  try {
    const response = await fetch(`${action}?store=${asset.store}&id=${asset.id}`, { method: 'POST', headers: { 'X-Rres-Token': token } });
    const isJson = response.headers.get('content-type') === 'application/json';
    const { done, message } = isJson ? await response.json() : { done: false, message: await response.text() };
    answer = { key: asset.key, text: message, done };
  } catch {
    answer = { key: asset.key, text: 'The game does not answer.', done: false };
  }
  isBusy = false;
  await refresh();
  drawDetail();
}

function choose(key) {
  if (chosen !== key) answer = null;
  chosen = key;
  for (const line of document.querySelectorAll('.grid-row')) line.setAttribute('aria-selected', String(keyOf(line.item) === chosen));
  drawDetail();
}

function pathList(title, store, paths) {
  if (paths.length === 0) return null;
  return [make('h3', {}, `${title} (${paths.length})`), make('ul', {}, paths.slice(0, 100).map((path) => make('li', {}, pathButton(store, path))))];
}

function loadTable(loads) {
  const row = (cells, name) => make('tr', {}, cells.map((cell) => make(name, {}, cell)));
  const head = row(['at', 'thread', 'read', 'value', 'all'], 'th');
  const line = (load) => row([time(load.start_us), isolated(load.thread), time(load.read_us), time(load.decode_us), load.error ? 'failed' : time(load.took_us)], 'td');
  return make('table', {}, make('thead', {}, head), make('tbody', {}, loads.slice(-30).map(line)));
}

function drawDetail() {
  const detail = byId('detail'), asset = byKey.get(chosen);
  detail.classList.toggle('is-empty', chosen === null);
  if (chosen === null) { detail.replaceChildren(); return; }
  const hadFocus = detail.contains(document.activeElement) ? document.activeElement.dataset.action : null;
  const close = make('button', { type: 'button', class: 'quiet close', 'data-action': 'close', 'aria-label': 'Close', click: closeDetail }, '×');
  const said = make('p', { class: answer && !answer.done ? 'notice error' : 'notice', role: 'status', id: 'answer' }, answer?.key === chosen ? answer.text : '');
  if (!asset) {
    detail.replaceChildren(close, make('h2', {}, 'Not loaded'), said, make('p', { class: 'dim' }, 'The game has freed this asset.'));
    return;
  }
  const loads = loadsOf.get(asset.key) ?? [];
  const store = state.stores.find(({ number }) => number === asset.store);
  const action = (name, label, words) => make('button', { type: 'button', class: 'quiet', 'data-action': name, title: words, disabled: isBusy || !token, click: () => act(name, asset) }, label);
  const asker = asset.asked_by;
  const facts = [
    ['State', make('span', { class: asset.state === 'failed' ? 'is-failed' : null }, asset.state)],
    ['Memory', size(asset.bytes)],
    asset.video_bytes === null ? null : ['Video memory', size(asset.video_bytes)],
    ['Version', String(asset.version)],
    ['Id', make('span', { class: 'mono' }, asset.id)],
    state.stores.length > 1 ? ['Store', isolated(store?.name ?? String(asset.store))] : null,
    asset.groups.length > 0 ? ['Groups', isolated(asset.groups.join(', '))] : null,
    asker.asset ? ['Needed by', pathButton(asset.store, asker.asset)] : null,
    asker.group ? ['Loaded with', isolated(`group ${asker.group}`)] : null,
    asker.code ? ['Asked by', make('span', { class: 'mono' }, isolated(asker.code))] : null,
    ['Held by', holderText(asset)],
  ].filter(Boolean).flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]);
  detail.replaceChildren(...[
    close, make('h2', {}, isolated(nameOf(asset))),
    make('p', { class: 'kind', 'data-kind': kindOf(asset.type) }, make('span', { class: 'swatch' }), isolated(asset.type)),
    make('div', { class: 'actions' }, action('reload', 'Reload (r)', store?.imports ? 'Import the source again if it has changed, and make the value again' : 'Make the value again from its pack'),
      action('unload', 'Unload (u)', 'Free the asset, if nothing but the store holds it')),
    token ? null : make('p', { class: 'notice' }, 'To reload and unload, open the address that the game has printed: it ends with a token.'),
    said,
    asset.error ? make('p', { class: 'notice error' }, isolated(asset.error)) : null,
    make('dl', { class: 'facts' }, facts),
    pathList('Holds it', asset.store, asset.dependents), pathList('Depends on', asset.store, asset.dependencies),
    loads.length > 0 ? [make('h3', {}, 'Loads'), loadTable(loads)] : null,
  ].flat().filter(Boolean));
  if (hadFocus) detail.querySelector(`[data-action="${hadFocus}"]`)?.focus();
}

function closeDetail() {
  choose(null);
  table.list.lines.get(table.list.focus)?.focus({ preventScroll: true });
}

listeners.push(drawDetail);
