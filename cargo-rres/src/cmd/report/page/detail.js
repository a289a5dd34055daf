// One asset: its preview, its facts, and its chunks.

let chosen = null;
/** The element that has the focus again when the asset is closed. */
let chosenFrom = null;

const PREVIEWS = {
  image: [showImage, imageFacts], sound: [showSound, soundFacts], font: [showFont, fontFacts], model: [showModel, modelFacts],
  text: [showText, textFacts], bytes: [showBytes, () => []],
  link: [(preview) => [make('p', { class: 'note' }, 'A file beside the pack: ', isolated(preview.path))], () => []],
  nothing: [(preview) => [make('p', { class: 'note' }, `No preview: ${preview.why}.`)], () => []],
};

/** Shows an asset beside the view. */
function choose(asset, from = null) {
  chosen = asset;
  chosenFrom = from;
  selectTile();
  selectLine();
  const panel = byId('detail');
  playing?.();
  panel.classList.toggle('is-empty', !asset);
  if (!asset) {
    panel.replaceChildren(...welcome());
    history.replaceState(null, '', location.pathname + location.search);
    return;
  }
  history.replaceState(null, '', `#${encodeURIComponent(asset.name)}`);
  whenLoaded(() => {
    const detail = detailOf(asset);
    const [show, facts] = PREVIEWS[detail.preview.type];
    const preview = make('div', { class: 'preview' });
    const [folders, name] = partsOf(asset);
    panel.replaceChildren(
      make('button', { type: 'button', class: 'quiet close', 'aria-label': 'Close', click: closeDetail }, '×'),
      make('h2', {}, make('bdi', {}, make('span', { class: 'dim' }, folders.map((folder) => `${folder}/`).join('')), name)),
      make('p', { class: 'kind' }, make('span', { class: 'swatch', 'data-kind': asset.kind }), asset.kind, ' · ', make('span', { class: 'mono' }, asset.id)),
      preview,
      ...notices(asset),
      factList([...sizeFacts(asset), ...facts(detail.preview), ...packFacts(detail.info)]),
      ...decisions(asset),
      ...links('Needs', detail.info.dependencies),
      ...chunkTable(detail.info),
    );
    panel.scrollTop = 0;
    try {
      preview.append(...show(detail.preview, asset));
    } catch (error) {
      preview.append(make('p', { class: 'note' }, `The preview cannot be shown: ${error.message}`));
    }
  });
}

function closeDetail() {
  const from = chosenFrom;
  choose(null);
  if (from?.isConnected) from.focus();
}

function sizeFacts(asset) {
  const ratio = asset.source_size ? ` (${percent(asset.stored_size / asset.source_size)} of the source)` : '';
  return [
    ['Source', asset.source_size === null ? null : size(asset.source_size)],
    ['Stored', `${size(asset.stored_size)}${ratio}`],
    ['Decoded', size(asset.decoded_size)],
    ['Video memory', asset.video_memory ? size(asset.video_memory) : null],
    ['Compression', asset.compressions.join(', ')],
    ['Encryption', asset.ciphers.join(', ')],
    ['Import', asset.import_seconds === null ? null : time(asset.import_seconds)],
    ['Load', asset.load_seconds === null ? null : time(asset.load_seconds)],
    ['Owners', data.owners ? [isolated(ownersOf(asset))] : null],
    ['Licence', data.licenses ? [isolated(licenseOf(asset))] : null],
  ];
}

const pixels = (value) => `${Math.round(value * 10) / 10} px`;

/** Joins what is known, each with a word before it. */
const listed = (parts) => parts.filter(([, value]) => value !== undefined).map(([word, value]) => `${word} ${pixels(value)}`).join(', ');

/**
 * What the index of the pack says about an asset, in words. What is usual, and what the preview says already, is left out; the
 * folded part at the end of the page has all of it.
 */
function packFacts({ groups, metadata: meta, dependencies }) {
  const needed = (at) => at === undefined ? null : [dependencies[at] ? pathButton(dependencies[at]) : `asset ${at + 1} of those it needs`];
  const variantOf = assets.find((asset) => asset.id === meta.variant_of);
  const rate = meta.frame_rate ? `${meta.frame_rate} per second` : meta.frame_time ? `${meta.frame_time} ms each` : null;
  const played = { once: 'played once', 'ping-pong': 'to the last one and back' }[meta.playback];
  return [
    ['Groups', groups.join(', ')],
    ['Language', meta.locale],
    ['Density', meta.density ? `${meta.density} pixels per unit` : null],
    ['Variant of', variantOf ? [pathButton(variantOf.name)] : meta.variant_of],
    ['Picture', meta.content_width ? `${meta.content_width} × ${meta.content_height} px at the top left` : null],
    ['Form', meta.cubemap ? 'cubemap, six faces below each other' : null],
    ['Sequence', meta.sequence_length ? [`${meta.sequence_length} images`, rate, played].filter(Boolean).join(', ') : null],
    ['Next image', needed(meta.sequence)],
    ['Bumps', needed(meta.bump)],
    ['Instead', needed(meta.alternate)],
    ['Material', needed(meta.material)],
    ['Quality', meta.psnr ? [`${Number(meta.psnr).toFixed(1)} dB PSNR`, meta.ssim ? `SSIM ${Number(meta.ssim).toFixed(3)}` : null].filter(Boolean).join(', ') : null],
    ['Repeats', meta.loop_end ? `frames ${(meta.loop_start ?? 0).toLocaleString('en')} to ${meta.loop_end.toLocaleString('en')}` : null],
    ['Priority', meta.priority ? String(meta.priority) : null],
    ['Falloff', meta.falloff ? String(meta.falloff) : null],
    ['Glyphs', { sdf: 'distance field', msdf: 'distance field in three channels', picture: 'pictures in colour' }[meta.glyph_form]],
    ['Letters', listed([['capitals', meta.cap_height], ['small letters', meta.x_height]])],
    ['Lines', listed([['ascent', meta.ascent], ['descent', meta.descent], ['from line to line', meta.line_height]])],
  ];
}

/** What made the asset what it is: the rules that set something, and the reasons for its kind, compression and id. */
function decisions({ decided, kind, compressions, id }) {
  if (!decided) return [];
  const reasons = [[kind, decided.kind_reason], [compressions.join(', '), decided.compression_reason], [id, decided.id_reason]];
  const because = reasons.filter(([, reason]) => reason).map(([name, reason]) => [name, isolated(reason)]);
  const origin = ({ key, rule, place }, of) => [make('div', { class: 'mono' }, key === of ? '' : `${key} of `, isolated(rule)), make('div', { class: 'dim' }, isolated(place))];
  const line = (name, value, by, tag, of = name) => make('tr', {}, make('td', {}, name), make('td', { class: 'mono' }, make(tag, {}, isolated(value))), make('td', {}, origin(by, of)));
  const rows = decided.settings.flatMap(({ key, value, set_by: by, overridden }) => [
    line(key, value, by, 'span'), ...[...overridden].reverse().map((before) => line('', before.value, before, 's', key))]);
  const head = make('tr', {}, ['Setting', 'Value', 'Set by'].map((name) => make('th', { scope: 'col' }, name)));
  return [make('h3', {}, 'What decided it'), factList(because.map(([name, value]) => [name, [value]])),
    rows.length > 0 ? make('table', { class: 'settings' }, make('thead', {}, head), make('tbody', {}, rows))
      : make('p', { class: 'note' }, 'All settings have their defaults.')];
}

function factList(facts) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value.length > 0);
  return make('dl', { class: 'facts' }, known.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

/** What the findings say about an asset. */
function notices(asset) {
  const found = [];
  if (asset.error) found.push(make('p', { class: 'notice error' }, `It cannot be loaded: ${asset.error}`));
  for (const lint of data.lints) {
    if (lint.asset === asset.name) found.push(make('p', { class: lint.level === 'deny' ? 'notice error' : 'notice' }, 'It ', isolated(lint.message), ' (', isolated(lint.place), ').'));
  }
  const group = data.duplicates.find(({ paths }) => paths.includes(asset.name));
  if (group) {
    const others = group.paths.filter((path) => path !== asset.name).slice(0, 5);
    found.push(make('p', { class: 'notice' }, 'Equal to ', others.flatMap((path, at) => [at > 0 ? ', ' : '', pathButton(path)]), group.paths.length > 6 ? ` and ${group.paths.length - 6} more` : ''));
  }
  const grown = data.larger_than_source.find(({ path }) => path === asset.name);
  if (grown) found.push(make('p', { class: 'notice' }, `Larger than its source: ${size(grown.stored_size)} from ${size(grown.source_size)}.`));
  if (data.unused?.includes(asset.name)) found.push(make('p', { class: 'notice' }, 'No program of the package uses it.'));
  return found;
}

/** A button that shows an asset. */
function pathButton(path) {
  const asset = byName.get(path);
  if (!asset) return isolated(path);
  return make('button', { type: 'button', class: 'path', click: (event) => openDetail(asset, event.currentTarget) }, isolated(path));
}

function openDetail(asset, from) {
  choose(asset, from);
  byId('detail').focus({ preventScroll: true });
}

function links(title, paths) {
  if (paths.length === 0) return [];
  return [make('h3', {}, title), make('ul', { class: 'plain' }, paths.map((path) => make('li', {}, pathButton(path))))];
}

/** The parts of the asset in the pack, which authors of programs for the format look for. */
function chunkTable({ chunks, metadata }) {
  const property = ([name, value]) => `${name.replaceAll('_', ' ')} ${value}`;
  const rows = chunks.slice(0, 50).map((chunk) => make('tr', {},
    make('td', { class: 'mono' }, chunk.kind),
    make('td', { class: 'number' }, size(chunk.stored_size)),
    make('td', {}, chunk.compression),
    make('td', {}, chunk.error ?? Object.entries(chunk.properties ?? {}).map(property).join(', '))));
  const more = chunks.length > 50 ? make('p', { class: 'note' }, `and ${chunks.length - 50} more`) : null;
  const head = make('tr', {}, ['Chunk', 'Stored', 'With', 'Properties'].map((name) => make('th', { scope: 'col' }, name)));
  const all = Object.entries(metadata).map(property).join(', ');
  if (chunks.length === 0 && !all) return [];
  return [make('details', { class: 'chunks' }, make('summary', {}, count(chunks.length, 'chunk')),
    make('table', {}, make('thead', {}, head), make('tbody', {}, rows)), more, all ? make('p', { class: 'note' }, `Metadata: ${all}`) : null)];
}

/** What the panel shows before an asset is chosen. */
function welcome() {
  const keys = [['/', 'search'], ['1 2 3 4', 'map, table, findings, changes'], ['↑ ↓ ← →', 'move'], ['Enter', 'open an asset or a folder'], ['Backspace', 'zoom out of the map'], ['Esc', 'close']];
  const biggest = [...assets].sort((a, b) => b.stored_size - a.stored_size).slice(0, 8);
  return [make('div', { class: 'welcome' },
    make('p', {}, 'Choose an asset to see what is in it.'),
    make('dl', {}, keys.flatMap(([key, text]) => [make('dt', {}, key.split(' ').flatMap((key) => [make('kbd', {}, key), ' '])), make('dd', {}, text)])),
    make('div', { class: 'largest' }, make('h3', {}, 'Largest'), make('ol', {},
      biggest.map((asset) => make('li', {}, make('span', {}, pathButton(asset.name)), make('span', { class: 'number' }, size(asset.stored_size)))))))];
}
