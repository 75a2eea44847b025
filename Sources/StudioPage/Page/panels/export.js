// Exports the current view into a file: CSV, JSON or JSON Lines, from one version.
import {response} from '../shared/api.js';
import {
  button, bytes, download, failureLine, isAborted, make, messageOf, panelBar,
} from '../shared/elements.js';
import {describe} from './summary.js';

const formats = [
  ['csv', 'CSV', 'for spreadsheets; cells that a spreadsheet would take for a formula get an apostrophe'],
  ['json', 'JSON', 'one array of objects'],
  ['jsonl', 'JSON Lines', 'an object in each line, for other programs'],
];

/**
 * @param {import('../shared/elements.js').Context} context @param {{done?: () => void}} options
 */
export function open(context, {done}) {
  const {view} = context;
  const failure = failureLine();
  const status = make('span', {class: 'faint tabular', role: 'status'});
  let format = 'csv', request = null;
  const save = button('Save', start, {class: 'primary'});
  const sort = view.sort?.map(([path, ascends]) => `${path}${ascends ? '' : ' descending'}`).join(', ');
  const element = make('section', {class: 'panel export', 'aria-label': 'Export'},
    panelBar(`Export ${view.class}`, null, done),
    make('form', {class: 'export-form', onsubmit: event => { event.preventDefault(); start(); }},
      make('p', {dir: 'auto'}, describe(view), sort ? `, sorted by ${sort}` : ''),
      formats.map(([key, name, note], place) => make('label', null,
        make('input', {type: 'radio', name: 'format', value: key, checked: place === 0,
          autofocus: place === 0,
          onchange: () => { format = key; }}),
        make('span', null, name), make('span', {class: 'faint'}, note)))),
    failure, make('footer', null, status, make('span', {class: 'space'}),
      button('Cancel', () => request ? request.abort() : done?.()), save));

  async function start() {
    if (request) return;
    request = new AbortController();
    failure.say(null);
    save.disabled = true;
    status.textContent = 'Exporting…';
    try {
      const answer = await response('GET', `view/${view.view}/export?format=${format}`,
        {signal: request.signal});
      let count = 0;
      const counted = answer.body.pipeThrough(new TransformStream({transform(chunk, controller) {
        count += chunk.length;
        status.textContent = bytes(count);
        controller.enqueue(chunk);
      }}));
      const type = answer.headers.get('Content-Type') ?? 'application/octet-stream';
      download(await new Response(counted, {headers: {'Content-Type': type}}).blob(),
        `${view.class}.${format}`);
      context.notify(`${view.class}.${format} saved, ${bytes(count)}`);
      request = null;
      done?.();
    } catch (error) {
      status.textContent = '';
      if (!isAborted(error)) failure.say(messageOf(error));
    } finally {
      request = null;
      save.disabled = false;
    }
  }

  return {element, close: () => request?.abort()};
}
