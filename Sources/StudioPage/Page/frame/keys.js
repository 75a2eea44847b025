/** Keys of the page: one list that is followed, and shown by `?`. */
import {button, make} from '../shared/elements.js';

/**
 * @typedef {Object} Binding
 * @property {string[]} keys such as `Ctrl-c`, `Shift-ArrowDown` or the sequence `g c`
 * @property {string} group heading in the list of keys
 * @property {string} text empty: not listed
 * @property {(event: KeyboardEvent) => void} run
 * @property {() => boolean} [when] whether it applies now
 * @property {boolean} [always] also while the user types in a field
 * @property {boolean} [isInMenu] whether the menu of a cell offers it
 */

/** The key of an event as bindings write it. @param {KeyboardEvent} event */
function keyName(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push('Ctrl');
  if (event.altKey) parts.push('Alt');
  const isLetter = event.key.length === 1;
  if (event.shiftKey && (!isLetter || parts.length || event.key === ' ')) parts.push('Shift');
  parts.push(event.key === ' ' ? 'Space' : isLetter && parts.length ? event.key.toLowerCase() : event.key);
  return parts.join('-');
}

const isTyping = target => target instanceof HTMLElement
  && (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    || (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)));

/** Follows keys from now on. @param {Binding[]} bindings */
export function listen(bindings) {
  let prefix = '';
  let prefixTime = 0;
  const sequences = bindings.flatMap(one => one.keys).filter(key => key.includes(' '));
  const prefixes = new Set(sequences.map(key => key.split(' ')[0]));
  addEventListener('keydown', event => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    const name = keyName(event);
    const isSequence = prefix !== '' && event.timeStamp - prefixTime < 1500;
    const names = isSequence ? [`${prefix} ${name}`, name] : [name];
    prefix = '';
    for (const candidate of names) {
      const binding = bindings.find(one =>
        one.keys.includes(candidate) && (one.always || !isTyping(event.target)) && (one.when?.() ?? true));
      if (!binding) continue;
      event.preventDefault();
      binding.run(event);
      return;
    }
    if (prefixes.has(name) && !isTyping(event.target)) {
      prefix = name;
      prefixTime = event.timeStamp;
    }
  });
}

const symbols = {
  ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→',
  PageUp: 'PgUp', PageDown: 'PgDn', Escape: 'Esc',
};

/** A key as the page writes it, such as `Ctrl-C`. @param {string} key */
export const keyText = key => key.split('-').map((part, index, parts) => {
  const text = symbols[part] ?? part;
  return index > 0 && index === parts.length - 1 && text.length === 1 ? text.toUpperCase() : text;
}).join('-') || '-';

/** The list of keys. @param {Binding[]} bindings @param {() => void} done */
export function keyList(bindings, done) {
  const root = make('div', {class: 'key-list'});
  root.append(make('h2', null, 'Keys'));
  const columns = make('div', {class: 'key-columns'});
  for (const group of new Set(bindings.filter(one => one.text).map(one => one.group))) {
    const section = make('section');
    section.append(make('h3', null, group));
    const list = make('dl');
    for (const {keys, text} of bindings.filter(one => one.group === group && one.text)) {
      const term = make('dt');
      const isExtending = key => key.includes('Shift-') && keys.includes(key.replace('Shift-', ''));
      for (const key of keys.filter(key => !isExtending(key))) {
        for (const part of key.split(' ')) term.append(make('kbd', null, keyText(part)));
      }
      list.append(term, make('dd', null, text));
    }
    section.append(list);
    columns.append(section);
  }
  const row = make('div', {class: 'dialog-buttons'});
  row.append(button('Close', done, {class: 'primary'}));
  root.append(columns, row);
  return root;
}
