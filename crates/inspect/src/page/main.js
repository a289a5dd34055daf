// The head of the page, its views and keys; then the page asks the game again and again.

const VIEWS = ['assets', 'waterfall', 'events'];

function showView(name) {
  for (const view of VIEWS) {
    const isShown = view === name;
    byId(`view-${view}`).hidden = !isShown;
    byId(`tab-${view}`).setAttribute('aria-selected', String(isShown));
    byId(`tab-${view}`).tabIndex = isShown ? 0 : -1;
  }
  if (name === 'assets') drawTable();
  if (name === 'waterfall') drawWaterfall();
}

function drawHead() {
  document.title = `${state.program} – rres inspector`;
  byId('title').replaceChildren(isolated(state.program || 'rres inspector'));
  const loaded = state.assets.filter((asset) => asset.state === 'ready');
  const budget = sum(state.stores, (store) => store.budget);
  const facts = [`${count(loaded.length, 'asset')} loaded`, `${size(sum(state.stores, (store) => store.bytes))} of memory`,
    `${size(sum(state.assets, (asset) => asset.video_bytes))} of video memory`, budget > 0 ? `budget ${size(budget)}` : null,
    `loads took ${time(sum(state.loads.filter((load) => !load.asked_by.asset), (load) => load.took_us))}`];
  byId('totals').textContent = facts.filter(Boolean).join(' · ');
  byId('shown').textContent = shown.length < state.assets.length ? `${count(shown.length, 'asset')} of ${state.assets.length.toLocaleString('en')}` : '';
}

function drawKinds() {
  const types = [...new Set([...state.assets, ...state.loads].map(({ type }) => type).filter(Boolean))].sort();
  const focused = document.activeElement?.dataset.type;
  byId('kinds').replaceChildren(...types.map((type) => {
    const own = state.assets.filter((asset) => asset.type === type);
    return make('button', { type: 'button', 'data-type': type, 'aria-pressed': String(!filter.hidden.has(type)), click: () => {
      if (!filter.hidden.delete(type)) filter.hidden.add(type);
      applyFilter();
    } }, make('span', { class: 'swatch', 'data-kind': kindOf(type) }), `${type} `, make('span', { class: 'dim number' }, `${own.length} · ${size(sum(own, (asset) => asset.bytes))}`));
  }));
  if (focused) byId('kinds').querySelector(`[data-type="${CSS.escape(focused)}"]`)?.focus();
}

function startTheme() {
  const root = document.documentElement, button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const set = (isDark) => {
    root.classList.toggle('dark', isDark);
    root.style.colorScheme = isDark ? 'dark' : 'light';
    button.textContent = isDark ? '☀' : '☾';
  };
  set(system.matches);
  system.addEventListener('change', (event) => set(event.matches));
  button.addEventListener('click', () => set(!root.classList.contains('dark')));
}

function startSearch() {
  const search = byId('search');
  search.addEventListener('input', () => {
    filter.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    applyFilter();
  });
}

function startKeys() {
  const tabs = VIEWS.map((view) => byId(`tab-${view}`));
  tabs.forEach((tab, at) => {
    tab.addEventListener('click', () => showView(VIEWS[at]));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (at + step + tabs.length) % tabs.length;
      showView(VIEWS[next]);
      tabs[next].focus();
      event.preventDefault();
    });
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const search = byId('search'), asset = byKey.get(chosen);
    if (event.key === 'Escape') {
      if (event.target === search && search.value) { search.value = ''; filter.words = []; applyFilter(); }
      else if (chosen !== null) closeDetail();
    } else if (event.target.matches('input, select')) {
      // Enter leads from the search to what it has found.
      if (event.key === 'Enter' && event.target === search) { showView('assets'); table.list.focusLine(0); event.preventDefault(); }
    } else if (event.key === '/') {
      search.focus();
      event.preventDefault();
    } else if ((event.key === 'r' || event.key === 'u') && asset && token) act(event.key === 'r' ? 'reload' : 'unload', asset);
    else if ('123'.includes(event.key)) {
      const view = VIEWS[Number(event.key) - 1];
      showView(view);
      if (view === 'assets') table.list.focusLine(table.list.focus);
      else if (view === 'waterfall') falls.list.focusLine(falls.list.focus);
      else byId('view-events').focus();
    }
  });
}

/** The state that the page has, as the game calls it. */
let tag = null;
let isAsking = null;

/** Asks the game for its state, and shows it if it has changed. */
function refresh() {
  isAsking ??= ask().finally(() => { isAsking = null; });
  return isAsking;
}

async function ask() {
  try {
    const response = await fetch('state.json', { cache: 'no-store', headers: tag ? { 'If-None-Match': tag } : {} });
    byId('connection').textContent = '';
    if (response.status === 304) return;
    if (!response.ok) throw new Error(response.statusText);
    const next = await response.json();
    tag = response.headers.get('etag');
    setState(next);
  } catch {
    byId('connection').textContent = 'The game does not answer';
  }
}

/** The pause between two questions. What takes the game long is asked less often. */
const PAUSE = 400;

async function follow() {
  const began = performance.now();
  if (!document.hidden) await refresh();
  setTimeout(follow, Math.max(PAUSE, (performance.now() - began) * 4));
}

listeners.push(drawHead, drawKinds);
startTheme();
startSearch();
startTable();
startWaterfall();
startKeys();
showView('assets');
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
follow();
