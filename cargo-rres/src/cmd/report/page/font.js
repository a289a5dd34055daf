// Fonts: a specimen to type into, set with the glyphs of the pack.

const SPECIMEN = 'The quick brown fox jumps over the lazy dog.\n0123456789  .,:;!?&@  ÄÖÜ äöü ß éèê';

function showFont(preview) {
  const canvas = make('canvas', { role: 'img', 'aria-label': 'The text below, set in this font' });
  const stage = make('div', { class: 'stage fixed' }, canvas);
  const note = make('p', { class: 'note', role: 'status' });
  const input = make('textarea', { class: 'specimen', rows: 2, spellcheck: 'false', 'aria-label': 'Text of the specimen' });
  const view = { strike: null, sheet: null, glyphs: new Map(), all: false };
  input.value = SPECIMEN;

  /** Makes a picture whose transparency is the coverage of the glyphs. */
  function tinted(image) {
    const sheet = make('canvas');
    [sheet.width, sheet.height] = [image.naturalWidth, image.naturalHeight];
    const context = sheet.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, sheet.width, sheet.height);
    const [red, green, blue] = getComputedStyle(stage).color.match(/\d+/g).map(Number);
    for (let i = 0; i < pixels.data.length; i += 4) {
      pixels.data[i + 3] = pixels.data[i];
      pixels.data[i] = red; pixels.data[i + 1] = green; pixels.data[i + 2] = blue;
    }
    context.putImageData(pixels, 0, 0);
    return sheet;
  }

  function pick(strike) {
    picture(strike.uri).then((image) => {
      view.strike = strike;
      view.image = image;
      view.sheet = tinted(image);
      view.glyphs = new Map();
      for (let i = 0; i < strike.glyphs.length; i += 8) {
        const [codepoint, x, y, width, height, left, top, advance] = strike.glyphs.slice(i, i + 8);
        view.glyphs.set(codepoint, { x, y, width, height, left, top, advance });
      }
      draw();
    });
  }

  /** Breaks the text into lines of glyphs that fit a width. */
  function lines(text, width) {
    const { glyphs, strike } = view;
    const result = [];
    const space = glyphs.get(32)?.advance ?? strike.size / 4;
    for (const paragraph of text.split('\n')) {
      let line = [], x = 0, word = 0;
      for (const character of paragraph) {
        const glyph = glyphs.get(character.codePointAt(0));
        const advance = glyph?.advance ?? (character === ' ' ? space : strike.size / 2);
        if (x + advance > width && line.length > 0) {
          // At the last space, or in the middle of a word that is longer than a line.
          const rest = word > 0 ? line.splice(word) : [];
          result.push(line);
          const shift = rest[0]?.x ?? x;
          line = rest.map((set) => ({ ...set, x: set.x - shift }));
          x -= shift; word = 0;
        }
        line.push({ character, glyph, x });
        x += advance;
        if (character === ' ') word = line.length;
      }
      result.push(line);
    }
    return result;
  }

  function draw() {
    if (!view.strike || stage.clientWidth === 0) return;
    const { strike, sheet, glyphs } = view;
    const scale = strike.size < 14 ? 2 : 1, margin = 12, width = stage.clientWidth;
    const text = view.all ? String.fromCodePoint(...[...glyphs.keys()].filter((code) => code > 32).slice(0, 4000)) : input.value;
    const set = lines(text, (width - margin * 2) / scale);
    const height = Math.min(4000, Math.ceil(set.length * strike.line_height * scale) + margin * 2);
    [canvas.width, canvas.height] = [width, height];
    canvas.style.height = `${height}px`;
    stage.style.overflow = 'auto';
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    context.imageSmoothingEnabled = false;
    const missing = new Set();
    set.forEach((line, row) => line.forEach(({ character, glyph, x }) => {
      const [left, top] = [margin / scale + x, margin / scale + Math.round(row * strike.line_height)];
      if (glyph && glyph.width > 0) {
        context.drawImage(sheet, glyph.x, glyph.y, glyph.width, glyph.height, left + glyph.left, top + glyph.top, glyph.width, glyph.height);
      } else if (!glyph && character !== ' ') {
        missing.add(character);
        context.strokeStyle = colour('--bad');
        context.strokeRect(left + 1.5, top + strike.ascent * .3 + .5, strike.size / 2 - 3, strike.ascent * .7);
      }
    }));
    const part = glyphs.size < strike.glyph_count ? `${glyphs.size} of ${count(strike.glyph_count, 'glyph')} are in this page` : count(strike.glyph_count, 'glyph');
    const lacks = missing.size > 0 ? ` · missing: ${[...missing].slice(0, 20).join(' ')}` : '';
    note.textContent = `${strike.size} px, line height ${strike.line_height.toFixed(1)}, ${part}, atlas ${strike.atlas_width} × ${strike.atlas_height}${lacks}`;
  }

  const all = choice('all glyphs', false, () => {
    view.all = !view.all;
    all.setAttribute('aria-pressed', String(view.all));
    draw();
  });
  const sizes = make('select', { 'aria-label': 'Size', change: (event) => pick(preview.strikes[event.target.value]) },
    preview.strikes.map((strike, number) => make('option', { value: number }, `${strike.size} px`)));
  sizes.value = preview.strikes.length - 1;
  input.addEventListener('input', draw);
  stage.recolour = () => { if (view.image) { view.sheet = tinted(view.image); draw(); } };
  new ResizeObserver(draw).observe(stage);
  pick(preview.strikes.at(-1));
  return [stage, input, make('div', { class: 'tools' }, sizes, all), note];
}

const fontFacts = (preview) => [['Sizes', preview.sizes.map((size) => `${size} px`).join(', ')]];
