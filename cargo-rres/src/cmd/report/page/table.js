// The table: every asset in a line. Only the lines in sight are elements, so thousands of assets scroll and sort at once.

const ROW = 38;

const yes = (value) => value ? 'yes' : '';

/** Name, width in pixels, value to sort by, and text. Without a text, the value is shown. */
const COLUMNS = [
  { key: 'number', name: 'Num', width: 54, right: true, value: (asset) => asset.number },
  { key: 'name', name: 'Name', width: 260, value: (asset) => asset.name, cell: nameCell },
  { key: 'kind', name: 'Type', width: 66, value: (asset) => asset.kind },
  { key: 'stored', name: 'Size', width: 92, right: true, value: (asset) => asset.stored_size, text: size, share: true },
  { key: 'source', name: 'Source', width: 86, right: true, value: (asset) => asset.source_size, text: size },
  { key: 'decoded', name: 'Decoded', width: 86, right: true, value: (asset) => asset.decoded_size, text: size },
  { key: 'vram', name: 'VRAM', width: 82, right: true, value: (asset) => asset.video_memory || null, text: size },
  { key: 'compression', name: 'Compression', width: 132, value: (asset) => asset.compressions.join(', ') },
  { key: 'encryption', name: 'Encryption', width: 94, value: (asset) => asset.ciphers.join(', ') || 'none' },
  { key: 'raw', name: 'Raw', width: 48, value: (asset) => yes(asset.is_raw) },
  { key: 'linked', name: 'Linked', width: 64, value: (asset) => yes(asset.is_link) },
  { key: 'id', name: 'Id', width: 100, value: (asset) => asset.id, mono: true },
  { key: 'import', name: 'Import', width: 82, right: true, value: (asset) => asset.import_seconds, text: time },
  { key: 'load', name: 'Load', width: 82, right: true, value: (asset) => asset.load_seconds, text: time },
].filter((column) => !['source', 'import', 'vram'].includes(column.key) || assets.some((asset) => column.value(asset) !== null));

const table = { sort: 'stored', down: true, rows: [], lines: new Map(), focus: 0, grid: null, body: null };

const collator = new Intl.Collator('en', { numeric: true });
const largest = Math.max(1, ...assets.map((asset) => asset.stored_size));

function nameCell(asset) {
  const uri = thumbnailOf(asset);
  const image = uri ? make('img', { src: uri, alt: '', decoding: 'async' }) : make('span', { class: 'swatch', 'data-kind': asset.kind });
  return [make('span', { class: uri && asset.kind !== 'sound' && asset.kind !== 'font' ? 'thumb check' : 'thumb' }, image), isolated(asset.name)];
}

/** Sorts the shown assets. What has no value comes last in either direction. */
function sortTable() {
  const column = COLUMNS.find((column) => column.key === table.sort);
  const sign = table.down ? -1 : 1;
  const keyed = shown.map((asset) => [column.value(asset), asset]);
  const isText = keyed.some(([value]) => typeof value === 'string');
  keyed.sort(([a, assetA], [b, assetB]) => {
    if (a === null || b === null) return (a === null) - (b === null) || assetA.at - assetB.at;
    const order = isText ? collator.compare(a, b) : a - b;
    return order * sign || assetA.at - assetB.at;
  });
  table.rows = keyed.map(([, asset]) => asset);
}

function drawTable() {
  sortTable();
  table.lines.forEach((line) => line.remove());
  table.lines.clear();
  table.focus = Math.max(0, Math.min(table.focus, table.rows.length - 1));
  table.grid.setAttribute('aria-rowcount', table.rows.length + 1);
  table.body.style.height = `${table.rows.length * ROW}px`;
  for (const head of table.grid.querySelectorAll('[role="columnheader"]')) {
    const isSorted = head.dataset.key === table.sort;
    head.setAttribute('aria-sort', isSorted ? (table.down ? 'descending' : 'ascending') : 'none');
  }
  drawLines();
}

/** Makes elements for the lines in sight, and removes the others. */
function drawLines() {
  const { grid, rows, lines } = table;
  if (grid.clientHeight === 0) return;
  const first = Math.max(0, Math.floor(grid.scrollTop / ROW) - 6);
  const last = Math.min(rows.length, Math.ceil((grid.scrollTop + grid.clientHeight) / ROW) + 6);
  for (const [at, line] of lines) {
    const keepsFocus = line === document.activeElement;
    if ((at < first || at >= last) && !keepsFocus) { line.remove(); lines.delete(at); }
  }
  for (let at = first; at < last; at++) {
    if (!lines.has(at)) {
      const line = lineOf(rows[at], at);
      lines.set(at, line);
      table.body.append(line);
    }
  }
}

function lineOf(asset, at) {
  const line = make('div', {
    role: 'row', class: 'grid-row', 'data-kind': asset.kind, 'aria-rowindex': at + 2,
    'aria-selected': String(asset === chosen), tabindex: at === table.focus ? 0 : -1,
  });
  line.style.cssText = `top:${at * ROW}px;grid-template-columns:${WIDTHS};min-width:${WIDTH}px`;
  line.asset = asset;
  line.at = at;
  for (const column of COLUMNS) {
    const value = column.value(asset);
    const text = column.text ? column.text(value) : value;
    const cell = make('div', { role: 'gridcell' }, column.cell ? column.cell(asset) : isolated(String(text ?? '–')));
    cell.className = [column.right && 'right', column.mono && 'mono', column.cell && 'cell-path', column.share && 'share'].filter(Boolean).join(' ');
    if (column.share) cell.style.setProperty('--share', value / largest);
    line.append(cell);
  }
  return line;
}

/** The name takes what room is left. */
const WIDTHS = COLUMNS.map(({ key, width }) => key === 'name' ? `minmax(${width}px, 1fr)` : `${width}px`).join(' ');
const WIDTH = COLUMNS.reduce((sum, column) => sum + column.width, 0);

function sortBy(key) {
  const column = COLUMNS.find((column) => column.key === key);
  // Numbers begin with the largest.
  table.down = table.sort === key ? !table.down : Boolean(column.right) && key !== 'number';
  table.sort = key;
  table.focus = 0;
  table.grid.scrollTop = 0;
  drawTable();
}

/** Moves the focus to a line, which is scrolled into sight. */
function focusLine(at) {
  if (table.rows.length === 0) return;
  at = Math.max(0, Math.min(at, table.rows.length - 1));
  table.lines.get(table.focus)?.setAttribute('tabindex', '-1');
  table.focus = at;
  const { grid } = table;
  const head = grid.firstElementChild.offsetHeight;
  const top = at * ROW, room = grid.clientHeight - head;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + ROW > grid.scrollTop + room) grid.scrollTop = top + ROW - room;
  drawLines();
  const line = table.lines.get(at);
  line.tabIndex = 0;
  line.focus({ preventScroll: true });
  drawLines();
}

function selectLine() {
  table.lines.forEach((line) => line.setAttribute('aria-selected', String(line.asset === chosen)));
}

function startTable() {
  const heads = COLUMNS.map((column) => make('div', { role: 'columnheader', 'data-key': column.key, class: column.right ? 'right' : null },
    make('button', { type: 'button', click: () => sortBy(column.key) }, column.name)));
  const head = make('div', { role: 'row', class: 'grid-head', 'aria-rowindex': 1 }, heads);
  head.style.cssText = `grid-template-columns:${WIDTHS};min-width:${WIDTH}px`;
  table.body = make('div', { class: 'grid-body', role: 'rowgroup' });
  table.grid = make('div', { role: 'grid', class: 'grid', 'aria-label': 'Assets', 'aria-readonly': 'true', 'aria-colcount': COLUMNS.length },
    head, table.body);
  table.grid.addEventListener('scroll', () => requestAnimationFrame(drawLines), { passive: true });
  table.body.addEventListener('click', (event) => {
    const line = event.target.closest('.grid-row');
    if (!line) return;
    focusLine(line.at);
    choose(line.asset, line);
  });
  table.body.addEventListener('keydown', (event) => {
    const page = Math.floor(table.grid.clientHeight / ROW) - 2;
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const line = event.target.closest('.grid-row');
    if (event.key in moves) focusLine(table.focus + moves[event.key]);
    else if ((event.key === 'Enter' || event.key === ' ') && line) choose(line.asset, line);
    else return;
    event.preventDefault();
  });
  byId('view-table').append(table.grid);
  new ResizeObserver(drawLines).observe(table.grid);
  filterListeners.push(drawTable);
  whenLoaded(drawTable);
}
