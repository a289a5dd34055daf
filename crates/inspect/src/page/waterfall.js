// The waterfall: when each pack was opened and each asset loaded, on which thread, and how long reading and decoding took.

const NAME = 250, THREAD = 110;

/** The part of time that is shown, in microseconds; `all` and `start` follow new loads. */
const range = { mode: 'start', from: 0, to: 1 };
const falls = { list: null, grid: null, axis: null, empty: null, thread: '', threads: null, modes: [] };

const endOf = (load) => load.start_us + (load.took_us ?? 0);

/** When the start was over: the end of the last load before the first second without one. */
function endOfStart(loads) {
  let end = 0;
  for (const load of loads) {
    if (end > 0 && load.start_us > end + 1e6) break;
    end = Math.max(end, endOf(load));
  }
  return end;
}

function fallLine(load) {
  const line = make('div', { 'data-kind': kindOf(load.type), 'data-path': load.path, 'aria-selected': String(keyOf(load) === chosen) });
  line.style.gridTemplateColumns = `${NAME}px ${THREAD}px minmax(360px, 1fr)`;
  const what = load.kind === 'open' ? 'open ' : load.kind === 'reload' ? '↻ ' : '';
  const lane = make('div', { role: 'gridcell', class: 'lane' });
  const span = Math.max(1, range.to - range.from);
  const part = (name, from, length) => {
    const element = make('span', { class: `part ${name}` });
    element.style.left = `${(from - range.from) / span * 100}%`;
    element.style.width = `${length / span * 100}%`;
    lane.append(element);
  };
  if (load.took_us === null) part('running', load.start_us, Math.max(0, range.to - load.start_us));
  else {
    part(load.error ? 'whole failed' : 'whole', load.start_us, load.took_us);
    if (load.read_us !== null) part('read', load.start_us, load.read_us);
    if (load.decode_us !== null) part('decode', load.start_us + load.read_us, load.decode_us);
  }
  const words = load.took_us === null ? 'loading' : load.error ? `failed after ${time(load.took_us)}` : time(load.took_us);
  const label = make('span', { class: load.error ? 'took is-failed' : 'took' }, words);
  const end = (endOf(load) - range.from) / span;
  // Beyond the middle, the text would not fit behind the bar.
  if (end > 0.75) label.style.right = `${(1 - (load.start_us - range.from) / span) * 100}%`;
  else label.style.left = `${end * 100}%`;
  lane.append(label);
  const file = load.kind === 'open' ? `${load.path}\n` : '';
  lane.title = `${file}began at ${time(load.start_us)}, read ${time(load.read_us)}, decoded ${time(load.decode_us)}, ${words}\n${askerText(load.asked_by)}`;
  line.append(make('div', { role: 'gridcell', class: 'cell-path' }, make('span', { class: 'swatch' }), isolated(what + (load.kind === 'open' ? load.path.split(/[\\/]/).at(-1) : nameOf(load)))),
    make('div', { role: 'gridcell', class: 'dim' }, isolated(load.thread)), lane);
  return line;
}

/** A step for the axis: 1, 2 or 5 times a power of ten. */
function niceStep(span, most) {
  const raw = span / most, power = 10 ** Math.floor(Math.log10(Math.max(1, raw)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw) ?? raw;
}

function drawAxis() {
  const span = range.to - range.from, step = niceStep(span, 8);
  falls.axis.replaceChildren();
  for (let at = Math.ceil(range.from / step) * step; at < range.to - step / 3; at += step) {
    const tick = make('span', {}, time(Math.round(at)));
    tick.style.left = `${(at - range.from) / span * 100}%`;
    falls.axis.append(tick);
  }
}

function drawWaterfall() {
  const own = state.loads.filter((load) => isShownLoad(load) && (!falls.thread || load.thread === falls.thread));
  if (range.mode !== 'part') {
    range.from = 0;
    range.to = Math.max(1, range.mode === 'start' ? endOfStart(state.loads) : Math.max(0, ...state.loads.map(endOf))) * 1.02;
  }
  falls.modes.forEach(([mode, button]) => button.setAttribute('aria-pressed', String(mode === range.mode)));
  const threads = [...new Set(state.loads.map((load) => load.thread))];
  if (falls.threads.options.length !== threads.length + 1) {
    falls.threads.replaceChildren(make('option', { value: '' }, 'all threads'), ...threads.map((name) => make('option', { value: name, selected: name === falls.thread }, name)));
  }
  drawAxis();
  falls.list.set(own.filter((load) => load.start_us <= range.to && (load.took_us === null || endOf(load) >= range.from)));
  falls.empty.hidden = falls.list.rows.length > 0;
}

/** Shows a part of time. */
function showPart(from, to) {
  range.mode = 'part';
  range.from = Math.max(0, from);
  range.to = Math.max(range.from + 50, to);
  drawWaterfall();
}

/** Shows another part of time: `factor` of the length, moved by `shift` of it. A shorter part is where most loads of the longer one are. */
function moveRange(factor, shift) {
  const span = range.to - range.from, half = span / 2 * factor;
  const starts = falls.list.rows.map((load) => load.start_us).filter((at) => at >= range.from);
  const middle = factor < 1 && starts.length > 0 ? starts[Math.floor(starts.length / 2)] : range.from + span / 2;
  const from = Math.max(factor < 1 ? range.from : 0, middle - half + span * shift);
  showPart(from, from + 2 * half);
}

/** A drag over the axis chooses a part of time, a double click all of it. */
function startDragging(axis) {
  const timeAt = (event) => {
    const { left, width } = axis.getBoundingClientRect();
    return range.from + Math.max(0, Math.min(1, (event.clientX - left) / width)) * (range.to - range.from);
  };
  const mark = make('div', { class: 'mark' });
  let begin = null;
  axis.addEventListener('pointerdown', (event) => {
    begin = { at: timeAt(event), x: event.clientX };
    axis.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  axis.addEventListener('pointermove', (event) => {
    if (!begin) return;
    const { left } = axis.getBoundingClientRect();
    mark.style.left = `${Math.min(begin.x, event.clientX) - left}px`;
    mark.style.width = `${Math.abs(event.clientX - begin.x)}px`;
    axis.append(mark);
  });
  axis.addEventListener('pointerup', (event) => {
    const end = timeAt(event), isDrag = begin && Math.abs(event.clientX - begin.x) > 4;
    if (isDrag) showPart(Math.min(begin.at, end), Math.max(begin.at, end));
    begin = null;
    mark.remove();
  });
  axis.addEventListener('dblclick', () => { range.mode = 'all'; drawWaterfall(); });
}

function startWaterfall() {
  const mode = (name, label) => {
    const button = choice(label, name === range.mode, () => { range.mode = name; drawWaterfall(); });
    falls.modes.push([name, button]);
    return button;
  };
  const step = (label, words, factor, shift) => make('button', { type: 'button', class: 'quiet', 'aria-label': words, title: words, click: () => moveRange(factor, shift) }, label);
  falls.threads = make('select', { 'aria-label': 'Thread', change: () => { falls.thread = falls.threads.value; drawWaterfall(); } });
  const legend = make('span', { class: 'legend' }, [['read', 'read, check, decompress'], ['decode', 'make the value'], ['whole', 'what it depends on']].map(([name, words]) =>
    make('span', {}, make('span', { class: `key ${name}` }), words)));
  const bar = make('div', { class: 'bar' }, mode('start', 'Start'), mode('all', 'Everything'), step('+', 'Shorter time', 0.5, 0), step('−', 'Longer time', 2, 0),
    step('←', 'Earlier', 1, -0.25), step('→', 'Later', 1, 0.25), falls.threads, legend);
  falls.axis = make('div', { class: 'axis', role: 'columnheader', 'aria-label': 'Time', title: 'Drag to see a part; a double click shows all' });
  const head = make('div', { role: 'row', class: 'grid-head', 'aria-rowindex': 1 },
    ['Asset', 'Thread'].map((name) => make('div', { role: 'columnheader' }, make('button', { type: 'button', tabindex: -1 }, name))), falls.axis);
  head.style.gridTemplateColumns = `${NAME}px ${THREAD}px minmax(360px, 1fr)`;
  const body = make('div', { class: 'grid-body', role: 'rowgroup' });
  falls.grid = make('div', { role: 'grid', class: 'grid waterfall', 'aria-label': 'Loads by their begin', 'aria-readonly': 'true', 'aria-colcount': 3 }, head, body);
  falls.empty = make('p', { class: 'empty' }, 'Nothing was loaded in this time.');
  body.append(falls.empty);
  byId('view-waterfall').append(bar, falls.grid);
  startDragging(falls.axis);
  const open = (load) => { if (byKey.has(keyOf(load))) choose(keyOf(load)); };
  falls.list = lineList({ grid: falls.grid, body, height: 24, line: fallLine, keyOf: (load) => `${load.start_us}/${load.thread}/${load.path}`, open });
  listeners.push(drawWaterfall);
}
