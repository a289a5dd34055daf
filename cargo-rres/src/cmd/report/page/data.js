// The data of the page: the assets, which of them are shown, and the details of one asset.

const data = JSON.parse(byId('data').textContent);
const assets = data.assets;
assets.forEach((asset, number) => {
  // Its position here; its number is that in the pack.
  asset.at = number;
  asset.name = asset.path ?? asset.id;
  asset.search = `${asset.name} ${asset.kind} ${asset.id} ${[...asset.owners ?? [], ...asset.licenses ?? []].join(' ')}`.toLowerCase();
});
const byName = new Map(assets.map((asset) => [asset.name, asset]));

const kinds = [...new Set(assets.map((asset) => asset.kind))].sort();

/**
 * The path of the file of an asset, and the name in it, which is empty for an asset that is a file. The name of a file may have a `#` as well, as in
 * `C#4.wav`: a name in a file begins after the extension.
 */
function splitName(name) {
  const hasExtension = (path) => /[^./][^/]*\.[^/]*$/.test(path);
  for (let at = name.indexOf('#'); at >= 0; at = name.indexOf('#', at + 1)) {
    const [file, inside] = [name.slice(0, at), name.slice(at + 1)];
    if (file && (hasExtension(file) || !hasExtension(inside))) return [file, inside];
  }
  return [name, ''];
}

/** The folders of an asset and its name in them. The name of a sub-asset begins with that of its file. */
function partsOf(asset) {
  const [file, inside] = splitName(asset.name);
  const folders = file.split('/');
  return [folders, inside ? `${folders.pop()}#${inside}` : folders.pop()];
}

/** The owners of its source by the CODEOWNERS of the repository. */
const ownersOf = (asset) => (asset.owners ?? []).join(', ') || 'nobody';

/** The licence of its source, by the settings and the files of REUSE. */
const licenseOf = (asset) => (asset.licenses ?? []).join(', ') || 'no licence';

/** Whether it comes from inside a file. A build counts it as a part of that asset. */
const isSubAsset = (asset) => splitName(asset.name)[1] !== '';

/** The number of assets as a build counts them: "78 assets, 2 sub-assets". */
function assetCount(list) {
  const inside = list.filter(isSubAsset).length;
  if (inside === list.length && inside > 0) return count(inside, 'sub-asset');
  return count(list.length - inside, 'asset') + (inside > 0 ? `, ${count(inside, 'sub-asset')}` : '');
}

/** What decides which assets are shown. */
const filter = { words: [], hidden: new Set() };

/** The assets that are shown, by number. */
let shown = assets;

/** Functions to call when other assets are shown. */
const filterListeners = [];

function applyFilter() {
  shown = assets.filter((asset) =>
    !filter.hidden.has(asset.kind) && filter.words.every((word) => asset.search.includes(word)));
  filterListeners.forEach((listener) => listener());
}

let block = null;

/** The characters of the block of details from `start` on. The block follows the scripts, so that it delays nothing. */
function detailsText(start, length) {
  block ??= document.readyState === 'loading' ? null : byId('details').textContent;
  return block === null ? null : block.slice(start, start + length);
}

/** Calls `then` when the details can be read. */
function whenLoaded(then) {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', then, { once: true });
  else then();
}

function detailOf(asset) {
  const [, , start, length] = data.places[asset.at];
  return JSON.parse(detailsText(start, length));
}

/** The data URI of a thumbnail, or null. */
function thumbnailOf(asset) {
  const [start, length] = data.places[asset.at];
  return length === 0 ? null : detailsText(start, length);
}
