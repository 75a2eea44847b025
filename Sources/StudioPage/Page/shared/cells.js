/** Cells of the server as text and as elements. Values are foreign text: they become text nodes only. */

/**
 * @typedef {Object} Property
 * @property {number} number
 * @property {string} name
 * @property {string} type
 * @property {'none'|'list'|'set'|'map'} collection
 * @property {boolean} optional
 * @property {string|null} target
 *
 * @typedef {Object} Shown what a cell looks like
 * @property {string} text
 * @property {string} kind class name in the style sheet
 */

const grouped = new Intl.NumberFormat('en-US');
const numeric = new Set(['int', 'float', 'double', 'decimal128']);
export const collectionNames = {list: 'List', set: 'Set', map: 'Map', dictionary: 'Dictionary'};

/** @param {number} number @returns {string} with commas between thousands */
export const count = number => grouped.format(number);

const decimals = new Intl.NumberFormat('en-US', {maximumFractionDigits: 6});

/**
 * A number with commas between thousands; large ones come as texts of digits.
 * @param {number|string|null} value
 */
export const number = value => typeof value === 'number' ? decimals.format(value)
  : /^-?\d+$/.test(value ?? '') ? BigInt(value).toLocaleString('en-US') : String(value ?? '');

/**
 * A number with its noun, as in "1 object" or "1,000 objects".
 * @param {number} count @param {string} one @param {string} [many]
 */
export const several = (count, one, many = one + 's') => `${number(count)} ${count === 1 ? one : many}`;

/** @param {number} bytes @returns {string} */
export function size(bytes) {
  if (bytes < 1000) return several(Math.round(bytes * 10) / 10, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Whether a property holds single numbers. @param {Property} property */
export const isNumeric = property => property.collection === 'none' && numeric.has(property.type);

const typeNames = {
  int: 'Int', bool: 'Bool', string: 'String', data: 'Data', date: 'Date', float: 'Float', double: 'Double',
  mixed: 'AnyRealmValue', objectId: 'ObjectId', decimal128: 'Decimal128', uuid: 'UUID',
};

/** The type of a property as Swift writes it. @param {Property} property */
export function typeText(property) {
  const single = (property.target ?? typeNames[property.type] ?? property.type)
    + (property.optional ? '?' : '');
  switch (property.collection) {
    case 'list': return `List<${single}>`;
    case 'set': return `MutableSet<${single}>`;
    case 'map': return `Map<String, ${single}>`;
    default: return single;
  }
}

/** A date of the server in local time, without a time of day at midnight. @param {string} text */
export function localDate(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const two = number => String(number).padStart(2, '0');
  const year = date.getFullYear();
  if (year < 0 || year > 9999) return text;
  const day = `${String(year).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const [hours, minutes, seconds, thousandths] =
    [date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds()];
  if (!hours && !minutes && !seconds && !thousandths) return day;
  return `${day} ${two(hours)}:${two(minutes)}:${two(seconds)}`
    + (thousandths ? '.' + String(thousandths).padStart(3, '0') : '');
}

/** A link as the page writes it: `Dog "Wolfie"`. @param {{class: string, row: number, label?: any}} link */
export function linkText(link) {
  const number = '#' + link.row;
  const label = link.label ?? number;
  return label === '' || label === number ? `${link.class} ${number}` : `${link.class} "${label}"`;
}

/** Lines of a string as one line, for the grid. @param {string} text */
const oneLine = text =>
  /[\n\r\t]/.test(text) ? text.replace(/\r\n|\n|\r/g, ' ⏎ ').replace(/\t/g, ' ⇥ ') : text;

/**
 * What a cell looks like in the grid.
 * @param {any} cell @param {Property} property @returns {Shown}
 */
export function shown(cell, property) {
  if (cell === null || cell === undefined) {
    return {text: property.collection === 'none' ? 'nil' : '', kind: 'nil'};
  }
  if (property.collection !== 'none' && typeof cell === 'object') {
    return {text: `${collectionNames[property.collection]} ${count(cell.count ?? 0)}`, kind: 'collection'};
  }
  return single(cell, property.type);
}

/** @param {any} cell @param {string} type @returns {Shown} */
function single(cell, type) {
  switch (type) {
    case 'bool': return {text: String(cell), kind: cell ? 'true' : 'false'};
    case 'int': case 'float': case 'double': case 'decimal128': return {text: String(cell), kind: 'number'};
    case 'date': return {text: localDate(String(cell)), kind: 'date'};
    case 'data': return {text: dataText(cell), kind: 'data'};
    case 'objectId': case 'uuid': return {text: String(cell), kind: 'id'};
    case 'object': return {text: linkText(cell), kind: cell.embedded ? 'embedded' : 'link'};
    case 'mixed': return mixed(cell);
    default: return stringShown(cell);
  }
}

/** @param {any} cell @returns {Shown} */
function stringShown(cell) {
  if (cell === '') return {text: '""', kind: 'empty'};
  if (typeof cell === 'string') return {text: oneLine(cell), kind: 'string'};
  return {text: oneLine(String(cell.text)) + '…', kind: 'string'};
}

/** @param {{bytes: number, start: string}} cell */
function dataText({bytes, start}) {
  return bytes === 0 ? '0 bytes' : `${size(bytes)}  ${start}${bytes > 16 ? '…' : ''}`;
}

/** @param {any} cell @returns {Shown} */
function mixed(cell) {
  if (cell.type === 'list' || cell.type === 'dictionary') {
    return {text: `${collectionNames[cell.type]} ${count(cell.count)}`, kind: 'collection'};
  }
  return isNil(cell.value) ? {text: 'nil', kind: 'nil'} : single(cell.value, cell.type);
}

/** @param {any} value */
const isNil = value => value === null || value === undefined;

/** Value and type of a cell, also within a mixed one. @returns {[any, string]} */
const unwrapped = (cell, property) =>
  property.type === 'mixed' && typeof cell === 'object' ? [cell.value, cell.type] : [cell, property.type];

/** The exact text of a cell, for the clipboard and hints. @param {any} cell @param {Property} property */
export function plain(cell, property) {
  if (isNil(cell)) return '';
  if (property.collection !== 'none') return shown(cell, property).text;
  const [value, type] = unwrapped(cell, property);
  if (isNil(value)) return property.type === 'mixed' ? shown(cell, property).text : '';
  if (typeof value !== 'object') return String(value);
  if (typeof value.text === 'string') return value.text;
  if (type === 'object') return isNil(value.label) ? `#${value.row}` : String(value.label);
  return shown(cell, property).text;
}

/** The link in a cell, if it holds one. @param {any} cell @returns {{class: string, row: number}|null} */
export function linkOf(cell) {
  if (cell === null || typeof cell !== 'object') return null;
  if (typeof cell.row === 'number' && typeof cell.class === 'string') return cell;
  return cell.type === 'object' ? linkOf(cell.value) : null;
}

/** @param {any} one @param {any} other */
export const isEqual = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/** A name as queries write it. @param {string} name */
export const nameInQuery = name => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : '`' + name + '`';

/** @param {string} text @returns {string} a string literal of queries */
function quoted(text) {
  const escapes = {'\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\'};
  return `"${text.replace(/[\n\t\r"\\]/g, character => escapes[character])}"`;
}

/**
 * The condition that a property has the value of a cell, or null when the query language cannot say it.
 * @param {Property} property @param {any} cell @returns {string|null}
 */
export function condition(property, cell) {
  const name = nameInQuery(property.name);
  if (property.collection !== 'none') return `${name}.@count == ${cell?.count ?? 0}`;
  if (isNil(cell)) return `${name} == nil`;
  const [value, type] = unwrapped(cell, property);
  if (isNil(value)) return `${name} == nil`;
  switch (type) {
    case 'bool': return `${name} == ${value}`;
    case 'int': case 'float': case 'double':
      return /^-?\d/.test(String(value)) ? `${name} == ${value}` : null;
    case 'decimal128': case 'date': case 'objectId': case 'uuid':
      return `${name} == ${quoted(String(value))}`;
    case 'string':
      if (typeof value !== 'string') return `${name} BEGINSWITH ${quoted(value.text)}`;
      return `${name} == ${quoted(value)}`;
    case 'object':
      return value.embedded ? null : `${name} == object(${quoted(value.class)}, ${value.row})`;
    default: return null;
  }
}

/** @param {string} filter @param {string} added @returns {string} both conditions */
export function joined(filter, added) {
  if (!filter.trim()) return added;
  return / or |\|\|/i.test(filter) ? `(${filter}) AND ${added}` : `${filter} AND ${added}`;
}
