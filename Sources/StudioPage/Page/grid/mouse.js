/** What the mouse does in the grid: choose cells, open them, show exact values, fit a column. */
import {localDate, plain} from '../shared/cells.js';

/** @typedef {import('./grid.js').Grid} Grid */

/** @param {Grid} grid */
export function listenToMouse(grid) {
  grid.scroller.addEventListener('pointerdown', event => pressed(grid, event));
  grid.scroller.addEventListener('pointerover', event => hint(grid, event));
  grid.scroller.addEventListener('contextmenu', event => menu(grid, event));
  grid.scroller.addEventListener('dblclick', event => {
    const place = grid.rows.place(/** @type {Element} */ (event.target));
    if (place) grid.delegate.open(event);
  });
}

/** Shows the menu of a cell or a column; at the cursor for the keyboard. @param {MouseEvent} event */
function menu(grid, event) {
  event.preventDefault();
  const target = /** @type {Element} */ (event.target);
  const title = target.closest('.grid-title');
  const place = grid.rows.place(target);
  if (title) grid.moveTo(grid.selection.position, Number(title.getAttribute('aria-colindex')) - 1);
  else if (place && !grid.selection.has(place[0], place[1])) grid.moveTo(place[0], place[1]);
  const cursor = place || title ? null : grid.cursorCell?.getBoundingClientRect();
  grid.delegate.menu(cursor?.right ?? event.clientX, cursor?.bottom ?? event.clientY);
}

/** Moves the cursor, extends the selection, follows a link with Ctrl. @param {PointerEvent} event */
function pressed(grid, event) {
  const place = grid.rows.place(/** @type {Element} */ (event.target));
  if (!place || event.button !== 0) return;
  grid.selection.rows.clear();
  grid.moveTo(place[0], place[1], event.shiftKey);
  if (event.ctrlKey || event.metaKey) {
    grid.delegate.open(event);
    return;
  }
  const drag = next => {
    const over = document.elementFromPoint(next.clientX, next.clientY);
    const target = over && grid.rows.place(over);
    if (target && (target[0] !== grid.selection.position || target[1] !== grid.selection.column)) {
      grid.moveTo(target[0], target[1], true);
    }
  };
  addEventListener('pointermove', drag);
  addEventListener('pointerup', () => removeEventListener('pointermove', drag), {once: true});
}

/** Gives the cell below the pointer its exact value as a hint. @param {PointerEvent} event */
function hint(grid, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const place = grid.rows.place(target);
  const cell = place && grid.rowAt(place[0])?.[place[1] + 1];
  if (!place || cell === undefined) return;
  const {property} = grid.columns.visible[place[1]];
  const text = plain(cell, property);
  const isDate = property.type === 'date' && localDate(text) !== text;
  target.title = isDate || target.scrollWidth > target.clientWidth ? text : '';
}

/** Makes a column as wide as its visible values need. @param {Grid} grid @param {number} index */
export function fit(grid, index) {
  const [first, last] = grid.visible;
  let width = grid.columns.visible[index].property.name.length * 8 + 32;
  for (let position = first; position <= last; position++) {
    const cell = grid.rows.cell(position, index);
    if (!cell) continue;
    const range = document.createRange();
    range.selectNodeContents(cell);
    width = Math.max(width, Math.min(range.getBoundingClientRect().width + 20, 600));
  }
  grid.columns.resize(index, width);
  grid.columnsChanged(false);
}
