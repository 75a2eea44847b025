/** The row elements of the grid, reused while it scrolls: one shows the positions with the same remainder. */
import {shown} from '../shared/cells.js';
import {make} from '../shared/elements.js';

export const rowHeight = 24;
/** Characters that may be written from right to left. Only their cells pay for `dir=auto`. */
const mayBeRightToLeft = new RegExp('[\\u0590-\\u08ff\\u200f\\u202b\\u202e\\u2067\\ufb1d-\\ufdff'
  + '\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]', 'u');

export class Rows {
  /** @param {HTMLElement} layer */
  constructor(layer) {
    this.layer = layer;
    /** @type {HTMLElement[]} */
    this.elements = [];
    /** Position that an element shows, -1 for none. @type {number[]} */
    this.positions = [];
    this.base = 0;
    this.range = [0, -1];
    /** @type {import('./columns.js').Columns|null} */
    this.columns = null;
  }

  /** Makes enough elements for a height, with cells for the columns `first`…`last`. */
  arrange(height, columns, [first, last], isForced) {
    const wanted = Math.ceil(height / rowHeight) + 1;
    const isSame = !isForced && columns === this.columns && first === this.range[0] && last === this.range[1];
    if (isSame && wanted === this.elements.length) return;
    this.columns = columns;
    this.range = [first, last];
    while (this.elements.length > wanted) this.elements.pop().remove();
    while (this.elements.length < wanted) {
      const row = make('div', {class: 'grid-row'});
      row.setAttribute('role', 'row');
      this.elements.push(row);
      this.layer.append(row);
    }
    for (const row of this.elements) this.arrangeCells(row, first, last);
    this.positions = this.elements.map(() => -1);
  }

  arrangeCells(row, first, last) {
    const wanted = last - first + 1;
    while (row.childElementCount > wanted) row.lastElementChild.remove();
    while (row.childElementCount < wanted) {
      const cell = make('div', {class: 'cell'}, ' ');
      cell.setAttribute('role', 'gridcell');
      row.append(cell);
    }
    row.style.width = this.columns.total + 'px';
    for (let index = first; index <= last; index++) {
      const cell = /** @type {HTMLElement} */ (row.children[index - first]);
      const column = this.columns.visible[index];
      cell.style.left = column.left + 'px';
      cell.style.width = column.width + 'px';
      cell.setAttribute('aria-colindex', String(index + 1));
    }
  }

  /** Draws every row again at the next `draw`. */
  forget() {
    this.positions.fill(-1);
  }

  /**
   * Shows the rows `first`…`last`, with the layer moved so that `offset` (in pixels) is at its top.
   * @param {number} offset
   * @param {(position: number) => any[]|undefined} rowAt
   * @param {(position: number, column: number, row: any[]|undefined) => string} mark more classes of a cell
   */
  draw(first, last, offset, rowAt, mark) {
    if (Math.abs(first - this.base) > 20_000) {
      this.base = first;
      this.forget();
    }
    this.layer.style.transform = `translateY(${this.base * rowHeight - offset}px)`;
    const used = new Set();
    for (let position = first; position <= last; position++) {
      const slot = position % this.elements.length;
      used.add(slot);
      if (this.positions[slot] === position) continue;
      this.positions[slot] = position;
      this.fill(this.elements[slot], position, rowAt(position), mark);
    }
    if (used.size === this.elements.length) return;
    this.elements.forEach((row, slot) => {
      if (used.has(slot)) return;
      row.hidden = true;
      this.positions[slot] = -1;
    });
  }

  fill(row, position, cells, mark) {
    row.hidden = false;
    row.style.transform = `translateY(${(position - this.base) * rowHeight}px)`;
    row.setAttribute('aria-rowindex', String(position + 2));
    const [first, last] = this.range;
    let node = row.firstElementChild;
    for (let index = first; index <= last; index++, node = node.nextElementSibling) {
      const {property, isNumeric} = this.columns.visible[index];
      let text = '';
      let name = 'cell';
      if (cells) {
        const look = shown(cells[index + 1], property);
        text = look.text;
        if (look.kind !== 'number') name += ' ' + look.kind;
      } else {
        name += ' waiting bar-' + (position * 7 + index * 3) % 4;
      }
      if (isNumeric) name += ' number';
      name += mark(position, index, cells);
      if (node.className !== name) node.className = name;
      if (node.firstChild.data === text) continue;
      node.firstChild.data = text;
      const direction = mayBeRightToLeft.test(text) ? 'auto' : '';
      if (node.dir !== direction) node.dir = direction;
    }
  }

  /** The element of a cell, if it is drawn. @returns {HTMLElement|null} */
  cell(position, column) {
    const slot = position % this.elements.length;
    if (this.positions[slot] !== position) return null;
    return /** @type {HTMLElement|null} */ (this.elements[slot].children[column - this.range[0]] ?? null);
  }

  /** The position and column of a cell's element. @param {Element} target @returns {[number, number]|null} */
  place(target) {
    const cell = target.closest('.cell');
    const slot = cell ? this.elements.indexOf(/** @type {HTMLElement} */ (cell.parentElement)) : -1;
    if (slot < 0 || this.positions[slot] < 0) return null;
    return [this.positions[slot], [...cell.parentElement.children].indexOf(cell) + this.range[0]];
  }
}
