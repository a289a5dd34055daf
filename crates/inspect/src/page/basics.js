// Elements, sizes and times, and the state of the game. Whatever comes from the game becomes text, never markup.

const byId = (id) => document.getElementById(id);

/** Makes an element. Attributes that are functions listen to the event of their name; children are elements or texts. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A text of the game: its direction does not spread to what is around it. */
const isolated = (text) => make('bdi', {}, text);

/** As the command prints sizes, rounded down: 812 B, 1.2 kB, 19.4 MB. */
function size(bytes) {
  if (bytes === null || bytes === undefined) return '–';
  if (bytes < 1000) return `${bytes} B`;
  const unit = bytes >= 1e9 ? 3 : bytes >= 1e6 ? 2 : 1;
  return `${(Math.floor(bytes * 10 / 1000 ** unit) / 10).toFixed(1)} ${['B', 'kB', 'MB', 'GB'][unit]}`;
}

/** A time in microseconds: 40 µs, 3.5 ms, 1.25 s. */
function time(micros) {
  if (micros === null || micros === undefined) return '–';
  if (micros < 1000) return `${micros} µs`;
  return micros < 1e6 ? `${(micros / 1e3).toFixed(micros < 1e5 ? 1 : 0)} ms` : `${(micros / 1e6).toFixed(2)} s`;
}

const count = (number, noun, nouns = noun + 's') => `${number.toLocaleString('en')} ${number === 1 ? noun : nouns}`;

const sum = (list, value) => list.reduce((total, item) => total + (value(item) ?? 0), 0);

const choice = (label, isOn, click) => make('button', { type: 'button', class: 'choice', 'aria-pressed': String(isOn), click }, label);

const KINDS = ['image', 'sound', 'font', 'model', 'text', 'raw', 'link', 'sprite'];
/** The kind of a type, for its colour. The opening of a pack has no type. */
const kindOf = (type) => KINDS.find((kind) => kind === type?.toLowerCase()) ?? 'other';

/** What the game has loaded, as it was when it was last asked. */
let state = { program: '', stores: [], assets: [], loads: [], events: [] };
/** The assets that the search and the types let through. */
let shown = [];
/** The key of the asset in the detail. */
let chosen = null;
const filter = { words: [], hidden: new Set() };
/** What draws the page again after a new state, and after another filter. */
const listeners = [];
/** The assets by their keys, and the loads of each. */
let byKey = new Map();
let loadsOf = new Map();

const keyOf = (item) => `${item.store}/${item.id}/${item.type}`;
const nameOf = (item) => item.path || item.id;

/** Takes a new state, and notes which assets have a new value. */
function setState(next) {
  const before = byKey;
  state = next;
  byKey = new Map(state.assets.map((asset) => [asset.key = keyOf(asset), asset]));
  loadsOf = new Map();
  for (const load of state.loads) {
    if (load.kind === 'open') continue;
    const key = keyOf(load);
    if (!loadsOf.has(key)) loadsOf.set(key, []);
    loadsOf.get(key).push(load);
  }
  for (const asset of state.assets) {
    const loads = loadsOf.get(asset.key) ?? [];
    asset.took = loads.findLast((load) => load.took_us !== null && !load.error)?.took_us ?? null;
    asset.isNew = before.size > 0 && before.get(asset.key)?.version !== asset.version;
    asset.text = [asset.path, asset.type, asset.id, asset.state, ...asset.groups, ...Object.values(asset.asked_by)].join('\n').toLowerCase();
  }
  applyFilter();
}

function applyFilter() {
  shown = state.assets.filter((asset) => !filter.hidden.has(asset.type) && filter.words.every((word) => asset.text.includes(word)));
  listeners.forEach((draw) => draw());
}

/** Whether the search and the types let a load through. */
const isShownLoad = (load) => !filter.hidden.has(load.type)
  && filter.words.every((word) => `${load.path}\n${load.type}\n${load.id}\n${load.thread}\n${Object.values(load.asked_by).join('\n')}`.toLowerCase().includes(word));

/** What asked for an asset, in words. */
function askerText(asker) {
  const parts = [asker.asset && `for ${asker.asset}`, asker.group && `group ${asker.group}`, asker.code].filter(Boolean);
  return parts.join(', ') || '–';
}

/** What holds an asset, in words. */
function holderText(asset) {
  const parts = [];
  if (asset.handles > 0) parts.push(count(asset.handles, 'handle'));
  if (asset.dependents.length > 0) parts.push(count(asset.dependents.length, 'asset'));
  if (asset.kept) parts.push('the store');
  return parts.join(', ') || 'nothing';
}

/** The assets with a path, of one store. */
const withPath = (store, path) => state.assets.filter((asset) => asset.path === path && asset.store === store);

/** A button that shows the asset with a path, or the path if it is not loaded. */
function pathButton(store, path) {
  const [asset] = withPath(store, path);
  return asset ? make('button', { type: 'button', class: 'path', click: () => choose(asset.key) }, isolated(path)) : isolated(path);
}
