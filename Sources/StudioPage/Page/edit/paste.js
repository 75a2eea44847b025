// Pasting a table: the text, what becomes of each of its columns, and the rows, before anything is written.
import {
  button, choice, classOf, failureLine, isAborted, isCollection, make, messageOf, number, panelBar, post,
  several, show,
} from '../shared/elements.js';

/**
 * @param {import('../shared/elements.js').Context} context
 * @param {{className: string, view?: any, position?: number, property?: any, text?: string,
 *   done?: () => void}} options
 */
export function open(context, {className, view, position, property, text = '', done}) {
  const each = classOf(context, className);
  const first = property?.number ?? property;
  const hasCells = view != null && position != null && first != null;
  let target = hasCells && !isTable(text, each) ? 'cells' : 'objects';
  let columns = null, answer = null, request = null, timer = 0;

  const failure = failureLine();
  const area = make('textarea', {class: 'paste-text', value: text, rows: text ? '3' : '8', autofocus: true,
    spellcheck: 'false', dir: 'auto',
    placeholder: 'Paste a table here: from a spreadsheet, CSV, JSON or JSON Lines',
      'aria-label': 'Text to paste',
    oninput: () => { columns = null; clearTimeout(timer); timer = setTimeout(load, 250); }});
  const targets = make('span', {class: 'segments', role: 'group', 'aria-label': 'Where to paste'});
  const status = make('span', {class: 'faint', role: 'status'});
  const preview = make('div', {class: 'paste-preview', tabindex: '0', role: 'region',
    'aria-label': 'Preview'});
  const writeButton = button('Write', write, {class: 'primary', disabled: true});
  const element = make('section', {class: 'panel paste', 'aria-label': 'Paste'},
    panelBar(`Paste into ${className}`, null, done),
    make('div', {class: 'paste-head'}, area, make('div', {class: 'paste-line'}, hasCells ? targets : null,
      status)),
    failure, preview,
    make('footer', null, done ? button('Cancel', done) : null, writeButton));

  function drawTargets() {
    show(targets, [['objects', 'New objects'],
      ['cells', `Onto the cells from row ${number((position ?? 0) + 1)}`]].map(([kind, name]) =>
      button(name, () => { target = kind; columns = null; drawTargets(); load(); },
        {'aria-pressed': String(kind === target)})));
  }

  const body = () => ({text: area.value, ...columns && {columns},
    ...target === 'cells' ? {view: view.view ?? view, position, property: first} : {class: className}});

  async function load() {
    request?.abort();
    const own = request = new AbortController();
    failure.say(null);
    writeButton.disabled = true;
    if (!area.value.trim()) {
      show(preview);
      status.textContent = '';
      return;
    }
    try {
      answer = await post('paste/preview', body(), own.signal);
      if (own !== request) return;
      draw();
    } catch (error) {
      if (isAborted(error)) return;
      show(preview);
      failure.say(messageOf(error));
    }
  }

  function draw() {
    const names = {tsv: 'TSV', csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines'};
    const used = answer.columns.filter(column => column.property != null).length;
    status.textContent = `${names[answer.format] ?? answer.format}: ${several(answer.count, 'row')}`
      + (answer.rows.length < answer.count ? `, the first ${number(answer.rows.length)} are shown` : '');
    const options = [['', 'leave out'], ...each.properties.filter(one => target === 'objects'
      || !isCollection(one))
      .map(one => [String(one.number), one.name])];
    show(preview, make('table', {class: 'paste-table'},
      make('thead', null, make('tr', null, answer.columns.map((column, place) => make('th', {scope: 'col'},
        make('div', {class: 'faint', dir: 'auto'}, column.title ?? `column ${place + 1}`),
        choice(options, column.property == null ? '' : String(column.property), value => map(place, value),
          {'aria-label': `Property for ${column.title ?? `column ${place + 1}`}`}))))),
      make('tbody', null,
        answer.rows.map(row => make('tr', null, row.map((cell, place) => cellOf(cell,
          answer.columns[place])))))));
    if (answer.errors) {
      failure.say(`${several(answer.errors, 'value')} cannot be written: see the marks below. `
        + 'Correct the text, or leave out the column.');
    } else if (answer.problem) {
      failure.say(answer.problem.row == null
        ? answer.problem.message : `Row ${number(answer.problem.row + 1)}: ${answer.problem.message}`);
    } else if (!used) failure.say('No column belongs to a property: choose at least one.');
    writeButton.disabled = answer.errors > 0 || answer.problem != null || !used || !answer.count;
    writeButton.textContent = target === 'objects' ? `Create ${several(answer.count, 'object')}`
      : `Write ${several(answer.count, 'row')}`;
  }

  function cellOf(cell, column) {
    if (cell?.error) {
      return make('td', {class: 'wrong', title: cell.error, dir: 'auto'}, cell.text || '""',
        make('span', {class: 'wrong-text'}, cell.error));
    }
    const isText = typeof cell !== 'object' || cell === null;
    return make('td', {class: column?.property == null ? 'left-out' : cell === null ? 'nil' : null,
      dir: 'auto'},
      cell === null ? 'nil' : cell === '' ? '""' : isText ? String(cell) : cell.label ?? cell.text
        ?? JSON.stringify(cell));
  }

  /** Gives a column to a property, which no other column keeps. */
  function map(place, value) {
    const chosen = value === '' ? null : Number(value);
    columns = answer.columns.map((column, other) => other === place ? chosen
      : chosen != null && column.property === chosen ? null : column.property);
    load();
  }

  async function write() {
    writeButton.disabled = true;
    try {
      const written = await post('paste', {...body(), target: answer.target,
        columns: answer.columns.map(column => column.property)});
      const count = written.created?.length || answer.count;
      context.notify(target === 'objects'
        ? `${several(count, 'object')} created` : `${several(answer.count, 'row')} written`);
      done?.();
    } catch (error) {
      failure.say(messageOf(error));
      writeButton.disabled = false;
    }
  }

  drawTargets();
  load();
  return {element, close() {
    clearTimeout(timer);
    request?.abort();
  }};
}

/** Whether a text is JSON or names properties in its first line, so that it makes new objects. */
function isTable(text, each) {
  const start = text.trimStart();
  if (!start || /^[[{]/.test(start)) return true;
  const names = new Set(each.properties.map(property => property.name));
  const titles = start.split(/\r?\n/, 1)[0].split(/[\t,;]/).map(title => title.trim().replace(/^"|"$/g, ''));
  return titles.filter(title => names.has(title)).length > titles.length / 2;
}
