/** The grid's header: names, sort marks, handles for the width, and the list of columns. */
import {typeText} from '../shared/cells.js';
import {button, make} from '../shared/elements.js';

export class Header {
  /**
   * @param {HTMLElement} root
   * @param {{sort: (index: number, adds: boolean) => void, resized: () => void,
   *   fit: (index: number) => void}} delegate
   */
  constructor(root, delegate) {
    this.root = root;
    this.delegate = delegate;
    root.className = 'grid-header';
    root.setAttribute('role', 'row');
    root.setAttribute('aria-rowindex', '1');
  }

  /** @param {import('./columns.js').Columns} columns @param {[string, boolean][]} sort */
  draw(columns, sort, cursorColumn) {
    this.columns = columns;
    const cell = (column, index) => this.cell(column, index, sort, index === cursorColumn);
    const cells = columns.visible.map(cell);
    this.root.replaceChildren(...cells);
  }

  cell(column, index, sort, isCurrent) {
    const {property} = column;
    const cell = make('div', {class: 'grid-title'});
    cell.classList.toggle('number', column.isNumeric);
    cell.classList.toggle('current', isCurrent);
    cell.setAttribute('role', 'columnheader');
    cell.setAttribute('aria-colindex', String(index + 1));
    cell.style.left = column.left + 'px';
    cell.style.width = column.width + 'px';
    cell.title = `${property.name}: ${typeText(property)}\nClick sorts, Shift-click adds to the sort`;
    const name = make('span', {class: 'grid-title-name'}, property.name);
    name.dir = 'auto';
    cell.append(name);
    const place = sort.findIndex(([path]) => path === property.name);
    if (place >= 0) {
      const mark = (sort[place][1] ? '▴' : '▾') + (sort.length > 1 ? place + 1 : '');
      cell.append(make('span', {class: 'grid-title-mark'}, mark));
    }
    cell.setAttribute('aria-sort', place < 0 ? 'none' : sort[place][1] ? 'ascending' : 'descending');
    const handle = make('span', {class: 'grid-title-handle'});
    handle.addEventListener('pointerdown', event => this.drag(event, index, handle));
    handle.addEventListener('click', event => event.stopPropagation());
    handle.addEventListener('dblclick', event => {
      event.stopPropagation();
      this.delegate.fit(index);
    });
    cell.append(handle);
    cell.addEventListener('click', event => this.delegate.sort(index, event.shiftKey));
    return cell;
  }

  /** @param {PointerEvent} event @param {number} index @param {HTMLElement} handle */
  drag(event, index, handle) {
    if (event.button !== 0) return;
    event.preventDefault();
    const start = event.clientX;
    const width = this.columns.visible[index].width;
    const move = next => {
      this.columns.resize(index, width + next.clientX - start);
      this.delegate.resized();
    };
    const end = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    handle.focus();
  }
}

/**
 * The list of columns, to show and hide them.
 * @param {import('./columns.js').Columns} columns @param {() => void} changed @param {() => void} done
 */
export function columnList(columns, changed, done) {
  const root = make('div', {class: 'column-list'});
  root.append(make('h2', null, 'Columns'));
  for (const property of columns.properties) {
    const label = make('label', {class: 'column-list-row'});
    const box = /** @type {HTMLInputElement} */ (make('input'));
    box.type = 'checkbox';
    box.checked = !columns.hidden.has(property.number);
    box.addEventListener('change', () => {
      columns.setShown(property.number, box.checked);
      box.checked = !columns.hidden.has(property.number);
      changed();
    });
    const name = make('span', {class: 'column-list-name'}, property.name);
    name.dir = 'auto';
    label.append(box, name, make('span', {class: 'faint'}, typeText(property)));
    root.append(label);
  }
  const row = make('div', {class: 'dialog-buttons'});
  const showAll = () => {
    columns.showAll();
    changed();
    done();
  };
  row.append(button('Show all', showAll), button('Close', done, {class: 'primary'}));
  root.append(row);
  return root;
}
