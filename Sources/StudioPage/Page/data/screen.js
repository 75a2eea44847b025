/** The data screen: makes views for the state, fills the grid, follows changes. */
import {get, isAborted, post} from '../shared/api.js';
import {condition, joined} from '../shared/cells.js';
import {emptyText, make} from '../shared/elements.js';
import {Columns} from '../grid/columns.js';
import {events} from '../shared/events.js';
import {Grid} from '../grid/grid.js';
import {columnList} from '../grid/header.js';
import {showDialog} from '../frame/mounting.js';
import {QueryLine} from './query.js';
import {navigate, state} from '../shared/state.js';
import {windowSize} from '../grid/windows.js';

/**
 * @typedef {{view: number, count: number, version: number, ms?: number, class: string, filter: string,
 *   sort: [string, boolean][]}} View
 */

export class DataScreen {
  /**
   * @param {{file: () => any, failed: (error: any) => void, open: (event: MouseEvent|null) => void,
   *   menu: (x: number, y: number) => void, selectionChanged: () => void, explain: () => void,
   *   viewChanged: () => void}} delegate
   */
  constructor(delegate) {
    this.delegate = delegate;
    /** @type {View|null} */
    this.view = null;
    this.isPaused = false;
    this.pausedChanges = 0;
    /** @type {Columns|null} */
    this.columns = null;
    this.query = new QueryLine(document.getElementById('query'), {
      run: text => this.run(text),
      leave: () => this.focus(),
      explain: () => this.explain(),
      menu: target => {
        const {left, bottom} = target.getBoundingClientRect();
        delegate.menu(left, bottom + 2);
      },
      className: () => state.current.className,
    });
    this.grid = new Grid(document.getElementById('grid'), {
      sort: (index, adds) => this.sortBy(index, adds),
      cursorMoved: row => this.cursorMoved(row),
      selectionChanged: delegate.selectionChanged,
      open: delegate.open,
      menu: delegate.menu,
      failed: error => this.windowFailed(error),
      countChanged: count => this.countChanged(count),
    });
    events.on('change', change => this.changed(change));
  }

  get description() {
    return this.delegate.file()?.classes.find(one => one.name === state.current.className);
  }

  focus() {
    this.grid.scroller.focus({preventScroll: true});
  }

  /** Whether the view shows what the state says. */
  get isCurrent() {
    const {className, filter, sort} = state.current;
    return this.view !== null && this.view.class === className && this.view.filter === filter
      && JSON.stringify(this.view.sort) === JSON.stringify(sort);
  }

  /** Runs a query that was typed, unless it is on screen or on its way. @param {string} text */
  run(text) {
    if (this.openingFilter === text) return;
    if (this.isCurrent && this.view.filter === text) {
      this.opening?.abort();
      this.openingFilter = null;
      this.query.showResult(this.view);
      return;
    }
    this.open({filter: text, isTyped: true});
  }

  /**
   * Opens the view of the state, or one with another filter, which becomes part of the state if it is valid.
   * @param {{filter?: string, isTyped?: boolean, keeps?: boolean, isSecond?: boolean}} [how] `keeps` the
   *   scroll position; `isSecond` after the server dropped the view at once
   */
  async open({filter = state.current.filter, isTyped = false, keeps = false, isSecond = false} = {}) {
    clearTimeout(this.moving);
    const {className, sort} = state.current;
    this.opening?.abort();
    const {signal} = this.opening = new AbortController();
    /** @type {string|null} */
    this.openingFilter = isTyped ? filter : null;
    if (!isTyped) this.query.show(className, filter);
    try {
      const answer = await post('view', {class: className, filter, sort}, signal);
      const view = {...answer, class: className, filter, sort};
      const position = isTyped || keeps ? null : await this.place(view, signal);
      const columns = this.columnsFor(className);
      const from = Math.floor((position ?? 0) / windowSize) * windowSize;
      const rows = keeps || view.count === 0 ? undefined : (await get(
        `view/${view.view}/rows?from=${from}&count=${windowSize}&columns=${columns.numbers}`, signal)).rows;
      if (signal.aborted) return;
      this.openingFilter = null;
      this.view = view;
      this.columns = columns;
      if (isTyped) navigate({filter, object: null}, {replace: this.isTyping});
      this.isTyping = isTyped;
      this.grid.show(view, columns, sort, {keeps, position, rows, from});
      this.query.showResult(view);
      this.showEmpty();
      this.delegate.viewChanged();
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      this.openingFilter = null;
      if (error.status === 404 && !isSecond) await this.open({filter, isTyped, keeps, isSecond: true});
      else this.openingFailed(error, className, filter);
    }
  }

  openingFailed(error, className, filter) {
    if (error.status !== 422 && error.status !== 408) {
      this.delegate.failed(error);
      return;
    }
    const isSort = this.view?.class === className && this.view.filter === filter && error.status === 422;
    if (isSort && state.current.sort.length) {
      navigate({sort: this.view.sort}, {replace: true});
      this.delegate.failed(error);
      return;
    }
    this.query.showFault({message: error.message, from: error.body.from, to: error.body.to}, filter);
    if (this.view?.class === className) return;
    this.view = null;
    this.columns = this.columnsFor(className);
    this.grid.show({view: 0, count: 0, version: 0}, this.columns, [], {keeps: false});
    const text = 'Correct it above, or show every object.';
    this.showText('The query cannot run.', text, 'Show all', () => this.showAll());
    this.delegate.viewChanged();
  }

  /** The position of the selected object in a view. @returns {Promise<number|null>} */
  async place(view, signal) {
    const {object} = state.current;
    if (!object || object.class !== view.class) return null;
    const query = new URLSearchParams({class: object.class, row: String(object.row)});
    try {
      return (await get(`view/${view.view}/find?${query}`, signal)).position;
    } catch (error) {
      // The server does not look for objects in queries that take long.
      if (error.status === 422) return null;
      throw error;
    }
  }

  columnsFor(className) {
    const file = this.delegate.file();
    const description = file.classes.find(one => one.name === className);
    if (this.columns?.description === description) return this.columns;
    const columns = new Columns(description, file.name);
    columns.description = description;
    return columns;
  }

  /** Explains the query that is typed, which may not have run yet. */
  async explain() {
    const {value} = this.query.input;
    clearTimeout(this.query.timer);
    if (value !== this.view?.filter) await this.open({filter: value, isTyped: true});
    if (value === this.view?.filter) this.delegate.explain();
  }

  showAll() {
    navigate({filter: ''});
    this.focus();
  }

  showEmpty() {
    if (!this.view || this.view.count > 0) this.grid.setEmpty(null);
    else if (this.view.filter.trim()) {
      this.showText('No object matches.', '', 'Show all', () => this.showAll());
    } else {
      this.showText(`${this.view.class} has no objects.`, 'They appear here as soon as a program adds some.');
    }
  }

  showText(title, text, action, run) {
    this.grid.setEmpty(make('div', null, emptyText(title, text, action, run)));
  }

  countChanged(count) {
    if (!this.view) return;
    this.view.count = count;
    this.query.showResult({count, ms: this.view.ms});
    this.showEmpty();
  }

  changed(change) {
    if (change.view !== this.view?.view) return;
    if (this.isPaused) {
      this.pausedChanges += 1;
      return;
    }
    this.view.version = change.version;
    if (change.count === null) {
      this.open({keeps: true});
      return;
    }
    const everything = change.reset ? [[0, change.count]] : [];
    this.grid.follow({deleted: [], inserted: [], ...change, modified: [...change.modified, ...everything]});
  }

  /** A view that the server no longer has is made again. */
  windowFailed(error) {
    if (error.status === 404) this.open({keeps: true});
    else this.delegate.failed(error);
  }

  cursorMoved(row) {
    clearTimeout(this.moving);
    if (row === null) return;
    const object = {class: state.current.className, row};
    this.moving = setTimeout(() => {
      const isShown = this.view?.class === object.class && state.current.className === object.class;
      if (isShown) navigate({object}, {replace: true});
    }, 60);
  }

  /** Selects an object of the class on screen, if the view has it. */
  async select(object) {
    if (!this.view) return;
    const {selection} = this.grid;
    if (selection.isActive && this.grid.rowAt(selection.position)?.[0] === object.row) return;
    try {
      const place = await this.place(this.view);
      if (place !== null) this.grid.moveTo(place, this.grid.selection.column);
    } catch {}
  }

  /**
   * Sorts by a column: ascending, descending, not at all.
   * @param {number} index @param {boolean} adds to the present sort
   */
  sortBy(index, adds) {
    const property = this.columns?.visible[index]?.property;
    if (!property) return;
    const {sort} = state.current;
    const old = sort.find(([path]) => path === property.name);
    const rest = adds ? sort.filter(([path]) => path !== property.name) : [];
    /** @type {[string, boolean][]} */
    const mine = old ? (old[1] ? [[property.name, false]] : []) : [[property.name, true]];
    navigate({sort: [...rest, ...mine]});
  }

  hideColumn() {
    if (!this.columns?.hide(this.grid.selection.column)) return;
    this.grid.columnsChanged(true);
  }

  showColumns() {
    if (!this.columns) return;
    const {columns} = this;
    showDialog(done => columnList(columns, () => this.grid.columnsChanged(true), done));
  }

  /** @param {number} by pixels */
  resizeColumn(by) {
    const column = this.columns?.visible[this.grid.selection.column];
    if (!column) return;
    this.columns.resize(this.grid.selection.column, column.width + by);
    this.grid.columnsChanged(false);
  }

  /**
   * The cell below the cursor.
   * @returns {{property: any, cell: any, row: number, column: number, position: number}|null}
   */
  get current() {
    const {isActive, position, column} = this.grid.selection;
    const row = isActive ? this.grid.rowAt(position) : undefined;
    const property = this.columns?.visible[column]?.property;
    return row && property ? {property, cell: row[column + 1], row: row[0], column, position} : null;
  }

  /** Adds `property == value` to the filter. @param {any} property @param {any} cell @returns {boolean} */
  addFilter(property, cell) {
    const added = condition(property, cell);
    if (added) navigate({filter: joined(state.current.filter, added), screen: 'data'});
    return added !== null;
  }

  /** Stops or resumes the following of changes. */
  pause() {
    this.isPaused = !this.isPaused;
    if (!this.isPaused && this.pausedChanges > 0) this.open({keeps: true});
    this.pausedChanges = 0;
  }
}
