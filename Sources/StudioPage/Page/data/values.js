/** Values in the inspector: whole texts, JSON, bytes, images, collections in pages, nested mixed values. */
import {blob, get, objectPath} from '../shared/api.js';
import {collectionNames, count, linkOf, linkText, several, shown, size} from '../shared/cells.js';
import {button, download, make} from '../shared/elements.js';

/**
 * @typedef {Object} Place where a value is stored
 * @property {string} class
 * @property {number} row
 * @property {import('../shared/cells.js').Property} property
 * @property {(string|number)[]} path within a mixed value
 *
 * @typedef {Object} ValueDelegate
 * @property {(link: {class: string, row: number}) => void} follow
 * @property {(link: {class: string, row: number}) => Promise<Node>} embedded
 */

const pageSize = 20;
const maximumImage = 16_000_000;
const maximumBytesShown = 1024;

/** First bytes of the image formats that are shown. SVG and HTML never are. */
const imageFormats = [
  [/^89504e470d0a1a0a/, 'image/png'], [/^ffd8ff/, 'image/jpeg'], [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
];

/** @param {any} cell @param {Place} place @param {ValueDelegate} delegate @returns {HTMLElement} */
export function valueElement(cell, place, delegate) {
  const {property} = place;
  const {collection: kind} = property;
  if (kind !== 'none') return collection(cell?.count ?? 0, kind, place, delegate);
  if (property.type === 'mixed' && cell !== null) return mixedElement(cell, place, delegate);
  return single(cell, property, place, delegate);
}

function mixedElement(cell, place, delegate) {
  const isCollection = cell.type === 'list' || cell.type === 'dictionary';
  if (isCollection) return collection(cell.count, cell.type, place, delegate);
  const property = {...place.property, type: cell.type, collection: /** @type {const} */ ('none')};
  const root = make('div', {class: 'value-mixed'});
  root.append(single(cell.value, property, place, delegate), make('span', {class: 'value-type'}, cell.type));
  return root;
}

function single(cell, property, place, delegate) {
  const link = linkOf(cell);
  if (link && cell.embedded) return embedded(link, cell, delegate);
  if (link) return button(linkText(cell), () => delegate.follow(link), {class: 'value link', title: 'Open'});
  if (property.type === 'data' && cell) return bytes(cell, place);
  if (property.type === 'string' && cell) return text(cell, place);
  const look = shown(cell, property);
  const root = make('span', {class: 'value ' + look.kind}, look.text);
  root.dir = 'auto';
  if (property.type === 'date' && cell !== null) {
    root.append(make('span', {class: 'value-exact'}, String(cell)));
  }
  return root;
}

/** A text with its lines; long ones can be opened, and JSON can be shown with indents. */
function text(cell, place) {
  const root = make('div', {class: 'value-text'});
  const body = make('div', {class: 'value string long'}, typeof cell === 'string' ? cell : cell.text);
  body.dir = 'auto';
  root.append(body);
  const tools = make('div', {class: 'value-tools'});
  if (typeof cell !== 'string') {
    const showAll = async () => {
      const answer = await get(`${objectPath(place.class, place.row)}/${place.property.number}`);
      body.textContent = answer.text;
      root.replaceChildren(body);
    };
    const length = make('span', {class: 'faint'}, several(cell.length, 'character'));
    tools.append(length, button('Show all', showAll));
  }
  if (typeof cell === 'string' && (cell.length > 200 || cell.split('\n').length > 6)) {
    body.classList.add('clipped');
    const more = button(`Show all ${several(cell.length, 'character')}`, () => {
      const isClipped = body.classList.toggle('clipped');
      more.textContent = isClipped ? `Show all ${several(cell.length, 'character')}` : 'Show less';
    });
    tools.append(more);
  }
  const indented = typeof cell === 'string' && /^\s*[[{]/.test(cell) ? indentedJSON(cell) : null;
  if (indented !== null && indented !== cell) {
    const toggle = button('As JSON', () => {
      const isJSON = body.classList.toggle('json');
      body.textContent = isJSON ? indented : cell;
      toggle.textContent = isJSON ? 'As text' : 'As JSON';
    });
    tools.append(toggle);
  }
  if (tools.childElementCount) root.append(tools);
  return root;
}

/** @param {string} source @returns {string|null} */
function indentedJSON(source) {
  try {
    return JSON.stringify(JSON.parse(source), null, 2);
  } catch {
    return null;
  }
}

/** Bytes: an image if the first bytes say so, else on request in hexadecimal; or as a file. */
function bytes(cell, place) {
  const root = make('div', {class: 'value-bytes'});
  const look = make('span', {class: 'value data'}, size(cell.bytes));
  root.append(look);
  if (cell.bytes === 0 || place.path.length) return root;
  const path = `${objectPath(place.class, place.row)}/${place.property.number}`;
  const tools = make('div', {class: 'value-tools'});
  const format = imageFormats.find(([start]) => start.test(cell.start))?.[1];
  if (format && cell.bytes <= maximumImage) {
    const image = /** @type {HTMLImageElement} */ (make('img', {class: 'value-image'}));
    image.alt = `Image of ${size(cell.bytes)}`;
    blob(path).then(data => {
      const address = URL.createObjectURL(new Blob([data], {type: format}));
      image.addEventListener('load', () => {
        look.textContent = `${size(cell.bytes)} · ${image.naturalWidth} × ${image.naturalHeight}`;
        URL.revokeObjectURL(address);
      }, {once: true});
      image.addEventListener('error', () => { URL.revokeObjectURL(address); image.remove(); }, {once: true});
      image.src = address;
    }, () => image.remove());
    root.append(image);
  } else {
    const start = cell.start.replace(/(..)/g, '$1 ').trim() + (cell.bytes > 16 ? ' …' : '');
    root.append(make('span', {class: 'value-start'}, start));
  }
  const show = button('Bytes', async () => {
    const data = new Uint8Array(await (await blob(path)).slice(0, maximumBytesShown).arrayBuffer());
    root.append(make('pre', {class: 'value-hex'}, hexadecimal(data)));
    const isCut = cell.bytes > data.length;
    if (isCut) root.append(make('span', {class: 'faint'}, `The first ${several(data.length, 'byte')}.`));
    show.remove();
  });
  const save = button('Save…', async () => {
    const data = new Blob([await blob(path)], {type: 'application/octet-stream'});
    download(data, `${place.class}-${place.row}-${place.property.name}`);
  });
  tools.append(show, save);
  root.append(tools);
  return root;
}

/** @param {Uint8Array} data @returns {string} lines of 8 bytes and their characters */
function hexadecimal(data) {
  const lines = [];
  for (let from = 0; from < data.length; from += 8) {
    const line = [...data.subarray(from, from + 8)];
    const numbers = line.map(byte => byte.toString(16).padStart(2, '0')).join(' ').padEnd(23);
    const letters = line.map(byte => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·').join('');
    lines.push(`${from.toString(16).padStart(4, '0')}  ${numbers}  ${letters}`);
  }
  return lines.join('\n');
}

/** An embedded object, whose properties are shown below when it is opened. */
function embedded(link, cell, delegate) {
  return opening(linkText(cell), 'embedded', true, async body => body.append(await delegate.embedded(link)));
}

/** @param {number} total @param {string} kind */
function collection(total, kind, place, delegate) {
  const title = `${collectionNames[kind]} ${count(total)}`;
  if (total === 0) return make('span', {class: 'value collection'}, title);
  return opening(title, 'collection', total <= pageSize && place.path.length === 0, async body => {
    const list = make('div', {class: 'value-elements'});
    const more = button('', () => load(), {class: 'value-more'});
    let from = 0;
    const load = async () => {
      const path = place.path.length ? '&path=' + encodeURIComponent(JSON.stringify(place.path)) : '';
      const address = `${objectPath(place.class, place.row)}/${place.property.number}`;
      const answer = await get(`${address}?from=${from}&count=${pageSize}${path}`);
      answer.elements.forEach((cell, index) => {
        const key = answer.keys?.[index] ?? from + index;
        const row = make('div', {class: 'value-element'});
        const name = make('span', {class: 'value-key'}, String(key));
        name.dir = 'auto';
        row.append(name, elementValue(cell, key, place, delegate));
        list.append(row);
      });
      from += answer.elements.length;
      more.hidden = from >= answer.count || !answer.elements.length;
      more.textContent = `${Math.min(pageSize, answer.count - from)} more of ${count(answer.count)}`;
    };
    body.append(list, more);
    await load();
  });
}

/** An element of a collection or of a nested mixed value. */
function elementValue(cell, key, place, delegate) {
  const property = {...place.property, collection: /** @type {const} */ ('none')};
  return valueElement(cell, {...place, path: [...place.path, key], property}, delegate);
}

/** A title that opens and closes what is below; its content is loaded when it is opened first. */
function opening(title, kind, isOpen, load) {
  const root = /** @type {HTMLDetailsElement} */ (make('details', {class: 'value-opening'}));
  const body = make('div', {class: 'value-body'});
  root.append(make('summary', {class: 'value ' + kind}, title), body);
  let isLoaded = false;
  root.addEventListener('toggle', async () => {
    if (!root.open || isLoaded) return;
    isLoaded = true;
    try {
      await load(body);
    } catch (error) {
      isLoaded = false;
      body.replaceChildren(make('span', {class: 'faint'}, error.message));
    }
  });
  root.open = isOpen;
  return root;
}
