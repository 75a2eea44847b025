// The file screen: readers and the versions they pin, bytes by class and column, indexes, verify and compact.
import {
  button, bytes, classOf, failureLine, get, isAborted, make, messageOf, number, post, propertyOf, several,
  show,
} from '../shared/elements.js';

/** @param {import('../shared/elements.js').Context} context */
export function open(context) {
  const failure = failureLine();
  const body = make('div', {class: 'storage-body'});
  const jobs = make('div', {class: 'jobs', 'aria-live': 'polite'});
  const opened = new Set();
  const stops = [];
  let request = null, isStale = false, timer = 0;

  const verify = button('Verify', () => start('verify', 'Verifying'));
  const compact = context.file.writable ? button('Compact', () => start('compact', 'Compacting')) : null;
  const element = make('section', {class: 'panel storage', 'aria-label': 'File'},
    make('header', {class: 'panel-bar'}, make('h1', null, 'File'), make('span', {class: 'space'}),
      button('Refresh', () => load()), verify, compact),
    failure, jobs, body);

  async function load() {
    request?.abort();
    request = new AbortController();
    isStale = false;
    try {
      const storage = await get('storage', null, request.signal);
      failure.say(null);
      show(body, facts(context, storage), readers(storage), classes(context, storage, opened),
        indexes(storage));
    } catch (error) { if (!isAborted(error)) failure.say(messageOf(error)); }
  }

  async function start(kind, title) {
    const bar = make('progress', {max: '1', 'aria-label': title});
    const text = make('span', {class: 'tabular'}, `${title}…`);
    const line = make('div', {class: 'job'}, text, bar);
    const control = kind === 'verify' ? verify : compact;
    control.disabled = true;
    show(jobs, line);
    const early = [];
    let job = null;
    const handle = event => {
      if (job == null) return early.push(event);
      if (event.job !== job) return;
      if (event.total) {
        bar.max = event.total;
        bar.value = event.done;
        text.textContent = `${title}… ${Math.floor(event.done / event.total * 100)} %`;
      }
      if ('ok' in event) finish(event.ok, event.text);
    };
    const stop = [context.events.on('progress', handle), context.events.on('done', handle)];
    stops.push(...stop);
    const finish = (isGood, message) => {
      stop.forEach(each => each());
      control.disabled = false;
      bar.remove();
      line.classList.add(isGood ? 'good' : 'bad');
      text.textContent = message || (isGood ? 'Done' : 'Failed');
      load();
    };
    try {
      job = (await post(kind, {})).job;
      early.forEach(handle);
    } catch (error) { finish(false, messageOf(error)); }
  }

  // A file that changes is read again, at most every three seconds.
  stops.push(context.events.on('file', () => {
    if (isStale) return;
    isStale = true;
    timer = setTimeout(load, 3000);
  }));
  load();
  return {element, close() {
    clearTimeout(timer);
    request?.abort();
    stops.forEach(stop => stop());
  }};
}

const part = (title, note, ...content) => make('section', {class: 'storage-part'},
  make('h2', null, title, note ? make('span', {class: 'faint'}, ` ${note}`) : null), content);

/** A table; columns whose title begins with # hold numbers. */
const table = (titles, rows) => make('table', {class: 'plain-table'},
  make('thead', null, make('tr', null, titles.map(title =>
    make('th', {scope: 'col', class: title[0] === '#' ? 'number' : null}, title.replace('#', ''))))),
  make('tbody', null, rows.map(row => make('tr', null, row.map((cell, place) =>
    make('td', {class: titles[place][0] === '#' ? 'number' : null, dir: 'auto'}, cell ?? ''))))));

function facts(context, storage) {
  const {file} = context;
  const pairs = [
    ['Path', storage.path ?? file.name],
    ['Size', storage.size == null ? null : `${bytes(storage.size)} (${number(storage.size)} bytes)`],
    ['Free', freeText(storage)],
    ['Indexes', typeof storage.indexes === 'number' ? bytes(storage.indexes) : null],
    ['Version', storage.version == null ? null : number(storage.version)],
    ['Versions in use', storage.versions > 1 ? number(storage.versions) : null],
    ['Schema version', file.schemaVersion == null ? null : number(file.schemaVersion)],
    ['Encrypted', file.encrypted ? 'yes' : 'no'],
    ['Opened', file.writable ? 'for reading and writing' : 'read-only'],
  ];
  return make('dl', {class: 'facts'}, pairs.filter(([, text]) => text != null).map(([name, text]) =>
    [make('dt', null, name), make('dd', {dir: 'auto'}, text)]));
}

function freeText({free, size}) {
  const count = typeof free === 'object' ? free?.bytes : free;
  if (count == null) return null;
  return `${bytes(count)}${size ? `, ${Math.round(count / size * 100)} % of the file` : ''}`;
}

function readers(storage) {
  const list = storage.readers ?? [];
  const oldest = Math.min(...list.map(each => each.version));
  const behind = storage.version - oldest;
  return part('Readers', several(list.length, 'reader'),
    behind > 100 ? make('p', {class: 'pinned'},
      `A reader has pinned version ${number(oldest)}, ${number(behind)} versions behind.`
      + ' The file cannot reuse the space of what was deleted since.') : null,
    list.length ? table(['Reader', '#Version', '#Behind', 'Since', list.some(each => each.file) ? 'Opened at'
      : ''],
      list.map(each => [
      (each.process ?? each.owner) + (each.own ? ' (this Studio)' : ''), number(each.version),
        number(storage.version - each.version),
      ageText(each), each.file ? `${each.file}${each.line ? `:${each.line}` : ''}` : '',
    ])) : make('p', {class: 'empty'}, 'No reader uses a version of the file.'));
}

function ageText(reader) {
  if (typeof reader.age === 'number') {
    const seconds = Math.round(reader.age);
    return seconds < 120 ? several(seconds, 'second') : seconds < 7200 ? several(Math.round(seconds / 60),
      'minute')
      : several(Math.round(seconds / 3600), 'hour');
  }
  return reader.age ?? reader.since ?? '';
}

/** Bars of the classes by bytes; each opens into bars of its columns. */
function classes(context, storage, opened) {
  const list = [...storage.classes ?? []].sort((a, b) => b.bytes - a.bytes);
  const most = Math.max(1, ...list.map(each => each.bytes));
  const sum = list.reduce((total, each) => total + each.bytes, 0);
  const rows = list.map(each => {
    const count = classOf(context, each.name)?.count;
    const line = make('details', {class: 'bar-part', ontoggle() {
      if (line.open) {
        opened.add(each.name);
        if (line.childElementCount === 1) line.append(columns(context, each, most));
      } else opened.delete(each.name);
    }}, make('summary', null, bar(each.name, each.bytes, most, sum,
      count ? `${several(count, 'object')}, ${bytes(Math.round(each.bytes / count))} each`
        : several(count ?? 0,
        'object'))));
    line.open = opened.has(each.name);
    return line;
  });
  return part('Bytes by class', `${bytes(sum)} in ${several(list.length, 'class', 'classes')}`, rows);
}

function bar(name, count, most, sum, note) {
  const length = make('span', {class: 'bar-length'});
  length.style.width = `${Math.max(count ? 0.3 : 0, count / most * 100)}%`;
  return [make('span', {class: 'bar-name', dir: 'auto', title: name}, name),
    make('span', {class: 'bar-track', 'aria-hidden': 'true'}, length),
    make('span', {class: 'bar-value'}, bytes(count)),
    make('span', {class: 'bar-share'}, sum ? `${(count / sum * 100).toFixed(1)} %` : ''),
    make('span', {class: 'bar-note', dir: 'auto'}, note ?? '')];
}

function columns(context, each, most) {
  const whole = column => column.bytes + (column.indexBytes ?? 0);
  const list = [...each.properties ?? []].sort((a, b) => whole(b) - whole(a));
  return make('div', {class: 'bar-columns'}, list.map(column => make('div', {class: 'bar-row'},
    bar(propertyOf(context, each.name, column.number)?.name ?? column.name ?? `property ${column.number}`,
      whole(column), most, each.bytes, [encodingText(column.encoding),
        column.indexBytes ? `${bytes(column.indexBytes)} of it index` : ''].filter(Boolean).join(', ')))));
}

const encodingText = encoding => typeof encoding === 'string' ? encoding
  : Array.isArray(encoding) ? encoding.map(encodingText).join(', ')
  : encoding ? Object.entries(encoding).map(([name, count]) => `${name} ${number(count)}`).join(', ') : '';

function indexes(storage) {
  const list = Array.isArray(storage.indexes) ? storage.indexes : [];
  if (!list.length) return null;
  const names = each => each.names?.join(', ') ?? each.property ?? each.name
    ?? (each.properties ?? []).join(', ');
  return part('Indexes', several(list.length, 'index', 'indexes'),
    table(['Class', 'Properties', 'Kind', '#Bytes'],
    list.map(each => [each.class, names(each), each.kind ?? '', each.bytes == null ? ''
      : bytes(each.bytes)])));
}
