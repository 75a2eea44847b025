/** Copies the selected cells: as TSV for spreadsheets, or as JSON. */
import {get, objectPath} from '../shared/api.js';
import {count, plain, several} from '../shared/cells.js';

const maximumRows = 20_000;
/** Maximum number of long texts that are loaded for a copy. */
const maximumTexts = 500;

/** @typedef {import('../data/screen.js').DataScreen} DataScreen */

/** Returns the rows of the selection; loads what the grid does not have. @param {DataScreen} data */
export async function selectedRows(data) {
  const {grid, view, columns} = data;
  const positions = grid.selection.positions(maximumRows);
  const found = new Map();
  for (const position of positions) {
    const row = grid.rowAt(position);
    if (row) found.set(position, row);
  }
  for (const position of positions) {
    if (found.has(position)) continue;
    const from = position;
    const answer = await get(`view/${view.view}/rows?from=${from}&count=500&columns=${columns.numbers}`);
    answer.rows.forEach((row, offset) => found.set(from + offset, row));
    if (!answer.rows.length) break;
  }
  return positions.map(position => found.get(position)).filter(Boolean);
}

/** @param {DataScreen} data */
function selectedColumns({grid: {selection}, columns}) {
  const [left, right] = selection.columns(columns.visible.length);
  const chosen = columns.visible.slice(left, right + 1);
  return chosen.map((column, offset) => ({property: column.property, index: left + offset + 1}));
}

/** The rows with whole texts instead of beginnings. @param {any[][]} rows @param {string} className */
async function wholeTexts(rows, columns, className) {
  const cut = [];
  rows.forEach((row, place) => {
    for (const {property, index} of columns) {
      if (typeof row[index]?.text === 'string') cut.push({place, property, index});
    }
  });
  if (cut.length > maximumTexts) {
    throw new Error(`${count(cut.length)} texts are too long; export them with e.`);
  }
  const result = cut.length ? rows.map(row => [...row]) : rows;
  for (const {place, property, index} of cut) {
    result[place][index] = (await get(`${objectPath(className, rows[place][0])}/${property.number}`)).text;
  }
  return result;
}

/** @param {string} text a field of TSV, in quotes where it needs them */
const field = text => /[\t\n\r"]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;

/**
 * Copies the selection.
 * @param {DataScreen} data @param {'tsv'|'json'} format @param {(text: string, kind?: string) => void} notify
 */
export async function copySelection(data, format, notify) {
  const {selection} = data.grid;
  if (!data.view || !selection.isActive) return;
  try {
    const columns = selectedColumns(data);
    const rows = await wholeTexts(await selectedRows(data), columns, data.view.class);
    const line = row => columns.map(({property, index}) => field(plain(row[index], property))).join('\t');
    const object = row => Object.fromEntries(columns.map(({property, index}) => [property.name, row[index]]));
    const text = format === 'tsv' ? rows.map(line).join('\n') : JSON.stringify(rows.map(object), null, 2);
    await navigator.clipboard.writeText(text);
    const left = selection.rowCount - rows.length;
    const note = left > 0 ? ` The other ${count(left)} are too many to copy: export them with e.` : '';
    notify(`Copied ${several(rows.length, 'row')}${format === 'json' ? ' as JSON' : ''}.${note}`);
  } catch (error) {
    notify(`Copying failed: ${error.message}`, 'error');
  }
}
