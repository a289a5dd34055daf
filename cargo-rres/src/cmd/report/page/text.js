// Texts in the colours of their language, and the first bytes of other files.

const COMMON = { string: /"(?:\\.|[^"\\\n])*"?/, number: /(?<![\w.])[-+]?(?:0[xb][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)[fu]?\b/i };
const C_WORDS = 'attribute bool break case const continue default discard do else false float for highp if in inout int layout lowp mat2 mat3 mat4 mediump out precision return sampler2D struct switch true uniform varying vec2 vec3 vec4 void while';
const CODE_WORDS = `${C_WORDS} as async await class def enum export extends fn from function impl import let local mod mut new nil none not null private pub public self static then this trait type use var end elif elseif or and`;
const words = (list) => new RegExp(`\\b(?:${list.split(' ').join('|')})\\b`);

/** What has a colour in each language, in the order in which it is tried. */
const LANGUAGES = {
  json: { key: /"(?:\\.|[^"\\\n])*"(?=\s*:)/, string: COMMON.string, number: COMMON.number, section: /\b(?:true|false|null)\b/ },
  ini: { comment: /[#;].*/, section: /^\s*\[.*?\]\]?/m, key: /^\s*[\w."-]+(?=\s*[=:])/m, string: /"""[^]*?"""|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?/, number: COMMON.number },
  glsl: { comment: /\/\/.*|\/\*[^]*?\*\//, section: /^\s*#.*/m, string: COMMON.string, key: words(C_WORDS), number: COMMON.number },
  code: { comment: /\/\/.*|\/\*[^]*?\*\/|--.*|^\s*#.*/m, string: /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'/, key: words(CODE_WORDS), number: COMMON.number },
  markup: { comment: /<!--[^]*?-->/, key: /<\/?[\w:-]+|\/?>/, section: /\b[\w:-]+(?==")/, string: COMMON.string },
  lisp: { comment: /;.*/, string: COMMON.string, key: /(?<=\()[^\s()]+/, number: COMMON.number, section: /#[tf]\b/ },
  plain: {},
};

const EXTENSIONS = {
  json: 'json gltf', ini: 'toml ini cfg conf properties yaml yml desktop po', glsl: 'glsl vert frag fs vs comp hlsl wgsl shader metal fx',
  code: 'rs c h cpp hpp js ts lua py rb java cs go sh nut gd wml', markup: 'xml html svg tmx tsx xhtml', lisp: 'lisp scm el stl stwm satc nimbus sprite',
};

function languageOf(name) {
  const extension = splitName(name)[0].split('.').pop().toLowerCase();
  return Object.keys(EXTENSIONS).find((language) => EXTENSIONS[language].split(' ').includes(extension)) ?? 'plain';
}

/** Splits a text into pieces [class or null, text]. */
function tokens(text, language) {
  const rules = Object.entries(LANGUAGES[language]);
  if (rules.length === 0) return [[null, text]];
  const any = new RegExp(rules.map(([name, rule]) => `(?<${name}>${rule.source})`).join('|'), 'gmi');
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(any)) {
    if (match[0] === '') continue;
    if (match.index > end) pieces.push([null, text.slice(end, match.index)]);
    const [name] = rules.find(([rule]) => match.groups[rule] !== undefined);
    pieces.push([`t-${name}`, match[0]]);
    end = match.index + match[0].length;
  }
  pieces.push([null, text.slice(end)]);
  return pieces;
}

function showText(preview, asset) {
  const lines = [make('code')];
  for (const [name, text] of tokens(preview.text.replace(/\r\n?/g, '\n'), languageOf(asset.name))) {
    text.split('\n').forEach((part, number) => {
      if (number > 0) lines.push(make('code'));
      if (part !== '') lines.at(-1).append(name ? make('span', { class: name }, part) : part);
    });
  }
  const note = preview.is_whole ? '' : `the first ${size(new Blob([preview.text]).size)} of ${size(preview.size)}`;
  return [make('pre', { class: 'code mono', tabindex: '0', 'aria-label': 'Text' }, lines.slice(0, 5000)), make('p', { class: 'note' }, note)];
}

function showBytes(preview) {
  const bytes = bytesOf(preview.bytes);
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.slice(at, at + 16)];
    const numbers = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(48);
    const letters = part.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·').join('');
    lines.push(`${at.toString(16).padStart(4, '0')}  ${numbers} ${letters}`);
  }
  const pre = make('pre', { class: 'code mono', tabindex: '0', 'aria-label': 'Bytes' });
  pre.style.paddingLeft = '12px';
  pre.textContent = lines.join('\n');
  return [pre, make('p', { class: 'note' }, bytes.length < preview.size ? `the first ${size(bytes.length)} of ${size(preview.size)}` : '')];
}

const textFacts = (preview) => [['Encoding', preview.encoding], ['Language', preview.language]].filter(([, text]) => text && text !== 'text');
