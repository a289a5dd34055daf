// Images: each mip level on a grid that shows what is transparent, enlarged, by channel, and with the blocks of its format.

const CHANNELS = ['RGBA', 'RGB', 'red', 'green', 'blue', 'alpha'];

/** Where a key leads to from a block. */
const BLOCK_KEYS = {
  ArrowLeft: (column, row) => [column - 1, row], ArrowRight: (column, row) => [column + 1, row],
  ArrowUp: (column, row) => [column, row - 1], ArrowDown: (column, row) => [column, row + 1],
  Home: (_, row) => [0, row], End: (_, row) => [Infinity, row],
};

/** How far to scroll so that `at` can be seen: no further if it can. */
const centred = (at, scrolled, visible) => at > scrolled + 8 && at < scrolled + visible - 8 ? scrolled : at - visible / 2;

function showImage(preview) {
  // `at` is the chosen place as shares of the width and the height, so that it is the same in every level.
  const view = { level: 0, zoom: 0, channel: 'RGBA', blocks: false, at: [.5, .5], image: null, pixels: null, filtered: null };
  const canvas = make('canvas', { role: 'img' });
  const keys = preview.block ? '; with blocks, arrow keys choose one' : '';
  const stage = make('div', { class: 'stage check', tabindex: '0', 'aria-label': `Pixels; plus and minus enlarge and shrink${keys}` }, canvas);
  const block = make('div', { class: 'block', 'aria-live': 'polite' });
  const note = make('p', { class: 'note', role: 'status' });
  const levels = make('span', { class: 'levels', role: 'group', 'aria-label': 'Mip level' });
  const edge = preview.block?.edge ?? 4;

  const level = () => preview.levels[view.level];
  const blocksAcross = () => [Math.ceil(level().width / edge), Math.ceil(level().height / edge)];
  /** The column and the row of the chosen block. */
  const chosenBlock = () => blocksAcross().map((across, axis) => Math.floor(view.at[axis] * across));
  /** How many pixels of the page an image pixel takes. */
  const scale = () => view.zoom || Math.min(380 / level().width, 320 / level().height, 8);

  function facts() {
    const { width, height, size: bytes, shown_width } = level();
    const blocks = preview.block ? `, ${blocksAcross().join(' × ')} blocks of ${preview.block.size} bytes` : '';
    const shrunk = shown_width < width ? ` · the preview has ${shown_width} × ${level().shown_height} pixels` : '';
    return `level ${view.level}: ${width} × ${height}, ${size(bytes)}${blocks}${shrunk}`;
  }

  /** Takes one channel of the picture as gray, or all without alpha. */
  function filtered() {
    const { image } = view;
    const copy = make('canvas');
    [copy.width, copy.height] = [image.naturalWidth, image.naturalHeight];
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, copy.width, copy.height);
    view.pixels = pixels;
    if (view.channel === 'RGBA') return copy;
    const changed = new ImageData(new Uint8ClampedArray(pixels.data), copy.width);
    const channel = CHANNELS.indexOf(view.channel) - 2;
    for (let i = 0; i < changed.data.length; i += 4) {
      if (channel >= 0) changed.data.fill(changed.data[i + channel], i, i + 3);
      changed.data[i + 3] = 255;
    }
    context.putImageData(changed, 0, 0);
    return copy;
  }

  function draw() {
    if (!view.image) return;
    const { width, height } = level();
    const by = Math.min(scale(), 8192 / Math.max(width, height));
    [canvas.width, canvas.height] = [Math.max(1, Math.round(width * by)), Math.max(1, Math.round(height * by))];
    const context = canvas.getContext('2d');
    context.imageSmoothingEnabled = by < 1;
    context.imageSmoothingQuality = 'high';
    view.filtered ??= filtered();
    context.drawImage(view.filtered, 0, 0, canvas.width, canvas.height);
    if (view.blocks) {
      context.strokeStyle = 'rgb(255 0 120 / 70%)';
      context.beginPath();
      for (let x = edge; x < width; x += edge) { context.moveTo(Math.round(x * by) + .5, 0); context.lineTo(Math.round(x * by) + .5, canvas.height); }
      for (let y = edge; y < height; y += edge) { context.moveTo(0, Math.round(y * by) + .5); context.lineTo(canvas.width, Math.round(y * by) + .5); }
      context.stroke();
      const [left, top] = chosenBlock().map((at) => at * edge * by);
      const [right, bottom] = [Math.min(left + edge * by, canvas.width), Math.min(top + edge * by, canvas.height)];
      for (const [colour, wide] of [['#000', 4], ['#fff', 2]]) {
        context.strokeStyle = colour;
        context.lineWidth = wide;
        context.strokeRect(left, top, right - left, bottom - top);
      }
    }
    canvas.setAttribute('aria-label', `The image, ${facts()}`);
    note.textContent = facts();
  }

  /** Chooses the block in a column and a row, and shows what it stores. */
  function chooseBlock(column, row) {
    const across = blocksAcross();
    const place = [column, row].map((at, axis) => Math.max(0, Math.min(across[axis] - 1, at)));
    view.at = place.map((at, axis) => (at + .5) / across[axis]);
    draw();
    const [x, y] = place.map((at) => (at + .5) * edge * canvas.width / level().width);
    // A block that the enlarged picture does not show yet is scrolled to.
    stage.scrollTo(centred(x, stage.scrollLeft, stage.clientWidth), centred(y, stage.scrollTop, stage.clientHeight));
    drawBlock();
  }

  function drawBlock() {
    if (!view.blocks) block.replaceChildren();
    else if (level().blocks === null) block.replaceChildren(make('p', { class: 'note' }, `The ${size(level().size)} of blocks are not in this page; smaller levels may be, and --previews full takes more of them.`));
    else block.replaceChildren(...showBlock(preview, level(), bytesOf(level().blocks), ...chosenBlock()));
  }

  function pick(number) {
    view.level = number;
    [...levels.querySelectorAll('button')].forEach((button, at) => button.setAttribute('aria-pressed', String(at === number)));
    // A large level that is decoded late does not replace a level that was chosen meanwhile.
    const ifStillChosen = (then) => (image) => { if (view.level === number) then(image); };
    picture(preview.levels[number].uri).then(
      ifStillChosen((image) => { Object.assign(view, { image, filtered: null }); draw(); drawBlock(); }),
      ifStillChosen(() => { note.textContent = 'the browser cannot show this picture'; }));
  }

  const enlarge = (by) => { view.zoom = Math.max(1 / 8, Math.min(32, scale() * by)); zoomList.value = ''; draw(); };
  const zoomList = make('select', { 'aria-label': 'Zoom', change: (event) => { view.zoom = Number(event.target.value); draw(); } },
    [[0, 'fit'], [1, '1×'], [2, '2×'], [4, '4×'], [8, '8×'], [16, '16×']].map(([value, text]) => make('option', { value }, text)));
  const channels = make('select', { 'aria-label': 'Channels', change: (event) => { Object.assign(view, { channel: event.target.value, filtered: null }); draw(); } },
    CHANNELS.map((name) => make('option', {}, name)));
  const grid = choice('blocks', false, () => {
    view.blocks = !view.blocks;
    grid.setAttribute('aria-pressed', String(view.blocks));
    draw();
    drawBlock();
  });
  stage.addEventListener('keydown', (event) => {
    if (event.key === '+' || event.key === '=') enlarge(2);
    else if (event.key === '-') enlarge(1 / 2);
    else if (view.blocks && BLOCK_KEYS[event.key]) chooseBlock(...BLOCK_KEYS[event.key](...chosenBlock()));
    else return;
    event.preventDefault();
  });
  const pixelUnder = (event) =>
    [Math.floor(event.offsetX / canvas.clientWidth * level().width), Math.floor(event.offsetY / canvas.clientHeight * level().height)];
  canvas.addEventListener('click', (event) => {
    if (view.blocks) chooseBlock(...pixelUnder(event).map((at) => Math.floor(at / edge)));
  });
  canvas.addEventListener('mousemove', (event) => {
    const { width, height } = level();
    const [x, y] = pixelUnder(event);
    if (!view.pixels || x < 0 || y < 0 || x >= width || y >= height) return;
    const at = (Math.floor(y * view.pixels.height / height) * view.pixels.width + Math.floor(x * view.pixels.width / width)) * 4;
    const rgba = [...view.pixels.data.slice(at, at + 4)];
    const inBlock = preview.block ? ` · block ${Math.floor(x / edge)}, ${Math.floor(y / edge)}` : '';
    note.textContent = `${x}, ${y}: ${rgba.join(' ')}${inBlock}`;
  });
  canvas.addEventListener('mouseleave', () => { note.textContent = facts(); });
  if (preview.levels.length > 1) {
    levels.append(make('span', { class: 'dim' }, 'level'), ...preview.levels.map((_, number) => choice(String(number), number === 0, () => pick(number))));
  }
  pick(0);
  return [stage, make('div', { class: 'tools' }, zoomList, channels, preview.block ? grid : null, levels), note, block];
}

function imageFacts(preview) {
  // What is usual is not worth a word.
  const flags = [preview.color_space === 'srgb' ? null : `${preview.color_space} values`, preview.filter === 'linear' ? null : `${preview.filter} pixel`,
    { repeat: 'repeats', mirror: 'repeats mirrored' }[preview.wrap], preview.premultiplied ? 'colours multiplied by alpha' : null];
  const { width, height } = preview.levels[0];
  return [['Pixels', `${width} × ${height} ${preview.format}, ${count(preview.levels.length, 'level')}`], ['Sampling', flags.filter(Boolean).join(', ')]];
}
