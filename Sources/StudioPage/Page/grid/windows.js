/**
 * Rows of a view in windows of 200, of which the 50 used last are kept. Requests that were scrolled past are
 * aborted. After a change, old rows stay visible at their new positions until the new ones arrive.
 */
import {get, isAborted} from '../shared/api.js';

export const windowSize = 200;
const maximumKept = 50;
/** Time within which the event of a change follows, in milliseconds. */
const eventTime = 150;

/** @typedef {[number, ...any[]]} Row row number and cells */
/** @typedef {[number, number][]} Ranges first position and count of each, ascending */

/**
 * Returns the position after a change, or null when the row was deleted.
 * @param {number} position @param {Ranges} deleted before the change @param {Ranges} inserted after it
 */
export function moved(position, deleted, inserted) {
  let result = position;
  for (const [from, count] of deleted) {
    if (from > position) break;
    if (position < from + count) return null;
    result -= count;
  }
  for (const [from, count] of inserted) {
    if (from > result) break;
    result += count;
  }
  return result;
}

export class Windows {
  /**
   * @param {{arrived: (index: number, answer: any) => void, failed: (error: any) => void}} delegate
   */
  constructor(delegate) {
    this.delegate = delegate;
    /** @type {Map<number, {rows: Row[], version: number, isStale: boolean}>} least recently used first */
    this.kept = new Map();
    /** @type {Map<number, AbortController>} */
    this.loading = new Map();
    this.view = 0;
    this.count = 0;
    this.columns = '';
    /** Version after the last change that was followed. */
    this.version = 0;
  }

  /** Begins with another view or other columns; `keeps` old rows until new ones arrive. */
  begin(view, count, columns, keeps = false) {
    this.abort();
    this.view = view;
    this.count = count;
    if (keeps && columns === this.columns) this.markStale();
    else this.kept.clear();
    this.columns = columns;
  }

  /** Takes rows that were loaded together with the view. @param {number} from @param {Row[]} rows */
  put(from, rows) {
    this.kept.set(Math.floor(from / windowSize), {rows, version: this.version, isStale: false});
  }

  /** Whether everything between two positions is there, and as new as the last change. */
  isFresh(first, last) {
    for (let index = Math.floor(first / windowSize); index <= Math.floor(last / windowSize); index++) {
      if (this.kept.get(index)?.isStale !== false) return false;
    }
    return true;
  }

  /** @param {number} position @returns {Row|undefined} */
  row(position) {
    return this.kept.get(Math.floor(position / windowSize))?.rows[position % windowSize];
  }

  /** Loads what is missing between two positions, then the next window in the direction of movement. */
  need(first, last, direction) {
    if (this.count === 0 || !this.view) return;
    const limit = Math.floor((this.count - 1) / windowSize);
    const from = Math.floor(first / windowSize);
    const to = Math.min(Math.floor(last / windowSize), limit);
    const next = direction < 0 ? from - 1 : to + 1;
    for (const [index, controller] of this.loading) {
      if (index >= Math.min(from, next) && index <= Math.max(to, next)) continue;
      controller.abort();
      this.loading.delete(index);
    }
    let isComplete = true;
    for (let index = from; index <= to; index++) {
      const window = this.kept.get(index);
      if (window) {
        this.kept.delete(index);
        this.kept.set(index, window);
      }
      if (window && !window.isStale) continue;
      isComplete = false;
      if (!this.loading.has(index)) this.load(index);
    }
    if (isComplete && next >= 0 && next <= limit && !this.loading.has(next)) {
      const window = this.kept.get(next);
      if (!window || window.isStale) this.load(next);
    }
  }

  /** @param {number} index */
  async load(index) {
    const controller = new AbortController();
    this.loading.set(index, controller);
    const from = index * windowSize;
    const path = `view/${this.view}/rows?from=${from}&count=${windowSize}&columns=${this.columns}`;
    try {
      const answer = await get(path, controller.signal);
      const isAhead = answer.version > this.version && answer.count !== this.count;
      // The event that says which positions have moved is on its way.
      if (isAhead) await new Promise(resolve => setTimeout(resolve, eventTime));
      if (controller.signal.aborted) return;
      this.loading.delete(index);
      this.kept.delete(index);
      const {rows, version} = answer;
      this.kept.set(index, {rows, version, isStale: version < this.version});
      for (const oldest of this.kept.keys()) {
        if (this.kept.size <= maximumKept) break;
        this.kept.delete(oldest);
      }
      this.delegate.arrived(index, answer);
    } catch (error) {
      if (this.loading.get(index) === controller) this.loading.delete(index);
      if (!isAborted(error)) this.delegate.failed(error);
    }
  }

  /**
   * Follows a change of the view. Rows near `first`…`last` move to their new positions. Requests under way
   * go on when no position has changed, so that a table that changes all the time is drawn at all.
   * @param {{version: number, count: number, deleted: Ranges, inserted: Ranges, modified: Ranges}} change
   */
  follow(change, first, last) {
    this.count = change.count;
    this.version = change.version;
    if (change.deleted.length || change.inserted.length) {
      this.abort();
      this.moveRows(change, first, last);
    }
    for (const [from, count] of change.modified) this.markStale(from, from + count - 1);
  }

  /** Windows that were loaded after the change stay. */
  moveRows({version, deleted, inserted}, first, last) {
    const old = this.kept;
    this.kept = new Map([...old].filter(([, window]) => window.version >= version));
    const from = Math.max(0, Math.floor(first / windowSize) - 1);
    const to = Math.floor(last / windowSize) + 1;
    for (let index = from; index <= to; index++) {
      if (this.kept.has(index) && old.get(index) === this.kept.get(index)) continue;
      old.get(index)?.rows.forEach((row, offset) => {
        const position = moved(index * windowSize + offset, deleted, inserted);
        if (position === null) return;
        const target = Math.floor(position / windowSize);
        if (!this.kept.has(target)) this.kept.set(target, {rows: [], version: 0, isStale: true});
        const window = this.kept.get(target);
        if (window.isStale) window.rows[position % windowSize] = row;
      });
    }
  }

  /** Keeps rows visible but loads them again when they are needed. */
  markStale(from = 0, to = Infinity) {
    for (const [index, window] of this.kept) {
      if (index * windowSize <= to && (index + 1) * windowSize > from) window.isStale = true;
    }
  }

  abort() {
    for (const controller of this.loading.values()) controller.abort();
    this.loading.clear();
  }
}
