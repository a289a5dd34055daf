// The head of the page, its views, findings and changes; then everything starts.

const VIEWS = ['map', 'table', 'findings', 'changes'];

function showView(name) {
  for (const view of VIEWS) {
    const isShown = view === name;
    byId(`view-${view}`).hidden = !isShown;
    byId(`tab-${view}`).setAttribute('aria-selected', String(isShown));
    byId(`tab-${view}`).tabIndex = isShown ? 0 : -1;
  }
  document.querySelector('main').dataset.view = name;
  if (name === 'map') drawMap();
  if (name === 'table') drawTable();
}

const sum = (list, value) => list.reduce((total, item) => total + value(item), 0);

function drawHead() {
  document.title = `${data.title} – rres report`;
  byId('title').append(isolated(data.title));
  const facts = [assetCount(assets), data.source_size === null ? null : `${size(data.source_size)} of sources`,
    `${size(data.stored_size)} stored`, `${size(data.decoded_size)} decoded`,
    data.video_memory > 0 ? `${size(data.video_memory)} of video memory` : null, `loaded in ${time(sum(assets, (asset) => asset.load_seconds ?? 0))}`];
  byId('totals').textContent = facts.filter(Boolean).join(' · ');
  byId('kinds').append(...kinds.map((kind) => {
    const own = assets.filter((asset) => asset.kind === kind);
    const button = make('button', { type: 'button', 'aria-pressed': 'true', click: () => {
      if (!filter.hidden.delete(kind)) filter.hidden.add(kind);
      button.setAttribute('aria-pressed', String(!filter.hidden.has(kind)));
      applyFilter();
    } }, make('span', { class: 'swatch', 'data-kind': kind }), `${kind} `, make('span', { class: 'dim number' }, `${own.length} · ${size(sum(own, (asset) => asset.stored_size))}`));
    return button;
  }));
  const search = byId('search');
  search.addEventListener('input', () => {
    filter.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    applyFilter();
  });
  filterListeners.push(() => {
    const part = shown.length < assets.length ? `${count(shown.length, 'asset')} of ${assets.length.toLocaleString('en')}, ${size(sum(shown, (asset) => asset.stored_size))}` : '';
    byId('shown').textContent = part;
  });
}

function startTheme() {
  const root = document.documentElement, button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const set = (isDark) => {
    root.classList.toggle('dark', isDark);
    root.style.colorScheme = isDark ? 'dark' : 'light';
    button.textContent = isDark ? '☀' : '☾';
    for (const stage of document.querySelectorAll('.stage')) stage.recolour?.();
  };
  set(system.matches);
  system.addEventListener('change', (event) => set(event.matches));
  button.addEventListener('click', () => set(!root.classList.contains('dark')));
}

/** Lists with more lines are grouped by folder, and folded. */
const MOST_LINES = 20;

/** A list of lines, each a list of elements. Of very long lists, there is the beginning. */
function lineList(lines) {
  const shownLines = lines.slice(0, 500).map((line) => make('li', {}, line));
  if (lines.length > 500) shownLines.push(make('li', {}, make('span', { class: 'dim' }, `and ${(lines.length - 500).toLocaleString('en')} more`)));
  return make('ul', {}, shownLines);
}

/** A part of a long list, which is made when it is opened. */
function folded(title, lines) {
  const part = make('details', {}, make('summary', {}, isolated(title), make('span', { class: 'badge' }, lines.length.toLocaleString('en'))));
  part.addEventListener('toggle', () => part.append(lineList(lines.map((line) => line()))), { once: true });
  return part;
}

/**
 * A card with a list of lines; each line is a function that makes a list of elements. `names` has the path that each line is about, if
 * it has one.
 */
function card(title, text, lines, names = []) {
  const parts = [];
  const folders = new Map();
  if (lines.length > MOST_LINES) {
    lines.forEach((line, at) => {
      const folder = (names[at] ?? '').split('/').slice(0, -1).join('/');
      if (!folders.has(folder)) folders.set(folder, []);
      folders.get(folder).push(line);
    });
  }
  if (folders.size > 1) parts.push(...[...folders].map(([folder, own]) => folded(folder ? `${folder}/` : 'no folder', own)));
  else if (lines.length > MOST_LINES) parts.push(lineList(lines.slice(0, MOST_LINES / 2).map((line) => line())), folded('all others', lines.slice(MOST_LINES / 2)));
  else parts.push(lineList(lines.map((line) => line())));
  return make('section', { class: 'card' }, make('h2', {}, title), make('p', {}, text), parts);
}

const path = (name) => make('span', {}, pathButton(name));
const amount = (text, name = '') => make('span', { class: `number ${name}` }, text);
const difference = (bytes) => amount(bytes === 0 ? '±0' : `${bytes > 0 ? '+' : '−'}${size(Math.abs(bytes))}`, `difference ${bytes > 0 ? 'up' : bytes < 0 ? 'down' : ''}`.trim());
/** Two sizes and their difference, in three columns. */
const growth = (before, after) => [amount(size(before)), make('span', { class: 'arrow' }, '→'), amount(size(after)), difference(after - before)];

/** A level of a limit: whether a build warns, or fails. */
const level = (word) => make('span', { class: `level ${word}` }, { deny: 'fails the build', warn: 'warning', allow: 'allowed' }[word] ?? word);

/** Budgets as bars. In the bar of an exceeded budget, a mark shows how much is allowed. */
function budgetCard() {
  const lines = data.budgets.map(({ rule, place, level: word, measure, used, allowed, largest }) => {
    const isOver = used > allowed, whole = Math.max(used, allowed, 1);
    const fill = make('span', { class: 'fill' }), mark = make('span', { class: 'mark' });
    fill.style.width = `${used / whole * 100}%`;
    mark.style.left = `${allowed / whole * 100}%`;
    const bar = make('div', { class: isOver ? 'meter over' : 'meter', role: 'meter', 'aria-label': `Budget ${rule}`, 'aria-valuemin': 0, 'aria-valuemax': allowed, 'aria-valuenow': used }, fill, isOver ? mark : null);
    const head = make('div', { class: 'budget' }, make('span', {}, isolated(rule), ' ', make('span', { class: 'dim' }, isolated(place))),
      isOver ? level(word) : null, amount(`${size(used)} of ${size(allowed)}`, isOver ? 'up' : ''), amount(allowed > 0 ? percent(used / allowed) : ''));
    const named = largest.flatMap((asset, at) => [at > 0 ? ', ' : '', pathButton(asset.path), ' ', amount(size(asset[measure]))]);
    return () => [make('div', {}, head, bar, named.length > 0 ? make('div', { class: 'dim' }, 'Largest: ', named) : null)];
  });
  return card('Budgets', 'What assets take of the bytes that they may take together, in the pack or in video memory.', lines);
}

/** What is loaded together with each group. */
function groupCard() {
  const lines = data.groups.map(({ name, count: number, stored_size, video_memory }) => () => [
    make('span', {}, isolated(name)), make('span', { class: 'dim' }, count(number, 'asset')), amount(`${size(stored_size)} stored`),
    amount(video_memory > 0 ? `${size(video_memory)} of video memory` : '')]);
  return card('Groups', 'What is loaded together with a group: its members, and what they need.', lines);
}

function drawFindings() {
  const cards = [];
  if (data.broken.length > 0) cards.push(card('Cannot be loaded', 'cargo rres verify says what is damaged.', data.broken.map((name) => () => [path(name)]), data.broken));
  if (data.findings.length > 0) cards.push(card('The pack', 'What is wrong with the pack.', data.findings.map((finding) => () => [make('span', {}, finding.message)])));
  if (data.diagnostics.length > 0) cards.push(card('Refused', 'What a build refuses. A refused file is not in the pack of a new build.', data.diagnostics.map(({ place, message, help }) => () => [make('span', {}, isolated(place), `: ${message}`, help ? make('div', { class: 'dim' }, help) : null)]), data.diagnostics.map(({ place }) => place)));
  const beyond = data.lints.filter(({ lint }) => lint !== 'budget');
  if (beyond.length > 0) cards.push(card('Beyond a limit', 'The settings limit these assets.', beyond.map(({ asset, message, place, level: word }) => () => [
    make('span', {}, pathButton(asset), ' ', isolated(message), make('div', { class: 'dim' }, isolated(place))), level(word)]), beyond.map(({ asset }) => asset)));
  if (data.budgets.length > 0) cards.push(budgetCard());
  if (data.groups.length > 0) cards.push(groupCard());
  if (data.duplicates.length > 0) {
    const wasted = sum(data.duplicates, (group) => group.wasted_size);
    cards.push(card('Stored more than once', `Assets with equal contents. One of each would do: ${size(wasted)} less.`, data.duplicates.map(({ paths, wasted_size }) => () => [
      make('span', {}, paths.slice(0, 8).map((name) => make('div', {}, pathButton(name))), paths.length > 8 ? make('div', { class: 'dim' }, `and ${paths.length - 8} more`) : null),
      amount(size(wasted_size))]), data.duplicates.map(({ paths }) => paths[0])));
  }
  if (data.larger_than_source.length > 0) {
    cards.push(card('Larger than the source', 'What a game loads without decoding takes more space than a JPEG or an OGG. Other formats, fewer mip levels or a lower resolution make it smaller.',
      data.larger_than_source.map(({ path: name, source_size, stored_size }) => () => [path(name), ...growth(source_size, stored_size)]),
      data.larger_than_source.map(({ path: name }) => name)));
  }
  if (data.unused?.length > 0) {
    const known = data.unused.map((name) => byName.get(name)).filter(Boolean);
    cards.push(card('Not used', `No program of the package names these assets: ${size(sum(known, (asset) => asset.stored_size))}.`,
      data.unused.map((name) => () => [path(name), amount(size(byName.get(name)?.stored_size ?? 0))]), data.unused));
  }
  for (const { topic, help, assets: named } of data.notes) {
    cards.push(card(`${topic[0].toUpperCase()}${topic.slice(1)}`, help ? `${help[0].toUpperCase()}${help.slice(1)}.` : '', named.map((note) => () => [path(note.path), amount(note.detail)]), named.map((note) => note.path)));
  }
  const number = data.lints.length + data.broken.length + data.findings.length + data.diagnostics.length + data.notes.length + data.duplicates.length + data.larger_than_source.length + (data.unused?.length ?? 0);
  if (number > 0) byId('tab-findings').append(make('span', { class: 'badge' }, number.toLocaleString('en')));
  else if (data.budgets.length + data.groups.length === 0) cards.push(make('p', { class: 'empty' }, 'Nothing to say about these assets.'));
  if (data.unused === null) cards.push(make('p', { class: 'dim' }, 'Which assets no program uses was not examined; cargo rres report --unused does.'));
  byId('view-findings').append(...cards);
}

function drawChanges() {
  const view = byId('view-changes'), changes = data.changes;
  if (!changes) {
    view.append(make('p', { class: 'empty' }, 'This report is not compared with an earlier one; cargo rres report --since OLD.html does.'));
    return;
  }
  const { added, removed, changed, moved, since, stored_size_before: before } = changes;
  byId('tab-changes').append(make('span', { class: 'badge' }, String(added.length + removed.length + changed.length + moved.length)));
  view.append(make('section', { class: 'card' }, make('h2', {}, 'Since ', isolated(since)),
    make('p', {}, `${size(before)} → ${size(data.stored_size)} stored  `, data.stored_size === before ? '' : difference(data.stored_size - before))));
  const bySize = (list, value) => [...list].sort((a, b) => Math.abs(value(b)) - Math.abs(value(a)));
  const lists = [
    ['Added', added, bySize(added, (asset) => asset.stored_size).map((asset) => () => [path(asset.path), difference(asset.stored_size)])],
    ['Removed', removed, bySize(removed, (asset) => asset.stored_size).map((asset) => () => [path(asset.path), difference(-asset.stored_size)])],
    ['Changed', changed, bySize(changed, (asset) => asset.stored_size - asset.stored_size_before).map((asset) => () => [path(asset.path), ...growth(asset.stored_size_before, asset.stored_size)])],
    ['Moved', moved, moved.map((asset) => () => [make('span', {}, isolated(asset.from), ' → ', pathButton(asset.path))])],
  ];
  for (const [title, list, lines] of lists) {
    if (list.length > 0) view.append(card(title, count(list.length, 'asset'), lines));
  }
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
    const isTyping = event.target.matches('input, textarea, select');
    if (event.key === 'Escape') {
      if (event.target === byId('search') && byId('search').value) { byId('search').value = ''; filter.words = []; applyFilter(); }
      else if (chosen && !event.defaultPrevented) closeDetail();
    } else if (isTyping) {
      // Enter leads from the search to what it has found.
      if (event.key === 'Enter' && event.target === byId('search')) { showView('table'); focusLine(0); event.preventDefault(); }
    } else if (event.key === '/') {
      byId('search').focus();
      event.preventDefault();
    } else if ('1234'.includes(event.key)) {
      const view = VIEWS[Number(event.key) - 1];
      showView(view);
      if (view === 'table') focusLine(table.focus);
      else if (view === 'map') byId('map').querySelector('[tabindex="0"]')?.focus();
      else byId(`view-${view}`).focus();
    }
  });
}

startTheme();
drawHead();
startMap();
startTable();
drawFindings();
drawChanges();
startKeys();
showView('map');
let linked = '';
try { linked = decodeURIComponent(location.hash.slice(1)); } catch { /* Not a link of this page. */ }
choose(byName.get(linked) ?? null);
