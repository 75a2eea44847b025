// Groups and aggregates of the current view, drawn as bars or as a line over time; two numbers as points.
import {
  button, cellElement, cellText, choice, classOf, copy, failureLine, get, isAborted, isNumeric, isPlain,
  joined, labelled, make, messageOf, nameInQuery, number, panelBar, several, show, showBar,
} from '../shared/elements.js';
import {lineChart, pointChart} from './charts.js';
import {describe} from './summary.js';

const aggregates = [['count', 'count'], ['sum', 'sum of'], ['average', 'average of'],
  ['minimum', 'minimum of'],
  ['maximum', 'maximum of']];
const parts = [['year', 'by year'], ['month', 'by month'], ['day', 'by day'], ['hour', 'by hour']];

/**
 * @param {import('../shared/elements.js').Context} context
 * @param {{property?: import('../shared/elements.js').Property, done?: () => void}} options
 */
export function open(context, {property, done}) {
  const {view} = context;
  const {properties, primaryKey = []} = classOf(context, view.class);
  const groupable = properties.filter(each => isPlain(each) || each.type === 'object'
    && each.collection === 'none');
  const numeric = properties.filter(isNumeric);
  const values = numeric.filter(each => !primaryKey.includes(each.number));
  const places = pairsOf(context, properties, numeric);
  const wish = {
    kind: groupable.length ? 'groups' : 'points', by: groupable.includes(property) ? property : groupable[0],
      part: 'month',
    aggregate: 'count', of: values[0] ?? numeric[0], pair: places[0]?.[0] ?? '',
    x: values[0] ?? numeric[0], y: values[1] ?? values[0] ?? numeric[0], isPartChosen: false,
  };
  const failure = failureLine();
  const tools = make('div', {class: 'panel-bar group-tools'});
  const body = make('div', {class: 'group-body', 'aria-live': 'polite'});
  const element = make('section', {class: 'panel groups', 'aria-label': 'Groups'},
    panelBar('Group and draw', describe(view), done), tools, failure, body);
  let request = null;

  function changed(change) {
    Object.assign(wish, change);
    drawTools();
    load();
  }

  function drawTools() {
    const hadFocus = tools.contains(document.activeElement) ? document.activeElement.dataset.part : null;
    const numbers = list => list.map(each => [String(each.number), each.name]);
    const find = value => properties.find(each => each.number === Number(value));
    const select = (part, text, list, value, make) => labelled(text,
      choice(list, value, each => changed(make(each)),
      {'data-part': part, 'aria-label': text || part}));
    show(tools,
      numeric.length && make('span', {class: 'segments'}, ['groups', 'points'].map(kind => button(
        kind === 'groups' ? 'Groups' : 'Points', () => changed({kind}),
          {'aria-pressed': String(wish.kind === kind), 'data-part': kind}))),
      wish.kind === 'groups' ? [
        select('by', 'group by', numbers(groupable), String(wish.by?.number), value => ({by: find(value)})),
        wish.by?.type === 'date' && select('part', '', parts, wish.part,
          part => ({part, isPartChosen: true})),
        select('aggregate', 'show', numeric.length ? aggregates : aggregates.slice(0, 1), wish.aggregate,
          aggregate => ({aggregate})),
        wish.aggregate !== 'count' && select('of', '', numbers(numeric), String(wish.of.number),
          value => ({of: find(value)})),
      ] : [
        places.length && select('pair', 'show', [...places, ['', 'two properties']], wish.pair,
          pair => ({pair})),
        wish.pair === '' && [
          select('x', 'across', numbers(numeric), String(wish.x.number), value => ({x: find(value)})),
          select('y', 'up', numbers(numeric), String(wish.y.number), value => ({y: find(value)}))],
      ]);
    if (hadFocus) tools.querySelector(`[data-part="${hadFocus}"]`)?.focus();
  }

  async function load() {
    request?.abort();
    const own = request = new AbortController();
    body.classList.add('waits');
    if (!body.hasChildNodes()) show(body, make('p', {class: 'empty'}, 'Counting…'));
    try {
      const drawn = wish.kind === 'groups' ? await groups(own.signal) : await points(own.signal);
      if (own !== request) return;
      failure.say(null);
      show(body, drawn);
    } catch (error) {
      if (isAborted(error)) return;
      show(body);
      failure.say(messageOf(error));
    } finally { if (own === request) body.classList.remove('waits'); }
  }

  async function groups(signal) {
    const isDate = wish.by.type === 'date';
    const {groups: list, total} = await get(`view/${view.view}/groups`, {
      by: wish.by.number, part: isDate ? wish.part : null, aggregate: wish.aggregate,
      of: wish.aggregate === 'count' ? null : wish.of.number, limit: isDate ? 2000 : 200,
    }, signal);
    if (isDate && total > 400 && wish.part === 'month' && !wish.isPartChosen) {
      wish.part = 'year';
      drawTools();
      return groups(signal);
    }
    if (!list.length) return make('p', {class: 'empty'}, 'The view has no objects.');
    const title = wish.aggregate === 'count' ? 'Objects' : `${word(wish.aggregate)} of ${wish.of.name}`;
    const head = make('div', {class: 'group-head'}, make('h3', {dir: 'auto'}, `${title} by ${wish.by.name}`),
      make('span', {class: 'faint'}, list.length < total
        ? `the ${isDate ? 'latest' : 'first'} ${number(list.length)} of ${several(total, 'group')}`
        : several(total, 'group')), make('span', {class: 'space'}),
      button('Copy', () => copy(context, table(list, wish), several(list.length, 'group'))));
    const dated = list.filter(group => group.key != null);
    if (isDate && dated.length > 1) {
      return [head, lineChart(dated.map(group => ({time: timeOf(group.key), value: group.value, group})),
        {part: wish.part, title: head.textContent, pick: point => pickDate(point.group.key)})];
    }
    return [head, bars(list)];
  }

  function bars(list) {
    const values = list.map(group => Number(group.value ?? 0)).map(value => Number.isFinite(value) ? value
      : 0);
    const most = Math.max(...values.map(Math.abs)) || 1;
    const sum = wish.aggregate === 'count' ? view.count : 0;
    return make('div', {class: 'bars'}, list.map((group, place) => {
      const key = button('', () => wish.by.type === 'date' && group.key != null ? pickDate(group.key)
        : context.addFilter(wish.by, group.key) && done?.(), {class: 'link'});
      key.append(wish.by.type === 'date' && group.key != null ? dateText(group.key, wish.part)
        : cellElement(group.key, wish.by));
      return showBar(key, values[place] / most, group.value == null ? '–' : number(group.value),
        sum ? `${(group.count / sum * 100).toFixed(1)} %` : several(group.count, 'object'));
    }));
  }

  /** Adds the time of a group to the filter. */
  function pickDate(key) {
    const start = new Date(timeOf(key)), end = new Date(start);
    if (wish.part === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1);
    else if (wish.part === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
    else end.setTime(end.getTime() + (wish.part === 'day' ? 86_400_000 : 3_600_000));
    const name = nameInQuery(wish.by.name);
    const condition = `${name} >= "${start.toISOString()}" AND ${name} < "${end.toISOString()}"`;
    context.navigate({screen: 'data', filter: joined(view.filter ?? '', condition)});
    done?.();
  }

  async function points(signal) {
    const [kind, ...numbers] = wish.pair.split(' ');
    const isMap = wish.pair !== '';
    const answer = await get(`view/${view.view}/points`, {
      ...kind === 'point' ? {point: numbers[0]} : isMap ? {x: numbers[0], y: numbers[1]}
        : {x: wish.x.number, y: wish.y.number},
      limit: 5000,
    }, signal);
    const list = answer.points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
    if (!list.length) return make('p', {class: 'empty'}, 'No object has both numbers.');
    const note = list.length < answer.total ? `${number(list.length)} of ${several(answer.total, 'object')}`
      : several(list.length, 'object');
    return [make('div', {class: 'group-head'},
      make('h3', null, isMap ? 'Longitude and latitude, in degrees' : `${wish.y.name} over ${wish.x.name}`),
      make('span', {class: 'faint'}, note)),
    pointChart(list, {isMap, x: isMap ? 'longitude' : wish.x.name, y: isMap ? 'latitude' : wish.y.name,
      pick: row => { context.navigate({screen: 'data', object: {class: view.class, row}}); done?.(); }})];
  }

  drawTools();
  tools.querySelector('select')?.setAttribute('autofocus', '');
  if (wish.by || numeric.length) load();
  else show(body, make('p', {class: 'empty'}, `${view.class} has no property to group by.`));
  return {element, close: () => request?.abort()};
}

const word = aggregate => aggregate[0].toUpperCase() + aggregate.slice(1);
const timeOf = key => Date.parse(/^\d{4}$/.test(key) ? `${key}-01-01` : /T\d\d:\d\d$/.test(key) ? `${key}Z`
  : key);
const dateText = (key, part) => String(key).replace('T', ' ').slice(0,
  {year: 4, month: 7, day: 10, hour: 13}[part]);

function table(list, wish) {
  const clean = text => text.replace(/[\t\r\n]+/g, ' ');
  const head = [wish.by.name, 'count', ...wish.aggregate === 'count' ? []
    : [`${wish.aggregate} of ${wish.of.name}`]];
  return [head.map(clean).join('\t'), ...list.map(group => [clean(cellText(group.key)), group.count,
    ...wish.aggregate === 'count' ? [] : [group.value ?? '']].join('\t'))].join('\n');
}

/** Pairs of properties that are places on the earth: longitude and latitude by name, embedded points. */
function pairsOf(context, properties, numeric) {
  const points = properties.filter(each => each.type === 'object' && each.collection === 'none' && each.target
    && classOf(context, each.target)?.embedded && classOf(context, each.target).properties.some(inner =>
    inner.name === 'coordinates' && inner.collection === 'list'))
    .map(each => [`point ${each.number}`, `map of ${each.name}`]);
  const x = numeric.find(each => /^(lon|lng|long|longitude)$/i.test(each.name));
  const y = numeric.find(each => /^(lat|latitude)$/i.test(each.name));
  return x && y ? [[`pair ${x.number} ${y.number}`, `map of ${x.name} and ${y.name}`], ...points] : points;
}
