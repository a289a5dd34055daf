// The table: every asset in a line. Only the lines in sight are elements, so thousands of assets scroll and sort at once.

/**
 * A list of lines of one height with the keyboard's arrows. `line(item, at)` makes the cells of a line; `keyOf(item)` tells lines apart when the list
 * has changed.
 */
function lineList({ grid, body, height, line, keyOf, open }) {
  const list = { rows: [], lines: new Map(), focus: 0 };
  const isFocused = () => body.contains(document.activeElement);

  list.draw = () => {
    if (grid.clientHeight === 0) return;
    const first = Math.max(0, Math.floor(grid.scrollTop / height) - 6);
    const last = Math.min(list.rows.length, Math.ceil((grid.scrollTop + grid.clientHeight) / height) + 6);
    for (const [at, element] of list.lines) {
      if ((at < first || at >= last) && element !== document.activeElement) { element.remove(); list.lines.delete(at); }
    }
    for (let at = first; at < last; at++) {
      if (list.lines.has(at)) continue;
      const element = line(list.rows[at], at);
      element.setAttribute('role', 'row');
      element.classList.add('grid-row');
      element.setAttribute('aria-rowindex', at + 2);
      element.tabIndex = at === list.focus ? 0 : -1;
      element.style.top = `${at * height}px`;
      element.item = list.rows[at];
      element.at = at;
      list.lines.set(at, element);
      body.append(element);
    }
  };

  /** Shows other rows; the focus stays with its row. */
  list.set = (rows) => {
    const hadFocus = isFocused(), focused = list.rows[list.focus];
    list.rows = rows;
    const at = focused ? rows.findIndex((row) => keyOf(row) === keyOf(focused)) : -1;
    list.focus = Math.max(0, Math.min(at >= 0 ? at : list.focus, rows.length - 1));
    list.lines.forEach((element) => element.remove());
    list.lines.clear();
    grid.setAttribute('aria-rowcount', rows.length + 1);
    body.style.height = `${rows.length * height}px`;
    list.draw();
    if (hadFocus) list.lines.get(list.focus)?.focus({ preventScroll: true });
  };

  /** Moves the focus to a line, which is scrolled into sight. */
  list.focusLine = (at) => {
    if (list.rows.length === 0) return;
    at = Math.max(0, Math.min(at, list.rows.length - 1));
    list.lines.get(list.focus)?.setAttribute('tabindex', '-1');
    list.focus = at;
    const top = at * height, room = grid.clientHeight - grid.firstElementChild.offsetHeight;
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + height > grid.scrollTop + room) grid.scrollTop = top + height - room;
    list.draw();
    const element = list.lines.get(at);
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
    list.draw();
  };

  grid.addEventListener('scroll', () => requestAnimationFrame(list.draw), { passive: true });
  body.addEventListener('click', (event) => {
    const element = event.target.closest('.grid-row');
    if (!element) return;
    list.focusLine(element.at);
    open(element.item);
  });
  body.addEventListener('keydown', (event) => {
    const page = Math.floor(grid.clientHeight / height) - 2;
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const element = event.target.closest('.grid-row');
    if (event.key in moves) list.focusLine(list.focus + moves[event.key]);
    else if ((event.key === 'Enter' || event.key === ' ') && element) open(element.item);
    else return;
    event.preventDefault();
  });
  new ResizeObserver(list.draw).observe(grid);
  return list;
}

/** Name, width in pixels, value to sort by, and text. Without a text, the value is shown. */
const COLUMNS = [
  { key: 'path', name: 'Path', width: 230, value: (asset) => nameOf(asset) },
  { key: 'type', name: 'Type', width: 80, value: (asset) => asset.type },
  { key: 'state', name: 'State', width: 74, value: (asset) => asset.state },
  { key: 'bytes', name: 'Memory', width: 88, right: true, value: (asset) => asset.bytes, text: size, share: true },
  { key: 'video', name: 'Video', width: 90, right: true, value: (asset) => asset.video_bytes, text: size },
  { key: 'took', name: 'Load', width: 78, right: true, value: (asset) => asset.took, text: time },
  { key: 'version', name: 'Version', width: 74, right: true, value: (asset) => asset.version },
  { key: 'held', name: 'Held by', width: 150, value: (asset) => asset.handles + asset.dependents.length, text: (_, asset) => holderText(asset) },
  { key: 'asked', name: 'Asked by', width: 210, value: (asset) => askerText(asset.asked_by) },
  { key: 'groups', name: 'Groups', width: 110, value: (asset) => asset.groups.join(', ') },
];
/** The path takes what room is left. */
const WIDTHS = COLUMNS.map(({ key, width }) => key === 'path' ? `minmax(${width}px, 1fr)` : `${width}px`).join(' ');
const WIDTH = COLUMNS.reduce((total, column) => total + column.width, 0);

const table = { sort: 'bytes', down: true, list: null, grid: null, largest: 1 };
const collator = new Intl.Collator('en', { numeric: true });

/** Sorts the shown assets. What has no value comes last in either direction. */
function sorted() {
  const column = COLUMNS.find(({ key }) => key === table.sort);
  const sign = table.down ? -1 : 1;
  const keyed = shown.map((asset, at) => [column.value(asset), at, asset]);
  const isText = keyed.some(([value]) => typeof value === 'string');
  keyed.sort(([a, atA], [b, atB]) => {
    if (a === null || b === null) return (a === null) - (b === null) || atA - atB;
    return (isText ? collator.compare(a, b) : a - b) * sign || atA - atB;
  });
  return keyed.map(([, , asset]) => asset);
}

function assetLine(asset) {
  const line = make('div', { 'data-kind': kindOf(asset.type), 'data-path': asset.path, 'aria-selected': String(asset.key === chosen), class: asset.isNew ? 'is-new' : null });
  line.style.gridTemplateColumns = WIDTHS;
  line.style.minWidth = `${WIDTH}px`;
  for (const column of COLUMNS) {
    const value = column.value(asset);
    const text = isolated(String((column.text ? column.text(value, asset) : value) ?? '–'));
    const cell = make('div', { role: 'gridcell' }, column.key === 'path' ? [make('span', { class: 'swatch' }), text] : text);
    cell.className = [column.right && 'right', column.key === 'path' && 'cell-path', column.share && 'share',
      column.key === 'state' && asset.state === 'failed' && 'is-failed'].filter(Boolean).join(' ');
    if (column.share) cell.style.setProperty('--share', value / table.largest);
    line.append(cell);
  }
  return line;
}

function drawTable() {
  table.largest = Math.max(1, ...state.assets.map((asset) => asset.bytes));
  for (const head of table.grid.querySelectorAll('[role="columnheader"]')) {
    const isSorted = head.dataset.key === table.sort;
    head.setAttribute('aria-sort', isSorted ? (table.down ? 'descending' : 'ascending') : 'none');
  }
  table.list.set(sorted());
}

function sortBy(key) {
  // Numbers begin with the largest.
  table.down = table.sort === key ? !table.down : Boolean(COLUMNS.find((column) => column.key === key).right);
  table.sort = key;
  table.grid.scrollTop = 0;
  drawTable();
}

function startTable() {
  const head = make('div', { role: 'row', class: 'grid-head', 'aria-rowindex': 1 }, COLUMNS.map((column) =>
    make('div', { role: 'columnheader', 'data-key': column.key, class: column.right ? 'right' : null },
      make('button', { type: 'button', click: () => sortBy(column.key) }, column.name))));
  head.style.gridTemplateColumns = WIDTHS;
  head.style.minWidth = `${WIDTH}px`;
  const body = make('div', { class: 'grid-body', role: 'rowgroup' });
  table.grid = make('div', { role: 'grid', class: 'grid assets', 'aria-label': 'Assets', 'aria-readonly': 'true', 'aria-colcount': COLUMNS.length }, head, body);
  byId('view-assets').append(table.grid);
  table.list = lineList({ grid: table.grid, body, height: 32, line: assetLine, keyOf: (asset) => asset.key, open: (asset) => choose(asset.key) });
  listeners.push(drawTable);
}
