/** The cursor, the block of cells up to its anchor, rows chosen one by one. Columns count visible ones. */
import {moved} from './windows.js';

export class Selection {
  constructor() {
    this.position = 0;
    this.column = 0;
    this.anchorPosition = 0;
    this.anchorColumn = 0;
    /** Positions of rows chosen with Space. @type {Set<number>} */
    this.rows = new Set();
    this.isActive = false;
  }

  clear() {
    this.position = this.anchorPosition = this.column = this.anchorColumn = 0;
    this.rows.clear();
    this.isActive = false;
  }

  /** @param {boolean} extends_ whether the anchor stays */
  moveTo(position, column, extends_ = false) {
    this.position = position;
    this.column = column;
    this.isActive = true;
    if (extends_) return;
    this.anchorPosition = position;
    this.anchorColumn = column;
  }

  /** Selects all cells; the cursor goes to the first. */
  selectAll(lastPosition, lastColumn) {
    this.rows.clear();
    this.moveTo(lastPosition, lastColumn);
    this.moveTo(0, 0, true);
  }

  toggleRow(position) {
    if (!this.rows.delete(position)) this.rows.add(position);
  }

  get top() { return Math.min(this.position, this.anchorPosition); }
  get bottom() { return Math.max(this.position, this.anchorPosition); }
  get left() { return Math.min(this.column, this.anchorColumn); }
  get right() { return Math.max(this.column, this.anchorColumn); }

  /** Whether more than the cell of the cursor is selected. */
  get isBlock() {
    return this.rows.size > 0 || this.position !== this.anchorPosition || this.column !== this.anchorColumn;
  }

  has(position, column) {
    if (!this.isActive) return false;
    if (this.rows.size > 0) return this.rows.has(position);
    return position >= this.top && position <= this.bottom && column >= this.left && column <= this.right;
  }

  /** The selected positions, ascending; at most `limit`. @returns {number[]} */
  positions(limit = Infinity) {
    if (this.rows.size > 0) return [...this.rows].sort((one, other) => one - other).slice(0, limit);
    const length = Math.min(this.bottom - this.top + 1, limit);
    return Array.from({length}, (_, offset) => this.top + offset);
  }

  /** First and last selected column. @param {number} count of columns @returns {[number, number]} */
  columns(count) {
    return this.rows.size > 0 ? [0, count - 1] : [this.left, this.right];
  }

  /** Number of selected rows. */
  get rowCount() { return this.rows.size || this.bottom - this.top + 1; }

  /** Follows a change of the view, within the new count. */
  follow({count, deleted, inserted}) {
    const last = Math.max(count - 1, 0);
    const follow = position => Math.min(moved(position, deleted, inserted) ?? position, last);
    this.position = follow(this.position);
    this.anchorPosition = follow(this.anchorPosition);
    const rows = [...this.rows].map(position => moved(position, deleted, inserted));
    this.rows = new Set(rows.filter(position => position !== null));
    if (count === 0) this.isActive = false;
  }
}

/**
 * Count, sum and mean of the selected numbers, for the status line.
 * @param {Selection} selection @param {import('./columns.js').Columns} columns
 * @param {(position: number) => any[]|undefined} row
 * @returns {{cells: number, numbers: number, sum: number, isComplete: boolean}}
 */
export function totals(selection, columns, row) {
  const [left, right] = selection.columns(columns.visible.length);
  const result = {cells: selection.rowCount * (right - left + 1), numbers: 0, sum: 0, isComplete: true};
  const numeric = [];
  for (let column = left; column <= right; column++) {
    if (columns.visible[column]?.isNumeric) numeric.push(column);
  }
  if (!numeric.length) return result;
  if (selection.rowCount > 10_000) return {...result, isComplete: false};
  for (const position of selection.positions()) {
    const cells = row(position);
    if (!cells) return {...result, isComplete: false};
    for (const column of numeric) {
      const value = cells[column + 1];
      if (value === null || value === undefined) continue;
      result.numbers += 1;
      result.sum += Number(value);
    }
  }
  return result;
}
