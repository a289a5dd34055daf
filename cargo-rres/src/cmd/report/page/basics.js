// Elements, sizes and times. Whatever comes from a pack becomes text, never markup.

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

/** A text from a pack: its direction does not spread to what is around it. */
const isolated = (text) => make('bdi', {}, text);

/** As the command prints sizes, rounded down: 812 B, 1.2 kB, 19.4 MB. */
function size(bytes) {
  if (bytes === null || bytes === undefined) return '–';
  if (bytes < 1000) return `${bytes} B`;
  const unit = bytes >= 1e9 ? 3 : bytes >= 1e6 ? 2 : 1;
  return `${(Math.floor(bytes * 10 / 1000 ** unit) / 10).toFixed(1)} ${['B', 'kB', 'MB', 'GB'][unit]}`;
}

function time(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  return seconds < 1 ? `${(seconds * 1e3).toFixed(seconds < 0.1 ? 1 : 0)} ms` : `${seconds.toFixed(2)} s`;
}

const percent = (share) => share >= 0.1 ? `${(share * 100).toFixed(0)} %` : `${(share * 100).toFixed(1)} %`;

const count = (number, noun, nouns = noun + 's') => `${number.toLocaleString('en')} ${number === 1 ? noun : nouns}`;

/** Decodes base 64. */
function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A button that stays pressed, or one of several of which one is. */
const choice = (label, isOn, click) => make('button', { type: 'button', class: 'choice', 'aria-pressed': String(isOn), click }, label);

/** A colour of the style sheet. */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The picture of a data URI, when it is decoded. */
function picture(uri) {
  const image = new Image();
  image.src = uri;
  return image.decode().then(() => image);
}
