/** The inspector: all properties of the selected object, and what links to it. */
import {get, isAborted, objectPath} from '../shared/api.js';
import {count, isEqual, linkText, typeText} from '../shared/cells.js';
import {button, make} from '../shared/elements.js';
import {valueElement} from './values.js';

/**
 * @typedef {Object} InspectorDelegate
 * @property {() => any} file
 * @property {(link: {class: string, row: number}) => void} follow
 * @property {(className: string, filter: string) => void} openQuery
 * @property {(object: any, property: any, cell: any, target: HTMLElement) => void} edit
 * @property {() => void} leave
 * @property {() => void} close
 */

export class Inspector {
  /** @param {HTMLElement} root @param {InspectorDelegate} delegate */
  constructor(root, delegate) {
    this.root = root;
    this.delegate = delegate;
    this.head = make('header', {class: 'inspector-head'});
    this.body = make('div', {class: 'inspector-body'});
    this.incoming = make('section', {class: 'inspector-incoming'});
    const edge = make('div', {class: 'inspector-edge'});
    edge.addEventListener('pointerdown', event => this.resize(event));
    root.append(edge, this.head, this.body, this.incoming);
    root.addEventListener('keydown', event => this.pressed(event));
    /** @type {{class: string, row: number}|null} */
    this.object = null;
    this.answer = null;
    const width = Number(sessionStorage.getItem('studio-inspector'));
    if (width) root.style.setProperty('--inspector-width', width + 'px');
    this.showNothing('Select a row to see its object.');
  }

  /** @param {string} text */
  showNothing(text) {
    this.object = this.answer = null;
    this.head.replaceChildren();
    this.incoming.replaceChildren();
    this.body.replaceChildren(make('p', {class: 'inspector-empty'}, text));
  }

  /** Shows an object, or nothing. @param {{class: string, row: number}|null} object */
  show(object) {
    if (isEqual(object, this.object)) return;
    if (!object) {
      this.loading?.abort();
      this.showNothing('Select a row to see its object.');
      return;
    }
    this.object = object;
    this.answer = null;
    this.refresh();
  }

  /** Loads the object again and draws what has changed. */
  async refresh() {
    if (!this.object || this.root.hidden) return;
    const {object} = this;
    this.loading?.abort();
    const {signal} = this.loading = new AbortController();
    const path = objectPath(object.class, object.row);
    try {
      const answer = await get(path, signal);
      if (this.answer) this.update(answer);
      else this.draw(answer);
      const {incoming} = await get(path + '/incoming', signal);
      this.drawIncoming(incoming);
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      if (error.status === 404) this.showNothing('This object has been deleted.');
      else if (!this.answer) this.showNothing(error.message);
    }
  }

  description(className) {
    return this.delegate.file()?.classes.find(one => one.name === className);
  }

  draw(answer) {
    this.answer = answer;
    const title = make('h2', {class: 'inspector-title'}, linkText(answer));
    title.dir = 'auto';
    const close = button('×', () => this.delegate.close(),
      {class: 'quiet', title: 'Close the inspector (i)'});
    close.setAttribute('aria-label', 'Close the inspector');
    this.head.replaceChildren(title, make('span', {class: 'faint'}, '#' + answer.row), close);
    this.body.scrollTop = 0;
    this.body.replaceChildren();
    if (answer.embeddedIn) {
      const row = make('div', {class: 'inspector-owner'}, 'Part of ');
      const follow = () => this.delegate.follow(answer.embeddedIn);
      row.append(button(linkText(answer.embeddedIn), follow, {class: 'value link'}));
      this.body.append(row);
    }
    this.body.append(this.list(answer));
    this.incoming.replaceChildren();
  }

  /** The properties of an object with their values. */
  list(answer) {
    const list = make('div', {class: 'inspector-list'});
    const properties = this.description(answer.class)?.properties ?? [];
    for (const [number, cell] of answer.cells) {
      const property = properties.find(one => one.number === number);
      if (property) list.append(this.row(answer, property, cell));
    }
    return list;
  }

  row(answer, property, cell) {
    const row = make('div', {class: 'inspector-row'});
    row.tabIndex = 0;
    row.dataset.property = String(property.number);
    const name = make('div', {class: 'inspector-name'}, property.name);
    name.dir = 'auto';
    name.title = `${property.name}: ${typeText(property)}`;
    row.append(name, valueElement(cell, {class: answer.class, row: answer.row, property, path: []}, {
      follow: this.delegate.follow, embedded: link => this.embedded(link),
    }));
    const edit = () => {
      const current = answer.cells.find(([number]) => number === property.number)?.[1];
      this.delegate.edit(answer, property, current, row);
    };
    row.addEventListener('dblclick', edit);
    row.addEventListener('edit', event => {
      event.stopPropagation();
      edit();
    });
    return row;
  }

  /** @param {{class: string, row: number}} link @returns {Promise<Node>} */
  async embedded(link) {
    return this.list(await get(objectPath(link.class, link.row)));
  }

  /** Replaces the values that differ and tints them. */
  update(answer) {
    const old = new Map(this.answer.cells);
    const properties = this.description(answer.class)?.properties ?? [];
    this.answer.cells = answer.cells;
    this.answer.version = answer.version;
    const list = this.body.querySelector('.inspector-list');
    for (const [number, cell] of answer.cells) {
      const property = properties.find(one => one.number === number);
      const isNested = property?.collection !== 'none' || cell?.embedded || cell?.type === 'list';
      if (!property || !list || (isEqual(cell, old.get(number)) && !isNested)) continue;
      const row = list.querySelector(`:scope > [data-property="${number}"]`);
      if (!row) continue;
      const wasOpen = row.querySelector('details')?.open;
      const replacement = this.row(this.answer, property, cell);
      const details = replacement.querySelector('details');
      if (details && wasOpen !== undefined) details.open = wasOpen;
      const hadFocus = row.contains(document.activeElement);
      row.replaceWith(replacement);
      if (hadFocus) replacement.focus();
      if (isEqual(cell, old.get(number))) continue;
      replacement.classList.add('changed');
      setTimeout(() => replacement.classList.remove('changed'), 600);
    }
  }

  /** @param {{class: string, property: number, name: string, count: number, filter: string}[]} incoming */
  drawIncoming(incoming) {
    const hadFocus = this.incoming.contains(document.activeElement);
    this.incoming.replaceChildren(make('h3', null, 'Linked from'));
    const linked = incoming.filter(one => one.count > 0);
    if (!linked.length) this.incoming.append(make('p', {class: 'faint'}, 'No object links here.'));
    for (const one of linked) {
      const open = () => this.delegate.openQuery(one.class, one.filter);
      const row = button('', open, {class: 'incoming-row', title: 'Show these objects'});
      const name = make('span', {class: 'incoming-name'});
      name.append(make('b', null, one.class), '.' + one.name);
      row.append(name, make('span', {class: 'incoming-count'}, count(one.count)));
      this.incoming.append(row);
    }
    if (hadFocus) /** @type {HTMLElement|null} */ (this.incoming.querySelector('button'))?.focus();
  }

  /** Puts the keyboard into the inspector. */
  focus() {
    const first = this.root.querySelector('.inspector-row') ?? this.root.querySelector('button');
    /** @type {HTMLElement|null} */ (first)?.focus();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches('input, textarea, select')) return;
    if (event.key === 'Escape') this.delegate.leave();
    else if (event.key === 'ArrowDown') this.step(target, 1);
    else if (event.key === 'ArrowUp') this.step(target, -1);
    else if (event.key === 'Enter' && target.matches('.inspector-row')) {
      const inside = /** @type {HTMLElement|null} */ (target.querySelector('button.link, summary'));
      if (inside) inside.click();
      else target.dispatchEvent(new Event('edit', {bubbles: true}));
    } else if (event.key === 'F2' && target.closest('.inspector-row')) {
      target.closest('.inspector-row').dispatchEvent(new Event('edit', {bubbles: true}));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the focus to the next or previous property or incoming link. */
  step(target, by) {
    const kinds = '.inspector-row, .inspector-owner button, .incoming-row';
    /** @type {HTMLElement[]} */
    const stops = [...this.root.querySelectorAll(kinds)];
    const current = stops.indexOf(target.closest(kinds));
    const next = stops[Math.min(Math.max(current + by, 0), stops.length - 1)];
    next?.focus();
    next?.scrollIntoView({block: 'nearest'});
  }

  /** Follows the mouse at the edge. @param {PointerEvent} event */
  resize(event) {
    event.preventDefault();
    const move = next => {
      const width = Math.round(Math.min(Math.max(innerWidth - next.clientX, 220), innerWidth - 400));
      this.root.style.setProperty('--inspector-width', width + 'px');
      sessionStorage.setItem('studio-inspector', String(width));
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', () => removeEventListener('pointermove', move), {once: true});
  }
}
