/** Which cells are tinted after a change: found by comparing the old rows with the new ones. */
import {isEqual} from '../shared/cells.js';

/** Time for which changed cells are tinted, in milliseconds. */
const duration = 600;

export class Tints {
  /** @param {() => void} ended called when tints have ended */
  constructor(ended) {
    this.ended = ended;
    /** Rows by number as they were before a change. @type {Map<number, any[]>} */
    this.before = new Map();
    /** @type {[number, number][]} */
    this.inserted = [];
    /**
     * Tinted columns by row number; null for all of a new row.
     * @type {Map<number, {columns: Set<number>|null, until: number}>}
     */
    this.tinted = new Map();
  }

  /** Remembers the visible rows before a change. */
  remember(first, last, rowAt, inserted) {
    for (let position = first; position <= last; position++) {
      const row = rowAt(position);
      if (row && !this.before.has(row[0])) this.before.set(row[0], row);
    }
    this.inserted = inserted;
  }

  forget() {
    this.before.clear();
    this.inserted = [];
  }

  /** Tints what differs in the visible rows. @param {boolean} isFresh whether all are as new as the change */
  compare(first, last, rowAt, isFresh) {
    if (!this.before.size && !this.inserted.length) return;
    const until = performance.now() + duration;
    for (let position = first; position <= last; position++) {
      const row = rowAt(position);
      const old = row ? this.before.get(row[0]) : undefined;
      if (!row || old === row) continue;
      if (old) this.tintCells(row, old, until);
      else if (this.isInserted(position)) this.tinted.set(row[0], {columns: null, until});
      else continue;
      this.before.set(row[0], row);
    }
    if (isFresh) this.forget();
    if (this.tinted.size) setTimeout(() => this.end(), duration + 10);
  }

  tintCells(row, old, until) {
    const columns = new Set();
    for (let index = 1; index < row.length; index++) {
      if (!isEqual(row[index], old[index])) columns.add(index - 1);
    }
    if (!columns.size) return;
    const earlier = this.tinted.get(row[0]);
    for (const column of earlier?.columns ?? []) columns.add(column);
    this.tinted.set(row[0], {columns: earlier && !earlier.columns ? null : columns, until});
  }

  isInserted(position) {
    return this.inserted.some(([from, count]) => position >= from && position < from + count);
  }

  end() {
    const now = performance.now();
    const before = this.tinted.size;
    for (const [row, tint] of this.tinted) if (tint.until <= now) this.tinted.delete(row);
    if (this.tinted.size < before) this.ended();
  }

  /** Class names for a cell. @param {number} row its number @param {number} column */
  mark(row, column) {
    const tint = this.tinted.size ? this.tinted.get(row) : undefined;
    if (!tint || (tint.columns && !tint.columns.has(column))) return '';
    return tint.columns ? ' changed' : ' added';
  }
}
