// The map: rectangles as large as the assets, folder within folder. Every rectangle is an element with a name, so that keys
// and screen readers reach it; what would be too small to see is one rectangle for all that is left of its folder.

const MEASURES = {
  stored: ['stored size', (asset) => asset.stored_size, size],
  source: ['source size', (asset) => asset.source_size ?? 0, size],
  decoded: ['decoded size', (asset) => asset.decoded_size, size],
  vram: ['video memory', (asset) => asset.video_memory ?? 0, size],
  load: ['load time', (asset) => asset.load_seconds ?? 0, time],
  import: ['import time', (asset) => asset.import_seconds ?? 0, time],
};

const treemap = { group: 'folder', measure: 'stored', root: [], focus: null, tree: null };

/** The height of a folder's name, and the space around what is in it. */
const HEAD = 18, GAP = 2, SMALLEST = 5;

/** About the width of a letter of a tile, and the space at its sides. */
const LETTER = 6.8, SIDES = 14;

/** Sorts the shown assets into folders. */
function growTree() {
  const [, measure] = MEASURES[treemap.measure];
  const folder = (name, parent) => ({ name, children: new Map(), assets: [], size: 0, count: 0, kinds: new Map(), parent });
  const add = (node, kind, value) => {
    node.size += value; node.count++;
    node.kinds.set(kind, (node.kinds.get(kind) ?? 0) + value);
  };
  const root = folder(data.title, null);
  for (const asset of shown) {
    const folders = { kind: () => [asset.kind], owner: () => [ownersOf(asset)], license: () => [licenseOf(asset)], folder: () => partsOf(asset)[0] }[treemap.group]();
    const value = measure(asset);
    let node = root;
    add(node, asset.kind, value);
    for (const name of folders) {
      let child = node.children.get(name);
      if (!child) node.children.set(name, child = folder(name, node));
      node = child;
      add(node, asset.kind, value);
    }
    node.assets.push({ asset, size: value, parent: node });
  }
  return root;
}

/** Lays out items, sorted by size, as rectangles that are nearly square (Bruls, Huizing, van Wijk: Squarified Treemaps). */
function squarify(items, box, place) {
  let { x, y, w, h } = box;
  let total = items.reduce((sum, item) => sum + item.size, 0);
  let at = 0;
  while (at < items.length && total > 0 && w > 0 && h > 0) {
    const short = Math.min(w, h), scale = w * h / total;
    let sum = 0, worst = Infinity, end = at;
    while (end < items.length) {
      const next = sum + items[end].size;
      const side = next * scale / short;
      const largest = items[at].size * scale, smallest = items[end].size * scale;
      const ratio = Math.max(side * side / smallest, largest / (side * side));
      if (ratio > worst) break;
      worst = ratio; sum = next; end++;
    }
    const depth = sum * scale / short;
    let offset = 0;
    for (; at < end; at++) {
      const length = items[at].size / sum * short;
      place(items[at], w >= h ? { x, y: y + offset, w: depth, h: length } : { x: x + offset, y, w: length, h: depth });
      offset += length;
    }
    if (w >= h) { x += depth; w -= depth; } else { y += depth; h -= depth; }
    total -= sum;
  }
}

function drawMap() {
  const map = byId('map');
  const box = map.getBoundingClientRect();
  if (box.width === 0) return;
  treemap.tree = growTree();
  let root = treemap.tree;
  const reached = [];
  for (const name of treemap.root) {
    const child = root.children.get(name);
    if (!child) break;
    root = child; reached.push(name);
  }
  treemap.root = reached;
  const tiles = [];
  if (root.size > 0) {
    drawFolder(root, { x: 0, y: 0, w: Math.floor(box.width), h: Math.floor(box.height) }, 1, reached, tiles);
    map.replaceChildren(...tiles);
  } else {
    map.replaceChildren(make('p', { class: 'empty' }, shown.length ? 'Nothing here has this measure.' : 'No asset matches.'));
  }
  const focus = tiles.find((tile) => tile.dataset.key === treemap.focus) ?? tiles[0];
  if (focus) focus.tabIndex = 0;
  drawCrumbs();
  selectTile();
  whenLoaded(() => tiles.forEach(addPicture));
}

/** Draws what is in a folder into a box. */
function drawFolder(folder, box, level, path, tiles) {
  const items = [...folder.children.values(), ...folder.assets].filter((item) => item.size > 0).sort((a, b) => b.size - a.size);
  const area = box.w * box.h / Math.max(folder.size, Number.MIN_VALUE);
  // The smallest items become one.
  let first = items.findIndex((item) => item.size * area < SMALLEST * SMALLEST);
  if (first < 0) first = items.length;
  const small = items.slice(first);
  const large = items.slice(0, first);
  if (small.length > 0) {
    large.push({ rest: small, size: small.reduce((sum, item) => sum + item.size, 0), parent: folder });
    large.sort((a, b) => b.size - a.size);
  }
  squarify(large, box, (item, place) => {
    const at = { x: Math.round(place.x), y: Math.round(place.y) };
    at.w = Math.round(place.x + place.w) - at.x - GAP;
    at.h = Math.round(place.y + place.h) - at.y - GAP;
    if (at.w < 2 || at.h < 2) return;
    const folders = item.children ? [item] : [];
    // Folders with nothing in them but one folder are one rectangle.
    while (folders.at(-1)?.children.size === 1 && folders.at(-1).assets.length === 0) {
      folders.push(folders.at(-1).children.values().next().value);
    }
    const names = folders.map((folder) => folder.name);
    tiles.push(tileOf(item, at, level, path, names));
    if (!item.children || at.w < 10 || at.h < 10) return;
    const top = hasHead(at) ? HEAD : 2;
    const inner = { x: at.x + 3, y: at.y + top, w: at.w - 4, h: at.h - top - 1 };
    drawFolder(folders.at(-1), inner, level + 1, [...path, ...names], tiles);
  });
}

/** The colours of the kinds of small assets, each as wide as its share of their size. */
function kindStripes(items) {
  const sizes = new Map();
  for (const item of items) {
    for (const [kind, value] of item.kinds ?? [[item.asset.kind, item.size]]) sizes.set(kind, (sizes.get(kind) ?? 0) + value);
  }
  const all = [...sizes].sort(([, a], [, b]) => b - a);
  const total = all.reduce((sum, [, value]) => sum + value, 0);
  let start = 0;
  const stripes = all.map(([kind, value]) => {
    const [from, to] = [start, start += value / Math.max(total, Number.MIN_VALUE) * 100].map((at) => `${Math.round(at * 10) / 10}%`);
    return `var(--${KIND_COLOURS[kind] ?? 'other'}) ${from} ${to}`;
  });
  return `linear-gradient(to right, ${stripes.join(', ')})`;
}

const KIND_COLOURS = { image: 'image', sprite: 'image', sound: 'sound', font: 'font', model: 'model', text: 'text-kind', raw: 'raw', link: 'link' };

/** The longest of some texts that a tile has room for; an empty one if it has room for none. */
const fitting = (texts, width) => texts.find((text) => text.length * LETTER + SIDES <= width) ?? '';

/** Whether there is room for the name of a folder above what is in it. */
const hasHead = (at) => at.w > 24 && at.h > HEAD + 14;

/** The element of an asset, the rest of a folder, or a folder with the names that lead to it. */
function tileOf(item, at, level, path, names) {
  const [, , show] = MEASURES[treemap.measure];
  const share = percent(item.size / Math.max(treemap.tree.size, Number.MIN_VALUE));
  const tile = make('div', { role: 'treeitem', tabindex: '-1', 'aria-level': level });
  tile.style.cssText = `left:${at.x}px;top:${at.y}px;width:${at.w}px;height:${at.h}px`;
  let label, says;
  if (item.asset) {
    // A long name may be cut, but not down to nothing.
    label = at.w > 46 ? partsOf(item.asset)[1] : fitting([partsOf(item.asset)[1]], at.w);
    says = `${item.asset.name}, ${item.asset.kind}`;
    tile.className = 'tile asset';
    tile.dataset.kind = item.asset.kind;
    tile.dataset.key = `asset:${item.asset.name}`;
    tile.asset = item.asset;
  } else if (item.rest) {
    const number = item.rest.reduce((sum, small) => sum + (small.count ?? 1), 0);
    says = count(number, 'smaller asset');
    label = fitting([says, `${number.toLocaleString('en')} more`, `+${number}`], at.w);
    tile.style.setProperty('--kinds', kindStripes(item.rest));
    tile.className = 'tile rest';
    tile.dataset.key = `rest:${path.join('/')}`;
    tile.folder = path;
  } else {
    label = names.join('/');
    tile.folder = [...path, ...names];
    says = `folder ${tile.folder.join('/')}, ${count(item.count, 'asset')}`;
    tile.className = 'tile folder';
    tile.dataset.key = `folder:${tile.folder.join('/')}`;
    tile.setAttribute('aria-expanded', at.w >= 10 && at.h >= 10);
  }
  tile.place = at;
  tile.setAttribute('aria-label', `${says}, ${show(item.size)}, ${share}`);
  tile.title = `${says}\n${show(item.size)} · ${share}`;
  if (item.asset || item.rest) {
    if (label && at.h > 16) tile.append(make('span', { class: 'label' }, isolated(label)));
    if (label && at.h > 34 && fitting([show(item.size)], at.w)) tile.append(make('span', { class: 'size' }, show(item.size)));
  } else if (hasHead(at) && at.w > 30) {
    tile.append(make('span', { class: 'label' }, isolated(label), at.w > 110 ? `  ${show(item.size)}` : ''));
  }
  return tile;
}

/** Shows the picture of an asset in its tile, if there is room. */
function addPicture(tile) {
  if (!tile.asset || tile.place.w < 44 || tile.place.h < 62) return;
  const uri = thumbnailOf(tile.asset);
  if (!uri) return;
  const inner = make('span', { class: `picture ${{ sound: 'wave', font: 'letters' }[tile.asset.kind] ?? ''}`.trim(), 'aria-hidden': 'true' });
  // Waves and letters have the colour of the tile's text.
  inner.style[['sound', 'font'].includes(tile.asset.kind) ? 'maskImage' : 'backgroundImage'] = `url("${uri}")`;
  tile.append(inner);
}

function drawCrumbs() {
  const names = [data.title, ...treemap.root];
  byId('crumbs').replaceChildren(...names.map((name, depth) => {
    const isLast = depth === names.length - 1;
    const click = () => zoom(treemap.root.slice(0, depth));
    return make('li', {}, make('button', { type: 'button', 'aria-current': isLast ? 'location' : null, click }, isolated(name)));
  }));
}

/** Shows a folder as the whole map. */
function zoom(path, focus = null) {
  treemap.root = path;
  treemap.focus = focus;
  drawMap();
  byId('map').querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

function zoomOut() {
  if (treemap.root.length === 0) return;
  // A chain of folders that is one rectangle is left at once.
  const path = treemap.root.slice(0, -1);
  const nodes = [treemap.tree];
  for (const name of path) nodes.push(nodes.at(-1).children.get(name));
  while (path.length > 0 && nodes.at(-1).children.size === 1 && nodes.at(-1).assets.length === 0) { path.pop(); nodes.pop(); }
  zoom(path, `folder:${treemap.root.join('/')}`);
}

function activate(tile) {
  if (tile.asset) choose(tile.asset, tile);
  else if (tile.folder.join('/') !== treemap.root.join('/')) zoom(tile.folder);
  else showView('table');
}

function selectTile() {
  for (const tile of byId('map').children) {
    if (tile.asset) tile.setAttribute('aria-selected', String(tile.asset === chosen));
  }
}

/** Moves the focus to the nearest tile in a direction. */
function moveFocus(from, dx, dy) {
  const { x, y, w, h } = from.place;
  let best = null, least = Infinity;
  for (const tile of byId('map').children) {
    if (!tile.place || tile === from) continue;
    const other = tile.place;
    // From the middle of this tile to that of the other; of a folder, to the middle of its name.
    const middle = (place, isFolder) => [place.x + place.w / 2, place.y + (isFolder ? HEAD / 2 : place.h / 2)];
    const [fromX, fromY] = middle({ x, y, w, h }, !from.asset);
    const [toX, toY] = middle(other, tile.classList.contains('folder'));
    const along = (toX - fromX) * dx + (toY - fromY) * dy;
    const across = Math.abs((toX - fromX) * dy) + Math.abs((toY - fromY) * dx);
    if (along > 1 && along + across * 2 < least) { least = along + across * 2; best = tile; }
  }
  if (best) focusTile(best);
}

function focusTile(tile) {
  byId('map').querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
  tile.tabIndex = 0;
  treemap.focus = tile.dataset.key;
  tile.focus({ preventScroll: true });
}

function startMap() {
  const map = byId('map');
  const sizes = Object.entries(MEASURES).filter(([, [, measure]]) => assets.some((asset) => measure(asset) > 0));
  byId('map-size').append(...sizes.map(([key, [name]]) => make('option', { value: key }, name)));
  byId('map-size').addEventListener('change', (event) => { treemap.measure = event.target.value; drawMap(); });
  if (data.owners) byId('map-group').append(make('option', { value: 'owner' }, 'owner'));
  if (data.licenses) byId('map-group').append(make('option', { value: 'license' }, 'licence'));
  byId('map-group').addEventListener('change', (event) => { treemap.group = event.target.value; treemap.root = []; drawMap(); });
  map.addEventListener('click', (event) => {
    const tile = event.target.closest('.tile');
    if (!tile) return;
    focusTile(tile);
    activate(tile);
  });
  map.addEventListener('keydown', (event) => {
    const tile = event.target.closest('.tile');
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!tile || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in arrows) moveFocus(tile, ...arrows[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') activate(tile);
    else if (event.key === 'Backspace' || event.key === '-' || (event.key === 'Escape' && !chosen)) zoomOut();
    else if (event.key === 'Home') zoom([]);
    else if (event.key === '+') zoom(tile.folder ?? partsOf(tile.asset)[0], tile.dataset.key);
    else return;
    event.preventDefault();
  });
  new ResizeObserver(drawMap).observe(map);
  filterListeners.push(drawMap);
}
