/** Columns of the grid: order, width and which are hidden, remembered for this tab. */
import {isNumeric} from '../shared/cells.js';

/**
 * @typedef {Object} Column
 * @property {import('../shared/cells.js').Property} property
 * @property {number} width
 * @property {number} left
 * @property {boolean} isNumeric
 */

const usualWidths = {
  bool: 72, int: 96, float: 96, double: 112, decimal128: 128, date: 160, string: 176, data: 208,
  objectId: 208, uuid: 288, object: 168, mixed: 144,
};
const minimumWidth = 40;
const maximumWidth = 1200;

export class Columns {
  /** @param {{name: string, properties: any[]}} description of the class @param {string} fileName */
  constructor(description, fileName) {
    this.key = `studio-columns ${fileName} ${description.name}`;
    const stored = JSON.parse(sessionStorage.getItem(this.key) ?? '{}');
    /** @type {Record<string, number>} */
    this.widths = stored.widths ?? {};
    /** @type {Set<number>} */
    this.hidden = new Set(stored.hidden ?? []);
    const keys = new Set(description.primaryKey ?? []);
    const rank = property => keys.has(property.number) ? 0 : 1;
    this.properties = [...description.properties].sort((one, other) => rank(one) - rank(other));
    /** @type {Column[]} */
    this.visible = [];
    this.total = 0;
    this.arrange();
  }

  /** @param {any} property */
  usualWidth(property) {
    const usual = property.collection === 'none' ? usualWidths[property.type] ?? 144 : 104;
    return Math.max(usual, Math.min(property.name.length * 8 + 32, 240));
  }

  arrange() {
    let left = 0;
    this.visible = this.properties.filter(property => !this.hidden.has(property.number)).map(property => {
      const width = this.widths[property.number] ?? this.usualWidth(property);
      const column = {property, width, left, isNumeric: isNumeric(property)};
      left += width;
      return column;
    });
    this.total = left;
  }

  store() {
    this.arrange();
    sessionStorage.setItem(this.key, JSON.stringify({widths: this.widths, hidden: [...this.hidden]}));
  }

  /** @param {number} index of a visible column @param {number} width */
  resize(index, width) {
    const column = this.visible[index];
    if (!column) return;
    this.widths[column.property.number] = Math.round(Math.min(Math.max(width, minimumWidth), maximumWidth));
    this.store();
  }

  /** Hides a visible column; the last one stays. @param {number} index @returns {boolean} */
  hide(index) {
    if (this.visible.length < 2 || !this.visible[index]) return false;
    this.hidden.add(this.visible[index].property.number);
    this.store();
    return true;
  }

  /** @param {number} number @param {boolean} isShown */
  setShown(number, isShown) {
    if (isShown) this.hidden.delete(number);
    else if (this.visible.length > 1) this.hidden.add(number);
    this.store();
  }

  showAll() {
    this.hidden.clear();
    this.store();
  }

  /** Numbers of the visible columns' properties, as the server wants them. */
  get numbers() {
    return this.visible.map(column => column.property.number).join(',');
  }

  /** First and last visible column between two horizontal positions. @returns {[number, number]} */
  between(left, right) {
    const limit = this.visible.length - 1;
    let first = 0;
    while (first < limit && this.visible[first + 1].left <= left) first += 1;
    let last = first;
    while (last < limit && this.visible[last + 1].left < right) last += 1;
    return [first, last];
  }
}
