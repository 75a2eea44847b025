/** The grid's header: names, sort marks, handles for the width, and the list of columns. */
import {button, element, typeText} from '../shared/cells.js';

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
    const cell = element('div', 'grid-title');
    cell.classList.toggle('number', column.isNumeric);
    cell.classList.toggle('current', isCurrent);
    cell.setAttribute('role', 'columnheader');
    cell.setAttribute('aria-colindex', String(index + 1));
    cell.style.left = column.left + 'px';
    cell.style.width = column.width + 'px';
    cell.title = `${property.name}: ${typeText(property)}\nClick sorts, Shift-click adds to the sort`;
    const name = element('span', 'grid-title-name', property.name);
    name.dir = 'auto';
    cell.append(name);
    const place = sort.findIndex(([path]) => path === property.name);
    if (place >= 0) {
      const mark = (sort[place][1] ? '▴' : '▾') + (sort.length > 1 ? place + 1 : '');
      cell.append(element('span', 'grid-title-mark', mark));
    }
    cell.setAttribute('aria-sort', place < 0 ? 'none' : sort[place][1] ? 'ascending' : 'descending');
    const handle = element('span', 'grid-title-handle');
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
  const root = element('div', 'column-list');
  root.append(element('h2', '', 'Columns'));
  for (const property of columns.properties) {
    const label = element('label', 'column-list-row');
    const box = /** @type {HTMLInputElement} */ (element('input'));
    box.type = 'checkbox';
    box.checked = !columns.hidden.has(property.number);
    box.addEventListener('change', () => {
      columns.setShown(property.number, box.checked);
      box.checked = !columns.hidden.has(property.number);
      changed();
    });
    const name = element('span', 'column-list-name', property.name);
    name.dir = 'auto';
    label.append(box, name, element('span', 'faint', typeText(property)));
    root.append(label);
  }
  const row = element('div', 'dialog-buttons');
  const showAll = () => {
    columns.showAll();
    changed();
    done();
  };
  row.append(button('Show all', showAll), button('Close', done, 'primary'));
  root.append(row);
  return root;
}
