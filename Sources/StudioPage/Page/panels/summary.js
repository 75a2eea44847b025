// The summary of a column of the current view: distinct values, the most frequent ones, extremes, sum, nil.
import {
  button, cellElement, failureLine, get, isAborted, isCollection, isNumeric, make, messageOf, number,
  panelBar, several, show, showBar,
} from '../shared/elements.js';

/**
 * @param {import('../shared/elements.js').Context} context
 * @param {{property: import('../shared/elements.js').Property, done?: () => void}} options
 */
export function open(context, {property, done}) {
  const {view} = context;
  const failure = failureLine();
  const body = make('div', {class: 'summary-body', tabindex: '0', autofocus: true},
    make('p', {class: 'empty'}, 'Counting…'));
  const element = make('section', {class: 'panel summary', 'aria-label': `Summary of ${property.name}`},
    panelBar(`${view.class}.${property.name}`, describe(view), done), failure, body);
  const request = new AbortController();

  async function load() {
    try {
      const answer = await get(`view/${view.view}/summary`, {property: property.number}, request.signal);
      show(body, facts(answer, property), top(answer));
    } catch (error) {
      if (isAborted(error)) return;
      show(body);
      failure.say(messageOf(error));
    }
  }

  function top(answer) {
    if (!answer.top?.length) return null;
    const most = Math.max(...answer.top.map(([, count]) => count));
    const shown = answer.top.reduce((sum, [, count]) => sum + count, 0);
    const rest = answer.count - answer.nulls - shown;
    return make('div', {class: 'bars'},
      make('h3', null, answer.top.length === 1 ? 'The only value' : `Most frequent values`,
        make('span', {class: 'faint'}, ' – a click adds the value to the filter')),
      answer.top.map(([cell, count]) => valueBar(context, property, cell, count, most, answer.count, done)),
      answer.nulls ? valueBar(context, property, null, answer.nulls, Math.max(most, answer.nulls),
        answer.count, done)
        : null,
      rest > 0 ? make('p', {class: 'faint'}, `${number(rest)} objects have other values.`) : null);
  }

  load();
  return {element, close: () => request.abort()};
}

/** What a view shows, in words. */
export const describe = view =>
  `${several(view.count, 'object')}${view.filter?.trim() ? ` where ${view.filter.trim()}` : ''}`;

function facts(answer, property) {
  const {count, nulls, distinct} = answer;
  const percent = count ? ` (${(nulls / count * 100).toFixed(nulls && nulls / count < 0.001 ? 3 : 1)} %)`
    : '';
  const cell = value => value == null ? null : isCollection(property) ? number(value) : cellElement(value,
    property);
  const pairs = [
    ['Objects', number(count)], ['nil', number(nulls) + (nulls ? percent : '')],
    ['Distinct values', distinct == null ? 'more than 10,000' : number(distinct)],
    ['Minimum', cell(answer.minimum)], ['Maximum', cell(answer.maximum)],
    ['Sum', answer.sum == null ? null : number(answer.sum)],
    ['Average', answer.average == null ? null : isNumeric(property) ? number(answer.average)
      : cell(answer.average)],
  ];
  return make('dl', {class: 'facts'}, pairs.filter(([, value]) => value != null)
    .map(([name, value]) => [make('dt', null, name), make('dd', null, value)]));
}

function valueBar(context, property, cell, count, most, total, done) {
  // Of collections the numbers of elements are counted.
  if (isCollection(property)) cell = {count: cell};
  const value = button('', () => { if (context.addFilter(property, cell)) done?.(); }, {class: 'link'});
  value.append(cellElement(cell, property));
  return showBar(value, count / most, number(count), total ? `${(count / total * 100).toFixed(1)} %` : '');
}
