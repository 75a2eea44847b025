/** The query line: runs while the user types, shows errors at their place, completes, remembers. */
import {count, several} from '../shared/cells.js';
import {button, make} from '../shared/elements.js';
import {get, isAborted} from '../shared/api.js';

/** Pause after the last key before a query runs, in milliseconds. */
const pause = 150;
const maximumHistory = 50;

/**
 * @typedef {Object} QueryDelegate
 * @property {(text: string) => void} run
 * @property {() => void} leave
 * @property {() => void} explain
 * @property {(button: HTMLElement) => void} menu
 * @property {() => string} className
 */

export class QueryLine {
  /** @param {HTMLElement} root @param {QueryDelegate} delegate */
  constructor(root, delegate) {
    this.delegate = delegate;
    this.classLabel = make('span', {class: 'query-class'});
    this.classLabel.dir = 'auto';
    const box = make('div', {class: 'query-box'});
    this.mirror = make('div', {class: 'query-mirror'});
    this.mirror.setAttribute('aria-hidden', 'true');
    this.input = /** @type {HTMLInputElement} */ (make('input', {class: 'query-input'}));
    const placeholder = 'age > 3 AND name BEGINSWITH "J"';
    Object.assign(this.input, {type: 'text', spellcheck: false, autocomplete: 'off', placeholder});
    const attributes = {
      'aria-label': 'Query', role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false',
      'aria-controls': 'query-list', 'aria-describedby': 'query-error',
    };
    for (const [name, value] of Object.entries(attributes)) this.input.setAttribute(name, value);
    this.list = make('div', {class: 'query-list'});
    this.list.id = 'query-list';
    this.list.setAttribute('role', 'listbox');
    this.list.hidden = true;
    this.result = make('span', {class: 'query-result'});
    this.result.setAttribute('role', 'status');
    this.error = make('div', {class: 'query-error'});
    this.error.id = 'query-error';
    this.error.hidden = true;
    box.append(this.mirror, this.input, this.list, this.error);
    const more = button('⋯', () => delegate.menu(more),
      {class: 'quiet', title: 'More: columns, summary, groups, export'});
    more.setAttribute('aria-label', 'More');
    more.setAttribute('aria-haspopup', 'menu');
    root.append(this.classLabel, box, this.result, more);
    this.items = [];
    this.chosen = -1;
    this.place = 0;
    /** Whether completions are on their way, and whether Tab was pressed meanwhile. */
    this.isCompleting = this.acceptsFirst = false;
    this.fault = null;
    this.history = JSON.parse(sessionStorage.getItem('studio-queries') ?? '[]');
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', event => this.pressed(event));
    this.input.addEventListener('scroll', () => { this.mirror.scrollLeft = this.input.scrollLeft; });
    this.input.addEventListener('blur', () => this.closeList());
    this.input.addEventListener('focus', () => { this.place = this.history.length; });
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  /** Shows a filter that was not typed here. @param {string} className @param {string} text */
  show(className, text) {
    this.classLabel.textContent = className;
    if (this.input.value === text) return;
    this.input.value = text;
    this.closeList();
    this.showFault(null);
  }

  /** @param {{count: number, ms?: number}} answer */
  showResult({count: number, ms}) {
    this.showFault(null);
    this.result.replaceChildren(make('b', null, count(number)));
    if (ms !== undefined) this.result.append(` · ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);
    this.result.title = several(number, 'object matches', 'objects match');
  }

  /**
   * Shows what is wrong, at its place.
   * @param {{message: string, from?: number, to?: number}|null} fault @param {string} [text] that it is about
   */
  showFault(fault, text = this.input.value) {
    if (fault && text !== this.input.value) return;
    this.fault = fault;
    this.error.hidden = !fault;
    this.error.textContent = fault?.message ?? '';
    this.input.setAttribute('aria-invalid', String(Boolean(fault)));
    this.mirror.replaceChildren();
    if (!fault || fault.from === undefined) return;
    const from = Math.min(fault.from, text.length);
    const to = Math.max(Math.min(fault.to ?? from + 1, text.length), from);
    const marked = text.slice(from, to) || ' ';
    this.mirror.append(text.slice(0, from), make('span', {class: 'query-fault'}, marked), text.slice(to));
    this.mirror.scrollLeft = this.input.scrollLeft;
  }

  typed() {
    clearTimeout(this.timer);
    this.showFault(null);
    this.timer = setTimeout(() => this.run(), pause);
    this.complete();
  }

  run() {
    clearTimeout(this.timer);
    this.delegate.run(this.input.value);
  }

  /** Adds the text to the history. */
  remember() {
    const text = this.input.value.trim();
    if (!text) return;
    this.history = [...this.history.filter(other => other !== text), text].slice(-maximumHistory);
    this.place = this.history.length;
    sessionStorage.setItem('studio-queries', JSON.stringify(this.history));
  }

  async complete() {
    this.completing?.abort();
    const completing = this.completing = new AbortController();
    this.isCompleting = true;
    this.acceptsFirst = false;
    const text = this.input.value;
    const position = this.input.selectionStart ?? text.length;
    const query = new URLSearchParams({class: this.delegate.className(), text, position: String(position)});
    try {
      const answer = await get('complete?' + query, completing.signal);
      if (completing.signal.aborted) return;
      this.isCompleting = false;
      if (document.activeElement !== this.input || this.input.value !== text) return;
      this.openList(answer);
      if (this.acceptsFirst && this.items.length) this.accept(0);
    } catch (error) {
      if (isAborted(error)) return;
      this.isCompleting = false;
      this.closeList();
    }
  }

  /** @param {{from: number, to: number, items: {text: string, kind: string, detail?: string}[]}} answer */
  openList({from, to, items}) {
    const typed = this.input.value.slice(from, to);
    this.items = items.filter(item => item.text !== typed).slice(0, 50);
    if (!this.items.length) {
      this.closeList();
      return;
    }
    this.replaced = [from, to];
    this.chosen = -1;
    this.list.replaceChildren(...this.items.map((item, index) => this.listItem(item, index)));
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    const left = this.widthOf(this.input.value.slice(0, from)) - this.input.scrollLeft;
    this.list.style.left = Math.max(left, 0) + 'px';
  }

  listItem(item, index) {
    const row = make('div', {class: 'query-item'});
    row.id = 'query-item-' + index;
    row.setAttribute('role', 'option');
    const text = make('span', {class: 'query-item-text ' + item.kind}, item.text);
    text.dir = 'auto';
    row.append(text, make('span', {class: 'query-item-detail'}, item.detail ?? item.kind));
    row.addEventListener('pointerdown', event => {
      event.preventDefault();
      this.accept(index);
    });
    return row;
  }

  /** @param {string} text @returns {number} width in the input, in pixels */
  widthOf(text) {
    const probe = make('span', {class: 'query-probe'}, text);
    this.mirror.after(probe);
    const {width} = probe.getBoundingClientRect();
    probe.remove();
    return width;
  }

  closeList() {
    this.completing?.abort();
    this.isCompleting = false;
    this.list.hidden = true;
    this.items = [];
    this.chosen = -1;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  choose(index) {
    this.chosen = Math.min(Math.max(index, -1), this.items.length - 1);
    [...this.list.children].forEach((row, place) => {
      row.setAttribute('aria-selected', String(place === this.chosen));
    });
    this.list.children[this.chosen]?.scrollIntoView({block: 'nearest'});
    if (this.chosen < 0) this.input.removeAttribute('aria-activedescendant');
    else this.input.setAttribute('aria-activedescendant', 'query-item-' + this.chosen);
  }

  accept(index) {
    const item = this.items[Math.max(index, 0)];
    const [from, to] = this.replaced;
    const tail = this.input.value.slice(to);
    const text = item.text + (tail.startsWith(' ') ? '' : ' ');
    this.input.value = this.input.value.slice(0, from) + text + tail;
    this.input.setSelectionRange(from + text.length, from + text.length);
    this.closeList();
    this.typed();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.isComposing) return;
    const isOpen = !this.list.hidden;
    const {key} = event;
    const accepts = key === 'Tab' && !event.shiftKey
      || key === 'Enter' && !event.altKey && isOpen && this.chosen >= 0;
    // While an answer is on its way, the list is that of a former text.
    if (accepts && this.isCompleting) this.acceptsFirst = true;
    else if (accepts && isOpen) this.accept(this.chosen);
    else if (key === 'Enter' && event.altKey) this.delegate.explain();
    else if (key === 'Enter') this.entered();
    else if (key === 'ArrowDown' && isOpen) this.choose(this.chosen + 1);
    else if (key === 'ArrowUp' && isOpen && this.chosen >= 0) this.choose(this.chosen - 1);
    else if (key === 'ArrowUp') this.recall(-1);
    else if (key === 'ArrowDown') this.recall(1);
    else if (key === ' ' && event.ctrlKey) this.complete();
    else if (key === 'Escape' && isOpen) this.closeList();
    else if (key === 'Escape') this.delegate.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  entered() {
    this.closeList();
    this.remember();
    this.run();
    this.delegate.leave();
  }

  recall(step) {
    const place = Math.min(Math.max(this.place + step, 0), this.history.length);
    if (place === this.place) return;
    this.place = place;
    this.closeList();
    this.input.value = this.history[place] ?? '';
    this.run();
  }
}
