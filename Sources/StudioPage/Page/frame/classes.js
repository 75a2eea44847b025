/** The list of classes with their counts: classes of objects, then embedded classes. */
import {count} from '../shared/cells.js';
import {make} from '../shared/elements.js';

export class ClassList {
  /** @param {HTMLElement} root @param {{open: (className: string) => void, leave: () => void}} delegate */
  constructor(root, delegate) {
    this.root = root;
    this.delegate = delegate;
    this.filter = /** @type {HTMLInputElement} */ (make('input', {class: 'classes-filter'}));
    const values = {type: 'text', placeholder: 'Filter classes', spellcheck: false, autocomplete: 'off'};
    Object.assign(this.filter, values);
    this.filter.setAttribute('aria-label', 'Filter classes');
    this.list = make('div', {class: 'classes-list'});
    root.append(this.filter, this.list);
    /** @type {any[]} */
    this.classes = [];
    this.selected = '';
    this.filter.addEventListener('input', () => this.draw());
    root.addEventListener('keydown', event => this.pressed(event));
  }

  /** @param {any[]} classes */
  show(classes) {
    this.classes = classes;
    this.draw();
  }

  /** @param {Record<string, number>} counts by class; others stay */
  updateCounts(counts) {
    for (const one of this.classes) if (counts[one.name] !== undefined) one.count = counts[one.name];
    for (const row of this.list.querySelectorAll('button')) {
      const value = counts[/** @type {HTMLElement} */ (row).dataset.name];
      if (value !== undefined) row.lastElementChild.textContent = count(value);
    }
  }

  /** @param {string} name */
  select(name) {
    this.selected = name;
    for (const row of this.list.querySelectorAll('button')) {
      if (row.dataset.name === name) {
        row.setAttribute('aria-current', 'true');
        row.scrollIntoView({block: 'nearest'});
      } else row.removeAttribute('aria-current');
    }
  }

  draw() {
    const wanted = this.filter.value.trim().toLowerCase();
    const matching = this.classes.filter(one => one.name.toLowerCase().includes(wanted));
    const objects = matching.filter(one => !one.embedded);
    const embedded = matching.filter(one => one.embedded);
    this.list.replaceChildren(...objects.map(one => this.row(one)));
    if (embedded.length) this.list.append(make('h3', {class: 'classes-heading'}, 'Embedded'));
    this.list.append(...embedded.map(one => this.row(one)));
    const none = 'No class has this in its name.';
    if (!matching.length) this.list.append(make('p', {class: 'faint classes-none'}, none));
    this.filter.hidden = this.classes.length < 8;
    this.select(this.selected);
  }

  row(one) {
    const row = make('button', {class: 'classes-row'});
    row.dataset.name = one.name;
    /** @type {HTMLButtonElement} */ (row).type = 'button';
    const name = make('span', {class: 'classes-name'}, one.name);
    name.dir = 'auto';
    name.title = one.name;
    row.append(name, make('span', {class: 'classes-count'}, count(one.count)));
    row.addEventListener('click', () => this.delegate.open(one.name));
    return row;
  }

  /** Puts the keyboard into the list. */
  focus() {
    const current = this.list.querySelector('[aria-current]') ?? this.list.querySelector('button');
    /** @type {HTMLElement|null} */ (current)?.focus();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const rows = [...this.list.querySelectorAll('button')];
    const current = rows.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const isFilter = event.target === this.filter;
    if (event.key === 'ArrowDown') rows[Math.min(current + 1, rows.length - 1)]?.focus();
    else if (event.key === 'ArrowUp' && current > 0) rows[current - 1].focus();
    else if (event.key === 'ArrowUp' && !this.filter.hidden) this.filter.focus();
    else if (event.key === 'Home' && !isFilter) rows[0]?.focus();
    else if (event.key === 'End' && !isFilter) rows.at(-1)?.focus();
    else if (event.key === 'Enter' && isFilter) rows[0]?.click();
    else if (event.key === '/' && !isFilter && !this.filter.hidden) this.filter.focus();
    else if (event.key === 'Escape' && isFilter && this.filter.value) {
      this.filter.value = '';
      this.draw();
    } else if (event.key === 'Escape') this.delegate.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
