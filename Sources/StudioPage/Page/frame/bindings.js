/** The keys of the page and what they do. */
import {count, linkOf} from '../shared/cells.js';
import {copySelection, selectedRows} from '../grid/copying.js';
import {rowHeight} from '../grid/rows.js';
import {navigate, state} from '../shared/state.js';

/** @typedef {import('./keys.js').Binding} Binding */

/**
 * Makes a binding.
 * @param {string} keys separated by commas @param {string} group @param {string} text
 * @param {() => boolean} when @param {(event: KeyboardEvent) => void} run @param {boolean} isInMenu
 * @returns {Binding}
 */
const binding = (keys, group, text, when, run, isInMenu = false) =>
  ({keys: keys.split(','), group, text, when, run, isInMenu});

const maximumDeleted = 10_000;
const always = () => true;
const isData = () => state.current.screen === 'data';

/** @param {any} actions of main.js @returns {Binding[]} */
export function bindingsOf(actions) {
  const inGrid = () => document.activeElement === actions.data.grid.scroller;
  return [
    ...moving(() => actions.data.grid, inGrid), ...going(actions, inGrid), ...viewing(actions, inGrid),
    ...selecting(actions, inGrid), ...(actions.file.writable ? writing(actions, inGrid) : []),
  ];
}

/** @param {() => import('../grid/grid.js').Grid} grid @returns {Binding[]} */
function moving(grid, inGrid) {
  const page = () => Math.max(Math.floor(grid().scrolling.body / rowHeight) - 1, 1);
  const last = () => grid().count - 1;
  const lastColumn = () => grid().columns.visible.length - 1;
  const same = value => value;

  /** Moves the cursor; an arrow puts it at the first visible cell when there is none. */
  const move = (position, column) => event => {
    const {selection, visible} = grid();
    if (!selection.isActive && event.key.startsWith('Arrow')) grid().moveTo(visible[0], 0);
    else grid().moveTo(position(selection.position), column(selection.column), event.shiftKey);
  };
  const step = (key, text, position, column = same) => {
    const shifted = key.startsWith('Ctrl-') ? key.replace('Ctrl-', 'Ctrl-Shift-') : 'Shift-' + key;
    return binding(`${key},${shifted}`, 'Move', text, inGrid, move(position, column));
  };
  return [
    step('ArrowUp', 'one row up; Shift extends the selection', position => position - 1),
    step('ArrowDown', 'one row down', position => position + 1),
    step('ArrowLeft', 'one column left', same, column => column - 1),
    step('ArrowRight', 'one column right', same, column => column + 1),
    step('PageUp', 'one page up', position => position - page()),
    step('PageDown', 'one page down', position => position + page()),
    step('Home', 'first row', () => 0),
    step('End', 'last row', last),
    step('Ctrl-Home', 'first cell', () => 0, () => 0),
    step('Ctrl-End', 'last cell', last, lastColumn),
    step('Ctrl-ArrowLeft', 'first column', same, () => 0),
    step('Ctrl-ArrowRight', 'last column', same, lastColumn),
  ];
}

/** @returns {Binding[]} */
function going(actions, inGrid) {
  const openLink = () => {
    const link = linkOf(actions.data.current?.cell);
    if (link) actions.follow(link);
  };
  const toData = () => {
    navigate({screen: 'data'});
    actions.data.focus();
  };
  const toInspector = () => {
    actions.toggleInspector(true);
    actions.inspector.focus();
  };
  return [
    binding('g c', 'Go', 'class list', always, () => actions.classes.focus()),
    binding('g d', 'Go', 'data', always, toData),
    binding('g s', 'Go', 'schema', always, () => navigate({screen: 'schema'})),
    binding('g f', 'Go', 'file', always, () => navigate({screen: 'file'})),
    binding('g i', 'Go', 'inspector', isData, toInspector),
    binding('i', 'Go', 'show or hide the inspector', isData, () => actions.toggleInspector()),
    binding('/', 'Go', 'query', isData, () => actions.data.query.focus()),
    binding('Enter', 'Go', 'open the link or edit the cell', inGrid, () => actions.openCell(null)),
    binding('o', 'Go', 'open the link', inGrid, openLink, true),
    binding('Backspace', 'Go', 'return over the link', isData, () => actions.back()),
    {...binding('Escape', 'Go', 'one step back', always, () => actions.escape()), always: true},
    binding('?', 'Go', 'these keys', always, () => actions.showKeys()),
  ];
}

/** @returns {Binding[]} */
function viewing(actions, inGrid) {
  const {data, context} = actions;
  const column = () => data.grid.selection.column;
  const property = () => data.grid.columns?.visible[column()]?.property;
  const filter = () => {
    const {current} = data;
    const isAdded = !current || data.addFilter(current.property, current.cell);
    if (!isAdded) context.notify('A query cannot compare this value.');
  };
  const group = () => actions.panel('panels/groups', {property: property()});
  const summary = () => {
    if (property()) actions.panel('panels/summary', {property: property()});
  };
  const resize = event => data.resizeColumn(event.key === '<' ? -16 : 16);
  return [
    binding('s', 'View', 'sort by the column', inGrid, () => data.sortBy(column(), false), true),
    binding('S', 'View', 'add the column to the sort', inGrid, () => data.sortBy(column(), true)),
    binding('f', 'View', 'filter by the value of the cell', inGrid, filter, true),
    binding('h', 'View', 'hide the column', inGrid, () => data.hideColumn(), true),
    binding('c', 'View', 'choose columns', isData, () => data.showColumns(), true),
    binding('<,>', 'View', 'narrower, wider column', inGrid, resize),
    binding('=', 'View', 'summary of the column', inGrid, summary, true),
    binding('a', 'View', 'group and draw the view', isData, group, true),
    binding('Alt-Enter', 'View', 'explain the query', isData, () => actions.explain(), true),
    binding('p', 'View', 'pause or resume live changes', always, () => actions.togglePause()),
  ];
}

/** @returns {Binding[]} */
function selecting(actions, inGrid) {
  const {data, context} = actions;
  const toggleRow = () => data.grid.select(selection => {
    if (selection.isActive) selection.toggleRow(selection.position);
  });
  const selectAll = () => data.grid.select(selection => {
    selection.selectAll(data.grid.count - 1, data.grid.columns.visible.length - 1);
  });
  const copy = format => () => copySelection(data, format, context.notify);
  return [
    binding('Space', 'Select', 'select the row', inGrid, toggleRow, true),
    binding('Ctrl-a', 'Select', 'select everything', inGrid, selectAll),
    binding('Ctrl-c', 'Select', 'copy', inGrid, copy('tsv'), true),
    binding('Alt-c', 'Select', 'copy as JSON', inGrid, copy('json'), true),
    binding('e', 'Select', 'export the view', isData, () => actions.panel('panels/export', {}), true),
  ];
}

/** @returns {Binding[]} */
function writing(actions, inGrid) {
  const {data, context, call} = actions;
  const className = () => state.current.className;
  const deleteSelected = async () => {
    const {selection} = data.grid;
    if (!selection.isActive) return;
    if (selection.rowCount > maximumDeleted) {
      context.notify(`At most ${count(maximumDeleted)} objects are deleted at once.`, 'error');
      return;
    }
    const rows = await selectedRows(data);
    call('edit/objects', 'deleteObjects', context, className(), rows.map(row => row[0]));
  };
  const create = () => call('edit/objects', 'createObject', context, className());
  return [
    binding('F2', 'Edit', 'edit the cell', inGrid, () => actions.editCell(), true),
    binding('n', 'Edit', 'new object', inGrid, create, true),
    binding('Delete', 'Edit', 'delete the selected objects', inGrid, deleteSelected, true),
    binding('Ctrl-v', 'Edit', 'paste, with a preview', () => false, () => {}),
    binding('Ctrl-z', 'Edit', 'undo', always, () => call('edit/transactions', 'undo', context), true),
    binding('Ctrl-Shift-z,Ctrl-y', 'Edit', 'redo', always, () => call('edit/transactions', 'redo', context),
      true),
  ];
}
