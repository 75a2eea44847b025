// Lists, sets and maps, element by element; values nested in mixed properties as JSON.
import {
  button, cellElement, classOf, failureLine, get, isAborted, make, messageOf, number, objectPath, openDialog,
  several, show,
} from '../shared/elements.js';
import {pick} from './picker.js';
import {commit} from './transactions.js';
import {fieldFor, InputError, mixedOf} from './editors.js';

const page = 100;

/**
 * The elements of a collection; with a writable file they can be changed. The inspector shows it in place.
 * @param {import('../shared/elements.js').Context} context
 * @param {{className: string, row: number, property: import('../shared/elements.js').Property}} options
 */
export function open(context, {className, row, property}) {
  const path = objectPath(className, row, `/${property.number}`);
  const label = `Edit ${className}.${property.name}`;
  const element = {...property, collection: 'none'};
  const isEmbedded = Boolean(classOf(context, property.target)?.embedded);
  const canEdit = context.file.writable;
  const failure = failureLine();
  /** Failures are said here: a notice would be below the dialog. */
  const inPlace = {file: context.file, notify: text => failure.say(text)};
  const lines = make('ol', {class: 'elements', 'aria-label': `Elements of ${property.name}`});
  const status = make('span', {class: 'faint tabular'});
  const pages = make('span');
  const adder = make('div', {class: 'element-adder'});
  let from = 0, count = 0, request = null, editing = null;

  const whole = make('div', {class: 'collection'}, make('div', {class: 'collection-bar'}, status, pages,
    canEdit ? button('Add', add,
      {'aria-label': `Add an element to ${property.name}`}) : null), failure,
      adder, lines);

  async function load() {
    request?.abort();
    request = new AbortController();
    failure.say(null);
    try {
      const answer = await get(path, {from, count: page}, request.signal);
      count = answer.count;
      if (from && from >= count) {
        from = Math.max(0, Math.floor((count - 1) / page) * page);
        return load();
      }
      draw(answer);
    } catch (error) { if (!isAborted(error)) failure.say(messageOf(error)); }
  }

  function draw({elements, keys}) {
    editing = null;
    show(adder);
    status.textContent = several(count, 'element');
    show(pages, count > page ? [
      button('‹', () => { from = Math.max(0, from - page); load(); },
        {disabled: from === 0, 'aria-label': 'Previous elements'}),
      make('span', {class: 'tabular'}, `${number(from + 1)}–${number(from + elements.length)}`),
      button('›', () => { from += page; load(); },
        {disabled: from + page >= count, 'aria-label': 'Next elements'}),
    ] : null);
    show(lines, elements.map((cell, place) => line(cell, from + place, keys?.[place])));
    if (!count) show(lines, make('li', {class: 'empty'}, 'No elements.'));
  }

  function line(cell, at, key) {
    const name = key ?? number(at);
    const link = cell?.row != null && !cell.embedded
      ? button('', () => context.navigate({object: {class: cell.class, row: cell.row}}), {class: 'link'})
        : null;
    const value = link ? (link.append(cellElement(cell, element)), link) : cellElement(cell, element);
    const item = make('li', {class: 'element'}, make('span', {class: 'element-key', dir: 'auto',
      title: String(name)},
      property.collection === 'set' ? '' : String(name)), make('span', {class: 'element-value'}, value));
    if (!canEdit) return item;
    const place = {class: className, row, property: property.number};
    const tool = (text, title, operation, isPossible = true) => button(text, async () => {
      failure.say(null);
      try {
        if (await commit(inPlace, label, typeof operation === 'function' ? operation() : operation)) load();
      } catch (error) { failure.say(messageOf(error)); }
    }, {class: 'plain', title, 'aria-label': `${title} ${name}`, disabled: !isPossible});
    item.append(make('span', {class: 'element-tools'},
      property.collection === 'list' ? [
        tool('↑', 'Move up', {op: 'move', ...place, from: at, to: at - 1}, at > 0),
        tool('↓', 'Move down', {op: 'move', ...place, from: at, to: at + 1}, at < count - 1)] : null,
      property.collection === 'set' || isEmbedded ? null : button('Edit', () => begin({cell, at, key, item}),
        {class: 'plain', 'aria-label': `Edit ${name}`}),
      tool('×', 'Remove', property.collection === 'list' ? {op: 'remove', ...place, at, expected: cell}
        : property.collection === 'map' ? {op: 'removeKey', ...place, key, expected: cell}
        : () => ({op: 'discard', ...place, value: sendable(cell)}))));
    return item;
  }

  /** Adds an element: one that needs no form at once. */
  async function add() {
    if (property.collection === 'map' || property.type !== 'object') return edit(null);
    if (isEmbedded) return embed();
    const picked = await pick(context, property.target);
    if (picked) write(null, {class: picked.class, row: picked.row});
  }

  /** Adds an empty embedded object; its properties are edited in the inspector. */
  async function embed(key) {
    const place = property.collection === 'map' ? {key} : {at: count};
    if (await commit(inPlace, label, {op: 'embed', class: className, row, property: property.number,
      ...place})) load();
  }

  /** Edits an element, of which the line may show only the beginning. */
  async function begin(target) {
    failure.say(null);
    try {
      edit({...target, whole: await wholeElement(path, target.cell, [target.key ?? target.at])});
    } catch (error) { failure.say(`This element cannot be edited here: ${messageOf(error)}`); }
  }

  /** Edits an element in its line, or a new one above the lines. */
  function edit(target) {
    editing?.();
    const line = failureLine();
    const field = isEmbedded ? {element: '', focus: () => {}, read: () => null}
      : fieldFor(context, element, target ? target.whole : property.optional ? null : undefined);
    const key = property.collection === 'map' && !target
      ? make('input', {type: 'text', placeholder: 'Key', 'aria-label': 'Key', dir: 'auto'}) : null;
    const form = make('form', {class: 'element-form', onsubmit: event => { event.preventDefault(); save(); },
      onkeydown: event => {
        event.stopPropagation();
        if (event.key === 'Escape') { event.preventDefault(); close(); }
        else if (event.key === 'Enter' && !event.shiftKey && event.target.matches('textarea:not(.exact)')) {
          event.preventDefault();
          save();
        }
      }}, key, field.element, make('button', {type: 'submit', class: 'primary'}, target ? 'Write' : 'Add'),
    button('Cancel', close), line);
    const before = target?.item.querySelector('.element-value');
    if (before) before.replaceWith(form);
    else show(adder, form);
    editing = close;
    (key ?? field).focus();
    function close() {
      editing = null;
      if (before) form.replaceWith(before);
      else show(adder);
    }
    async function save() {
      line.say(null);
      let value;
      try { value = await field.read(); } catch (error) { return line.say(messageOf(error)); }
      return isEmbedded ? embed(key.value) : write(target, value, key?.value);
    }
  }

  async function write(target, value, key) {
    const place = {class: className, row, property: property.number};
    const operation = property.collection === 'set' ? {op: 'add', ...place, value}
      : property.collection === 'map'
        ? {op: 'put', ...place, key: target?.key ?? key, value, ...target && {expected: target.cell}}
      : target ? {op: 'replace', ...place, at: target.at, value, expected: target.cell}
      : {op: 'insert', ...place, at: count, value};
    if (!await commit(inPlace, label, operation)) return;
    if (!target && property.collection === 'list') from = Math.floor(count / page) * page;
    load();
  }

  load();
  return {element: whole, load, close: () => request?.abort()};
}

/** A cell of a set as the value that names it in a request. */
function sendable(cell) {
  if (cell?.row != null) return {class: cell.class, row: cell.row};
  const value = cell?.type && cell.value != null ? cell.value : cell;
  if (value?.bytes > 16 || value?.text != null) {
    throw new InputError('The page has only the beginning of this value and cannot name it to the server.');
  }
  if (value?.bytes == null) return cell;
  const numbers = (value.start.match(/../g) ?? []).map(digits => parseInt(digits, 16));
  const data = {base64: btoa(String.fromCharCode(...numbers))};
  return value === cell ? data : {...cell, value: data};
}

/** A collection in a dialog, for the grid. @returns {Promise<boolean>} whether it may have changed */
export async function edit(context, className, row, property) {
  const panel = open(context, {className, row, property});
  const dialog = openDialog(`${className}.${property.name}`, panel.element, {wide: true});
  await dialog.closed;
  panel.close();
  return true;
}

/** Returns the whole value of an element or a property; nested values as JSON. */
export async function wholeElement(path, cell, places = []) {
  if (cell == null || typeof cell !== 'object') return cell;
  const parameters = places.length ? {path: JSON.stringify(places)} : null;
  if ('text' in cell) return (await get(path, parameters)).text;
  if (cell.type === 'string' && typeof cell.value === 'object') return {...cell,
    value: (await get(path, parameters)).text};
  if (cell.type !== 'list' && cell.type !== 'dictionary') return cell;
  return {...cell, json: JSON.stringify(await nested(path, cell, places), null, 2)};
}

/** All elements of a collection that is nested in a mixed value, as plain JSON. */
 async function nested(path, cell, places = []) {
  const elements = [], keys = [];
  while (elements.length < cell.count) {
    const answer = await get(path, {from: elements.length, count: 500, path: JSON.stringify(places)});
    if (!answer.elements.length) break;
    elements.push(...answer.elements);
    keys.push(...answer.keys ?? []);
  }
  const values = [];
  for (const [place, each] of elements.entries()) {
    const step = cell.type === 'dictionary' ? keys[place] : place;
    const isNested = each?.type === 'list' || each?.type === 'dictionary';
    values.push(isNested ? await nested(path, each, [...places, step])
      : plain(await wholeElement(path, each, [...places, step])));
  }
  return cell.type === 'dictionary' ? Object.fromEntries(keys.map((key, place) => [key, values[place]]))
    : values;
}

/** A mixed cell as JSON: by itself where the type is clear, with its type where not. */
function plain(cell) {
  if (cell == null) return null;
  if (cell.type === 'data') throw new InputError('It holds data, which a text in JSON cannot show.');
  const isClear = JSON.stringify(mixedOf(cell.value)) === JSON.stringify({type: cell.type,
    value: cell.value});
  return isClear ? cell.value : {type: cell.type, value: cell.value};
}
