/** The table of a view: elements for the visible rows only, a cursor, a selection, live changes. */
import {make} from '../shared/elements.js';
import {fit, listenToMouse} from './mouse.js';
import {Header} from './header.js';
import {Rows, rowHeight} from './rows.js';
import {Scrolling} from './scrolling.js';
import {Selection} from './selection.js';
import {Tints} from './tints.js';
import {moved, Windows, windowSize} from './windows.js';

const headerHeight = 28;
/** Time for which old rows stay after a jump, in milliseconds. */
const holdTime = 100;

/**
 * @typedef {Object} GridDelegate
 * @property {(index: number, adds: boolean) => void} sort
 * @property {(row: number|null) => void} cursorMoved
 * @property {() => void} selectionChanged
 * @property {(event: MouseEvent|null) => void} open
 * @property {(x: number, y: number) => void} menu
 * @property {(error: any) => void} failed
 * @property {(count: number) => void} countChanged
 */

export class Grid {
  /** @param {HTMLElement} root @param {GridDelegate} delegate */
  constructor(root, delegate) {
    this.delegate = delegate;
    this.root = root;
    this.scroller = make('div', {class: 'grid-scroller'});
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute('role', 'grid');
    this.scroller.setAttribute('aria-multiselectable', 'true');
    this.canvas = make('div', {class: 'grid-canvas'});
    this.layerFrame = make('div', {class: 'grid-layer-frame'});
    const layer = make('div', {class: 'grid-layer'});
    layer.setAttribute('role', 'rowgroup');
    this.layerFrame.append(layer);
    const header = make('div');
    this.canvas.append(header, this.layerFrame);
    this.scroller.append(this.canvas);
    this.emptyText = make('div', {class: 'grid-empty'});
    this.emptyText.hidden = true;
    root.append(this.scroller, this.emptyText);

    this.header = new Header(header, {
      sort: delegate.sort, resized: () => this.columnsChanged(false), fit: index => fit(this, index),
    });
    this.rows = new Rows(layer);
    this.selection = new Selection();
    this.windows = new Windows({
      arrived: (index, answer) => this.arrived(index, answer), failed: error => this.windowFailed(error),
    });
    this.scrolling = new Scrolling(this.scroller, () => this.draw());
    this.tints = new Tints(() => this.redraw());
    this.count = 0;
    this.drawnTime = 0;
    /** Visible part whose rows were requested. @type {{first: number, offset: number, last: number}|null} */
    this.awaited = null;
    /** @type {HTMLElement|null} */
    this.cursorCell = null;
    /** @type {import('./columns.js').Columns|null} */
    this.columns = null;
    /** @type {[string, boolean][]} */
    this.sort = [];
    new ResizeObserver(() => this.layout()).observe(this.scroller);
    this.scroller.addEventListener('focus', () => this.redraw());
    listenToMouse(this);
  }

  /**
   * Shows a view. `keeps` leaves the scroll position and the rows until the new ones arrive; otherwise
   * `position` is selected and visible, or the first row visible when it is null.
   * @param {{view: number, count: number, version: number}} view
   * @param {import('./columns.js').Columns} columns @param {[string, boolean][]} sort
   * @param {{keeps: boolean, position?: number|null, rows?: any[], from?: number}} how and loaded rows
   */
  show(view, columns, sort, {keeps, position = null, rows, from = 0}) {
    const isSame = this.columns === columns;
    const column = isSame ? this.selection.column : 0;
    const wasInUse = isSame && this.selection.isActive && document.activeElement === this.scroller;
    Object.assign(this, {columns, sort, count: view.count});
    this.awaited = null;
    this.tints.forget();
    this.windows.version = view.version ?? 0;
    this.windows.begin(view.view, view.count, columns.numbers, keeps);
    if (rows) this.windows.put(from, rows);
    if (!keeps) {
      this.selection.clear();
      this.scrolling.offset = 0;
      if (!isSame) this.scroller.scrollLeft = 0;
    } else if (this.selection.position >= this.count) {
      this.selection.clear();
    }
    this.rows.arrange(0, columns, [0, -1], true);
    this.layout();
    const target = position ?? (wasInUse ? 0 : null);
    if (!keeps && target !== null) this.moveTo(target, column);
    this.delegate.selectionChanged();
  }

  /** Shows a text instead of rows, or the rows again. @param {Node|null} content */
  setEmpty(content) {
    this.emptyText.hidden = content === null;
    this.emptyText.replaceChildren(...(content ? [content] : []));
  }

  /** Follows new widths or other columns. @param {boolean} isOther whether other columns are visible */
  columnsChanged(isOther) {
    if (isOther) {
      this.drawnTime = 0;
      this.awaited = null;
      const {position, column} = this.selection;
      this.selection.moveTo(position, Math.min(column, this.columns.visible.length - 1));
      this.windows.begin(this.windows.view, this.count, this.columns.numbers);
    }
    this.rows.arrange(0, this.columns, [0, -1], true);
    this.layout();
    this.delegate.selectionChanged();
  }

  /** Measures the visible part and draws everything. */
  layout() {
    if (!this.columns) return;
    const body = Math.max(this.scroller.clientHeight - headerHeight, 0);
    this.scrolling.resize(this.count * rowHeight, body);
    this.canvas.style.height = headerHeight + Math.max(this.scrolling.spacer, body) + 'px';
    this.canvas.style.width = this.columns.total + 'px';
    this.layerFrame.style.height = body + 'px';
    this.scroller.setAttribute('aria-rowcount', String(this.count + 1));
    this.scroller.setAttribute('aria-colcount', String(this.columns.visible.length));
    this.scrolling.correct();
    this.header.draw(this.columns, this.sort, this.selection.isActive ? this.selection.column : -1);
    this.redraw();
  }

  redraw() {
    this.rows.forget();
    this.draw();
  }

  /** First and last visible position. @returns {[number, number]} */
  get visible() {
    const first = Math.floor(this.scrolling.offset / rowHeight);
    const last = Math.ceil((this.scrolling.offset + this.scrolling.body) / rowHeight) - 1;
    return [first, Math.min(last, this.count - 1)];
  }

  /**
   * Draws what is visible. After a jump to rows that are not here, the old ones stay for up to 100 ms until
   * the new ones arrive: a thumb that is dragged shows rows all the time.
   */
  draw() {
    if (!this.columns) return;
    const {scrollLeft, clientWidth} = this.scroller;
    const range = this.columns.between(scrollLeft, scrollLeft + clientWidth);
    this.rows.arrange(this.scrolling.body, this.columns, range);
    const {offset, direction} = this.scrolling;
    const [first, last] = this.visible;
    const isBlank = last >= first && !this.rowAt(first) && !this.rowAt(last);
    const now = performance.now();
    if (!isBlank) {
      this.drawnTime = now;
      this.awaited = null;
    }
    if (!this.awaited) this.windows.need(first, last, direction);
    if (isBlank) this.awaited ??= {first, last, offset};
    clearTimeout(this.holding);
    if (isBlank && now - this.drawnTime < holdTime) this.holding = setTimeout(() => this.draw(), holdTime);
    else this.drawAt(first, last, offset);
  }

  /** @param {number} offset of the visible part, in pixels */
  drawAt(first, last, offset) {
    this.rows.draw(first, last, offset, this.rowAt, this.mark);
    const {isActive, position, column} = this.selection;
    const cell = isActive ? this.rows.cell(position, column) : null;
    if (cell === this.cursorCell && cell?.id) return;
    this.cursorCell?.removeAttribute('id');
    this.cursorCell = cell;
    if (cell) cell.id = 'grid-cursor';
    if (cell) this.scroller.setAttribute('aria-activedescendant', 'grid-cursor');
    else this.scroller.removeAttribute('aria-activedescendant');
  }

  rowAt = position => this.windows.row(position);

  /** Class names for selection and tints of a cell. */
  mark = (position, column, row) => {
    const {selection} = this;
    let names = '';
    const {isBlock} = selection;
    if (selection.isActive && selection.position === position) {
      if (selection.column === column) names += ' cursor';
      else if (!isBlock) names += ' cursor-row';
    }
    if (isBlock && selection.has(position, column)) names += ' chosen';
    return row ? names + this.tints.mark(row[0], column) : names;
  };

  /** @param {number} index of a window @param {any} answer whose rows the windows have taken */
  arrived(index, answer) {
    if (answer.count !== this.count && answer.version >= this.windows.version) {
      this.count = this.windows.count = answer.count;
      this.delegate.countChanged(answer.count);
      this.layout();
    }
    const [first, last] = this.visible;
    this.tints.compare(first, last, this.rowAt, this.windows.isFresh(first, last));
    const {awaited} = this;
    const isVisible = position => position >= index * windowSize && position < (index + 1) * windowSize;
    if (!awaited && !isVisible(first) && !isVisible(last)) {
      this.draw();
      return;
    }
    if (awaited && this.rowAt(Math.min(awaited.first, this.count - 1))) {
      this.awaited = null;
      this.drawnTime = performance.now();
      this.rows.forget();
      if (awaited.offset !== this.scrolling.offset) this.drawAt(awaited.first, awaited.last, awaited.offset);
    }
    this.redraw();
    if (this.selection.isActive && this.rowAt(this.selection.position)) this.cursorChanged();
    if (this.selection.isBlock) this.delegate.selectionChanged();
  }

  windowFailed(error) {
    this.awaited = null;
    this.delegate.failed(error);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.draw(), 1000);
  }

  /** Follows an event of the view: rows keep their place on the screen, and new values are loaded. */
  follow(change) {
    const [first, last] = this.visible;
    this.tints.remember(first, last, this.rowAt, change.inserted);
    const anchor = moved(first, change.deleted, change.inserted);
    const isAtTop = this.scrolling.offset === 0;
    this.awaited = null;
    this.windows.follow(change, first, last);
    this.count = change.count;
    this.selection.follow(change);
    this.delegate.countChanged(change.count);
    const offset = this.scrolling.offset;
    this.layout();
    if (anchor !== null && anchor !== first && !isAtTop) {
      this.scrolling.moveTo(offset + (anchor - first) * rowHeight);
      this.redraw();
    }
    this.delegate.selectionChanged();
  }

  /** Moves the cursor, keeps it visible, and tells the delegate. */
  moveTo(position, column, extend = false) {
    if (this.count === 0) return;
    const target = Math.min(Math.max(position, 0), this.count - 1);
    const index = Math.min(Math.max(column, 0), this.columns.visible.length - 1);
    const isOtherColumn = index !== this.selection.column || !this.selection.isActive;
    this.selection.moveTo(target, index, extend);
    this.reveal(target, index);
    if (isOtherColumn) this.header.draw(this.columns, this.sort, index);
    this.redraw();
    this.delegate.selectionChanged();
    this.cursorChanged();
  }

  cursorChanged() {
    this.delegate.cursorMoved(this.rowAt(this.selection.position)?.[0] ?? null);
  }

  /** Scrolls as little as makes a cell visible, or to the middle when it was far away. */
  reveal(position, column) {
    const {offset, body} = this.scrolling;
    const top = position * rowHeight;
    if (top < offset) this.scrolling.moveTo(offset - top > body ? top - body / 2 : top);
    else if (top + rowHeight > offset + body) {
      this.scrolling.moveTo(top - offset > 2 * body ? top - body / 2 : top + rowHeight - body);
    }
    const {left, width} = this.columns.visible[column];
    const {scrollLeft, clientWidth} = this.scroller;
    if (left < scrollLeft) this.scroller.scrollLeft = left;
    else if (left + width > scrollLeft + clientWidth) {
      this.scroller.scrollLeft = Math.min(left, left + width - clientWidth);
    }
  }

  /** Changes which cells are selected. @param {(selection: Selection) => void} change */
  select(change) {
    if (this.count > 0) change(this.selection);
    this.redraw();
    this.delegate.selectionChanged();
  }
}
