// Blocks of textures in BC1 to BC5 (BC1, BC2 and BC3 are the formats DXT1, DXT3 and DXT5): the colours that a block stores,
// those between them, and which of them each of its 16 pixels has. Of blocks in BC6H and BC7, the mode.

const BLOCK_EDGE = 4;

/** The colours between two, with 8 bits per channel; `shares` says how much of the second one each has. */
const mixed = (ends, shares) => shares.map((share) => ends[0].map((value, channel) =>
  Math.round((value * (1 - share) + ends[1][channel] * share) * 255 / [31, 63, 31][channel])));

/** `count` numbers of `bits` bits each, from the lowest bit of the first byte on. */
function numbersOf(bytes, bits, count) {
  return Array.from({ length: count }, (_, at) => {
    let number = 0;
    for (let bit = 0; bit < bits; bit++) {
      const place = at * bits + bit;
      number |= (bytes[place >> 3] >> (place & 7) & 1) << bit;
    }
    return number;
  });
}

/** The part of a block that has the colours. Only BC1 has blocks of three colours, whose last index means black or transparent. */
function colourPart(bytes, format) {
  const words = [bytes[0] | bytes[1] << 8, bytes[2] | bytes[3] << 8];
  const ends = words.map((word) => [word >> 11, word >> 5 & 63, word & 31]);
  const isOfFour = words[0] > words[1] || !format.startsWith('DXT1');
  const palette = mixed(ends, isOfFour ? [0, 1, 1 / 3, 2 / 3] : [0, 1, 1 / 2]).map((rgb) => [...rgb, 255]);
  if (!isOfFour) palette.push([0, 0, 0, format === 'DXT1_RGBA' ? 0 : 255]);
  const last = format === 'DXT1_RGBA' ? 'transparent' : 'black';
  return {
    name: 'Colours', mode: isOfFour ? '4 colours' : `3 colours and ${last}`, palette, indices: numbersOf(bytes.subarray(4), 2, 16),
    labels: [...ends.map((end) => `stored as ${end.join(' ')}`), ...isOfFour ? ['⅔ of 0, ⅓ of 1', '⅓ of 0, ⅔ of 1'] : ['½ of 0, ½ of 1', last]],
  };
}

const gray = (value) => [value, value, value, 255];

/** The part of a block of BC3 that has the alpha, or a channel of BC4 and BC5: eight values, or six values and the ends of the range. */
function channelPart(bytes, channel = 'alpha') {
  const [first, second] = bytes;
  const parts = first > second ? 7 : 5;
  const between = Array.from({ length: parts - 1 }, (_, at) => at + 1);
  // Rounded as in the decoder of the picture.
  const values = [first, second, ...between.map((of1) => Math.floor((first * (parts - of1) + second * of1 + 1) / parts))];
  const labels = ['stored', 'stored', ...between.map((of1) => `${parts - of1}/${parts} of 0, ${of1}/${parts} of 1`)];
  if (parts === 5) { values.push(0, 255); labels.push('lowest', 'highest'); }
  return {
    name: channel[0].toUpperCase() + channel.slice(1), mode: parts === 7 ? `8 values of ${channel}` : `6 values of ${channel}, 0 and 255`, palette: values.map(gray), labels,
    indices: numbersOf(bytes.subarray(2), 3, 16),
  };
}

/** A part whose pixels are not shown. */
const onlyMode = (mode) => ({ mode, palette: null });

/** The mode of a block of BC6H: two bits, or five if the second one is set. */
const modeOfBc6h = (bytes) => bytes[0] & 2 ? bytes[0] & 31 : bytes[0] & 1;

/** The parts of a block. */
function partsOfBlock(bytes, format) {
  if (format === 'BC4') return [channelPart(bytes, 'gray')];
  if (format === 'BC5') return [channelPart(bytes, 'red'), channelPart(bytes.subarray(8), 'green')];
  // The number of zeros before the first one; a block of eight zeros is invalid.
  if (format === 'BC7') return [onlyMode(bytes[0] === 0 ? 'no mode' : `mode ${31 - Math.clz32(bytes[0] & -bytes[0])}`)];
  if (format.startsWith('BC6H')) return [onlyMode(`mode ${modeOfBc6h(bytes)}`)];
  if (format.startsWith('BC')) return [onlyMode('channels with signs')];
  if (format.startsWith('DXT1')) return [colourPart(bytes, format)];
  const colours = colourPart(bytes.subarray(8), format);
  if (format === 'DXT5_RGBA') return [colours, channelPart(bytes)];
  // BC2 stores the alpha of each pixel.
  const alpha = numbersOf(bytes, 4, 16);
  return [colours, { name: 'Alpha', mode: 'alpha of 4 bits', palette: Array.from({ length: 16 }, (_, value) => gray(value * 17)), labels: null, indices: alpha }];
}

const hex = (number) => number.toString(16).padStart(2, '0');

/** How a colour of a part is written: as alpha, or as a colour. */
const named = (part, [r, g, b, a]) => part.name !== 'Colours' ? String(r) : a === 0 ? 'none' : `#${hex(r)}${hex(g)}${hex(b)}`;

/** Gives an element a colour, and its text one that can be read on it. */
function paint(element, [r, g, b, a]) {
  element.style.background = a === 0 ? 'none' : `rgb(${r} ${g} ${b})`;
  element.style.color = a === 0 ? 'inherit' : r * .3 + g * .59 + b * .11 > 140 ? '#000' : '#fff';
  return element;
}

/** Shows a part: the index of each pixel, and what the indices mean. Pixels that lie beyond the edge of the image are faint. */
function showPart(part, width, height) {
  const rows = Array.from({ length: BLOCK_EDGE }, (_, y) => make('tr', {}, Array.from({ length: BLOCK_EDGE }, (_, x) => {
    const index = part.indices[y * BLOCK_EDGE + x], colour = part.palette[index];
    const cell = make('td', { title: named(part, colour), class: x >= width || y >= height ? 'beyond' : null }, String(index));
    return paint(cell, colour);
  })));
  const line = (colour, index) => make('tr', { class: part.indices.includes(index) ? null : 'beyond' },
    make('td', {}, paint(make('span', { class: 'swatch' }, String(index)), colour)), make('td', { class: 'mono' }, named(part, colour)),
    make('td', { class: 'dim' }, part.labels[index]));
  const table = part.labels ? make('table', { class: 'palette', 'aria-label': `${part.name} of the block` }, make('tbody', {}, part.palette.map(line))) : null;
  return make('div', { class: 'part' }, make('table', { class: 'texels check', 'aria-label': `${part.name}: the index of each pixel` }, make('tbody', {}, rows)),
    table ?? make('p', { class: 'note' }, 'The alpha of each pixel from 0 to 15.'));
}

/** Shows the block in a column and a row of a level, whose blocks are `bytes`. */
function showBlock({ format, block }, level, bytes, column, row) {
  const columns = Math.ceil(level.width / BLOCK_EDGE), rows = Math.ceil(level.height / BLOCK_EDGE);
  const start = (row * columns + column) * block.size;
  const own = bytes.subarray(start, start + block.size);
  const [left, top] = [column * BLOCK_EDGE, row * BLOCK_EDGE];
  const [width, height] = [Math.min(BLOCK_EDGE, level.width - left), Math.min(BLOCK_EDGE, level.height - top)];
  const parts = partsOfBlock(own, format);
  const head = `Block ${column}, ${row} of ${columns} × ${rows}: ${parts.map(({ mode }) => mode).join(', ')}`;
  const pixels = `pixels ${left}–${left + width - 1}, ${top}–${top + height - 1} · bytes `;
  return [make('h3', {}, head), make('p', { class: 'note' }, pixels, make('span', { class: 'mono' }, [...own].map(hex).join(' '))),
    ...parts.filter(({ palette }) => palette).map((part) => showPart(part, width, height))];
}
