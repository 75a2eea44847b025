// What all panels share: elements without markup, requests, texts, dialogs.
import * as api from './api.js';
import * as cells from './cells.js';

export {isAborted} from './api.js';
export {
  condition, isNumeric, joined, nameInQuery, number, several, size as bytes, typeText,
} from './cells.js';

/**
 * @typedef {{number: number, name: string, type: string, collection?: string, optional?: boolean, target?:
 * string|null,
 *   index?: string, deleteRule?: string, sequence?: boolean, unique?: boolean}} Property
 * @typedef {{name: string, embedded?: boolean, count: number, primaryKey?: number[], rules?: object[],
 *   properties: Property[]}} Class
 * @typedef {{file: any, view: any, events: any, navigate: (change: object) => void,
 *   notify: (text: string, kind?: string) => void,
 *   addFilter: (property: Property, cell: any) => boolean}} Context
 */

/**
 * Makes an element. Children that are strings become text nodes, never markup; `on…` attributes are
 * listeners.
 * @param {string} tag @param {Record<string, any>|null} [attributes] @param {...any} children
 * @returns {any}
 */
export function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const svgNames = 'http://www.w3.org/2000/svg';

/**
 * Makes an element of SVG.
 * @param {string} tag
 * @param {Record<string, any>|null} [attributes]
 * @returns {any}
 */
export function makeSVG(tag, attributes, ...children) {
  return fill(document.createElementNS(svgNames, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name in properties) element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(2).filter(child => child != null && child !== false));
  return element;
}

const properties = {value: 1, checked: 1, disabled: 1, readOnly: 1, textContent: 1, selected: 1};

/** Replaces what an element contains. */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(2).filter(child => child != null && child !== false));
  return element;
}

export const button = (text, action, attributes) => make('button',
  {type: 'button', onclick: action, ...attributes},
  text);

/** Saves bytes or a text as a file. @param {Blob} data @param {string} name */
export function download(data, name) {
  const anchor = make('a', {href: URL.createObjectURL(data), download: name});
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

/**
 * A title and a text instead of content, with an action when one helps.
 * @param {string} title @param {string} [text] @param {string} [action] @param {() => void} [run]
 */
export const emptyText = (title, text, action, run) => [
  make('p', {class: 'empty-title', dir: 'auto'}, title),
  text ? make('p', {class: 'faint', dir: 'auto'}, text) : null,
  action ? button(action, run) : null,
].filter(part => part !== null);

/** A label and what it labels. */
export const labelled = (text, field) => make('label', {class: 'labelled'}, make('span', null, text), field);

/** A choice. @param {[string, string][]} options pairs of value and text */
export function choice(options, value, changed, attributes) {
  const select = make('select', {onchange: () => changed(select.value), ...attributes},
    options.map(([key, text]) => make('option', {value: key}, text)));
  select.value = value;
  return select;
}

/** The line at the top of a panel, with a button that closes it when it is in a dialog. */
export const panelBar = (title, note, done) => make('header', {class: 'panel-bar'},
  make('h1', {dir: 'auto'}, title),
  note ? make('span', {class: 'faint panel-note', dir: 'auto', title: note}, note) : null,
    make('span', {class: 'space'}),
  done ? button('×', done, {class: 'plain', 'aria-label': 'Close', title: 'Close (Esc)'}) : null);

/** A bar with its name, value and share. @param {HTMLElement} name @param {number} part from -1 to 1 */
export function showBar(name, part, value, share) {
  const length = make('span', {class: part < 0 ? 'bar-length negative' : 'bar-length'});
  length.style.width = `${part ? Math.max(0.3, Math.abs(part) * 100) : 0}%`;
  return make('div', {class: 'bar-line'}, make('span', {class: 'bar-name'}, name),
    make('span', {class: 'bar-track', 'aria-hidden': 'true'}, length),
    make('span', {class: 'bar-value'}, value), make('span', {class: 'bar-share'}, share));
}

// Requests

const query = parameters => new URLSearchParams(
  Object.entries(parameters ?? {}).filter(([, value]) => value != null).map(([key, value]) => [key,
    String(value)]));

/**
 * @param {string} path path below `/api/`
 * @param {Record<string, any>|null} [parameters] null ones are left out
 */
export const get = (path, parameters, signal) => api.get(parameters ? `${path}?${query(parameters)}` : path,
  signal);
export const post = (path, body, signal) => api.post(path, body, signal);
export const objectPath = (className, row, rest = '') => `${api.objectPath(className, row)}${rest}`;

/** A view of a class; the same class, filter and sort have the same view. */
export const makeView = (className, filter = '', sort = [], signal) =>
  post('view', {class: className, filter, sort}, signal);

/** Shows the objects of a class. @param {Context} context */
export const showClass = (context, className) =>
  context.navigate({screen: 'data', className, filter: '', sort: [], object: null});

// Schema

/** @param {Context} context @returns {Class|undefined} */
export const classOf = (context, name) => context.file?.classes?.find(each => each.name === name);
/** @param {Context} context @returns {Property|undefined} */
export const propertyOf = (context, className, number) =>
  classOf(context, className)?.properties.find(each => each.number === number);

export const isCollection = property => Boolean(property.collection) && property.collection !== 'none';
export const isPlain = property => !isCollection(property) && !['object', 'mixed',
  'data'].includes(property.type);

// Texts

/** A cell as plain text, for labels and messages. */
export function cellText(cell) {
  if (cell == null) return 'nil';
  if (typeof cell !== 'object') return String(cell);
  if ('text' in cell) return `${cell.text}…`;
  if ('bytes' in cell) return `${cells.several(cell.bytes, 'byte')} ${cell.start ?? ''}`.trim();
  if ('row' in cell) return cells.linkText(cell);
  if ('value' in cell) return cellText(cell.value);
  if ('count' in cell) return `${cell.type ?? 'Collection'}, ${cells.several(cell.count, 'element')}`;
  return JSON.stringify(cell);
}

/** A cell as an element, as the grid shows it. @param {any} cell @param {Property} property */
export function cellElement(cell, property) {
  const {text, kind} = cells.shown(cell, property);
  const title = property.type === 'date' && cell ? String(cell) : null;
  return make('span', {class: `value ${kind}`, dir: 'auto', title}, text);
}

// Dialogs

/**
 * Opens a dialog. Esc and a press beside it close it; the focus returns to where it was.
 * @param {HTMLDialogElement} dialog @param {string|null} first selector of the element that gets the focus
 * @returns {Promise<void>} when the dialog has been closed
 */
export function openModal(dialog, first) {
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  dialog.addEventListener('pointerdown', event => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  if (first) /** @type {HTMLElement|null} */ (dialog.querySelector(first))?.focus({preventScroll: true});
  return new Promise(resolve => dialog.addEventListener('close', () => {
    dialog.remove();
    if (before?.isConnected) before.focus({preventScroll: true});
    resolve();
  }, {once: true}));
}

/**
 * Opens a dialog with a title, a button that closes it, and further buttons below.
 * @returns {{element: HTMLDialogElement, close: () => void, closed: Promise<void>}}
 */
export function openDialog(title, content, {buttons = [], wide = false, closing = () => {}} = {}) {
  const dialog = make('dialog', {class: wide ? 'dialog-frame wide' : 'dialog-frame', 'aria-label': title},
    make('header', null, make('h2', {dir: 'auto'}, title),
      button('×', () => dialog.close(), {class: 'plain', 'aria-label': 'Close', title: 'Close (Esc)'})),
    make('div', {class: 'dialog-body'}, content),
    buttons.length ? make('footer', null, buttons) : null);
  dialog.addEventListener('close', () => closing());
  dialog.addEventListener('keydown', event => event.stopPropagation());
  const closed = openModal(dialog, '.dialog-body :is(input, textarea, select, button), footer button');
  return {element: dialog, close: () => dialog.close(), closed};
}

/** A line that says what failed, or nothing. */
export function failureLine() {
  const line = make('p', {class: 'failure', role: 'alert', hidden: true, dir: 'auto'});
  return Object.assign(line, {say(text) { line.textContent = text ?? ''; line.hidden = !text; }});
}

export const messageOf = error => error?.body?.message ?? error?.message ?? String(error);

export async function copy(context, text, what) {
  try {
    await navigator.clipboard.writeText(text);
    context.notify(`${what} copied`);
  } catch { context.notify('The browser did not allow copying', 'error'); }
}
