// The link picker: a line to search or query, the objects that match, and what the chosen one holds.
import {
  button, cellElement, cellText, classOf, failureLine, get, isAborted, isCollection, make, makeView,
  messageOf, nameInQuery, number, objectPath, openDialog, propertyOf, several, show,
} from '../shared/elements.js';

const page = 100;

/**
 * Lets the user pick an object of a class.
 * @param {import('../shared/elements.js').Context} context @param {string} className
 * @param {{optional?: boolean}} [options] optional: nil can be picked, too, and closing gives undefined
 * @returns {Promise<{class: string, row: number, label: string}|null|undefined>} null when closed
 */
export async function pick(context, className, {optional = false} = {}) {
  const each = classOf(context, className);
  const columns = columnsOf(each);
  const failure = failureLine();
  const results = make('div', {class: 'picker-results', role: 'listbox', id: 'picker-results',
    'aria-label': `Objects of ${className}`});
  const preview = make('div', {class: 'picker-preview', 'aria-live': 'polite'});
  const status = make('span', {class: 'faint tabular'});
  const input = make('input', {type: 'search', class: 'picker-query',
    placeholder: 'Search a text, or a query such as age > 3',
    spellcheck: 'false', autocomplete: 'off', role: 'combobox', 'aria-expanded': 'true',
      'aria-controls': 'picker-results',
    'aria-label': `Search objects of ${className}`, dir: 'auto'});
  let picked = optional ? undefined : null;
  let rows = [], chosen = -1, view = null, count = 0, request = null, timer = 0, previewTimer = 0;
  let isLoading = false, isSearching = false, isAwaited = false;

  const content = make('div', {class: 'picker'}, make('div', {class: 'picker-line'}, input, status), failure,
    make('div', {class: 'picker-columns'}, results, preview));
  const dialog = openDialog(`Choose ${className}`, content, {wide: true, buttons: [
    optional ? button('Set to nil', () => { picked = null; dialog.close(); }) : null,
    button('Cancel', () => dialog.close()), button('Choose', () => accept(),
      {class: 'primary'})].filter(Boolean),
  closing: () => { request?.abort(); clearTimeout(timer); clearTimeout(previewTimer); }});

  async function search() {
    request?.abort();
    const own = request = new AbortController();
    isSearching = true;
    isLoading = false;
    try {
      const made = await makeView(className, filterOf(each, input.value), [], own.signal);
      if (own !== request) return;
      failure.say(null);
      view = made.view;
      count = made.count;
      rows = [];
      chosen = -1;
      show(results);
      show(preview);
      await more(own);
      if (rows.length) choose(0);
      else show(results, make('p', {class: 'empty'}, input.value.trim()
        ? 'No object matches.' : `${className} has no objects.`));
    } catch (error) {
      if (isAborted(error)) return;
      failure.say(messageOf(error));
      rows = [];
      count = 0;
      show(results);
      show(preview);
    }
    if (own !== request) return;
    status.textContent = several(count, 'object');
    isSearching = false;
    if (isAwaited) accept();
  }

  async function more(own = request) {
    if (isLoading && own === request || rows.length >= count) return;
    isLoading = true;
    try {
      const answer = await get(`view/${view}/rows`,
        {from: rows.length, count: page, columns: columns.map(column => column.number).join(',')},
          own.signal);
      if (own !== request) return;
      for (const row of answer.rows) {
        const place = rows.length;
        rows.push(row);
        results.append(make('div', {class: 'picker-row', role: 'option', id: `picker-${place}`,
          'aria-selected': 'false',
          onmousemove: () => choose(place, false), onclick: () => choose(place, false), ondblclick: accept},
        columns.length ? columns.map((column, position) => make('span', {class: 'picker-cell'},
          cellElement(row[position + 1], column)))
          : make('span', {class: 'picker-cell'}, `#${row[0]}`)));
      }
    } catch (error) {
      if (!isAborted(error)) failure.say(messageOf(error));
    } finally { if (own === request) isLoading = false; }
  }

  function choose(place, scrolls = true) {
    if (place === chosen || !rows[place]) return;
    results.children[chosen]?.setAttribute('aria-selected', 'false');
    chosen = place;
    const line = results.children[place];
    line.setAttribute('aria-selected', 'true');
    input.setAttribute('aria-activedescendant', line.id);
    if (scrolls) line.scrollIntoView({block: 'nearest'});
    if (place > rows.length - 20) more();
    clearTimeout(previewTimer);
    previewTimer = setTimeout(() => showPreview(rows[place][0]), 80);
  }

  async function showPreview(row) {
    try {
      const element = await objectPreview(context, className, row);
      if (rows[chosen]?.[0] === row) show(preview, element);
    } catch (error) { show(preview, make('p', {class: 'faint', dir: 'auto'}, messageOf(error))); }
  }

  /** Picks the chosen object; after what was typed has been found. */
  function accept() {
    isAwaited = isSearching;
    const row = rows[chosen];
    if (isSearching) return;
    if (!row) return;
    const place = columns.findIndex((column, position) => row[position + 1] != null && column);
    picked = {class: className, row: row[0], label: place < 0 ? `#${row[0]}`
      : cellText(row[place + 1]).slice(0, 60)};
    dialog.close();
  }

  input.addEventListener('input', () => {
    isSearching = true;
    isAwaited = false;
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  results.addEventListener('scroll', () => {
    if (results.scrollTop + results.clientHeight > results.scrollHeight - 400) more();
  });
  const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12};
  dialog.element.addEventListener('keydown', event => {
    if (event.key in steps) choose(Math.max(0, Math.min(rows.length - 1, chosen + steps[event.key])));
    else if (event.key === 'Enter' && event.target === input) accept();
    else return;
    event.preventDefault();
  });
  input.focus();
  search();
  await dialog.closed;
  return picked;
}

/** All values of an object, for the side of a list and for a hover. @returns {Promise<HTMLElement>} */
async function objectPreview(context, className, row, signal) {
  const object = await get(objectPath(className, row), null, signal);
  return make('div', {class: 'object-preview'},
    make('h3', {dir: 'auto'}, `${className} ${object.label ? `"${object.label}"` : `#${row}`}`),
    make('dl', null, object.cells.slice(0, 40).map(([wanted, cell]) => {
      const property = propertyOf(context, className, wanted);
      const short = typeof cell === 'string' && cell.length > 300 ? {text: cell.slice(0, 300)} : cell;
      return property ? [make('dt', {dir: 'auto'}, property.name),
        make('dd', null, cellElement(short, property))] : [];
    })), object.cells.length > 40 ? make('p', {class: 'faint'}, `${number(object.cells.length - 40)} more`)
      : null);
}

/** The properties that tell objects apart: keys first, then texts, at most four. */
function columnsOf(each) {
  const keys = each?.primaryKey ?? [];
  const plain = (each?.properties ?? []).filter(property => !isCollection(property)
    && property.type !== 'data');
  const rank = property => keys.includes(property.number) ? 0 : property.type === 'string' ? 1
    : property.type === 'object' ? 3 : 2;
  return plain.sort((a, b) => rank(a) - rank(b)).slice(0, 4);
}

/**
 * What was typed as a filter: a query stays as it is, other text is searched in the first properties of text.
 */
function filterOf(each, typed) {
  const text = typed.trim();
  if (!text) return '';
  if (/[=<>!]|\b(contains|beginswith|endswith|like|in|between|any|all|none|not|text)\b/i.test(text)
    && /[\s=<>!]/.test(text)) return text;
  const literal = `"${text.replace(/[\\"]/g, '\\$&')}"`;
  const parts = (each?.properties ?? []).filter(property => property.type === 'string'
    && !isCollection(property)).slice(0, 4)
    .map(property => `${nameInQuery(property.name)} CONTAINS[c] ${literal}`);
  for (const key of each?.primaryKey ?? []) {
    const property = each.properties.find(other => other.number === key);
    if (property?.type === 'int'
      && /^-?\d+$/.test(text)) parts.push(`${nameInQuery(property.name)} == ${text}`);
    if (['uuid', 'objectId'].includes(property?.type)
      && /^[0-9a-f-]{24,36}$/i.test(text)) parts.push(`${nameInQuery(property.name)} == ${literal}`);
  }
  return parts.length ? parts.join(' OR ') : text;
}
