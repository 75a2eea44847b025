// The schema screen: classes and properties with their rules, the diagram, the classes as Swift.
import {
  button, classOf, copy, failureLine, get, make, messageOf, number, several, show, showClass, typeText,
} from '../shared/elements.js';
import {diagram} from './diagram.js';

/** @param {import('../shared/elements.js').Context} context */
export function open(context) {
  let shown = 'list';
  let drawing = null;
  const body = make('div', {class: 'schema-body'});
  const failure = failureLine();
  const search = make('input', {type: 'search', placeholder: 'Filter classes and properties',
    spellcheck: 'false',
    'aria-label': 'Filter classes and properties', oninput: () => draw()});
  const tabs = ['list', 'diagram'].map(kind => button(kind === 'list' ? 'List' : 'Diagram',
    () => choose(kind),
    {role: 'tab', 'data-kind': kind}));
  const element = make('section', {class: 'panel schema', 'aria-label': 'Schema'},
    make('header', {class: 'panel-bar'}, make('h1', null, 'Schema'),
      make('span', {class: 'faint'}, total(context.file)),
      make('span', {class: 'space'}), search,
      make('span', {role: 'tablist', class: 'segments'}, tabs),
      button('Copy all as Swift', () => copySwift(context, null, failure))),
    failure, body);

  function choose(kind) {
    shown = kind;
    draw();
  }

  function draw() {
    for (const tab of tabs) tab.setAttribute('aria-selected', String(tab.dataset.kind === shown));
    drawing?.close();
    drawing = null;
    const wanted = search.value.trim().toLowerCase();
    const classes = context.file.classes.filter(each => matches(each, wanted));
    if (!classes.length) {
      return show(body, make('p', {class: 'empty'}, wanted
        ? `No class or property contains “${search.value.trim()}”.`
        : 'This file has no classes yet. A program creates them when it opens the file with its schema.'));
    }
    if (shown === 'diagram') {
      drawing = diagram(context, classes);
      return show(body, drawing.element);
    }
    show(body, list(context, classes, wanted, failure));
  }

  draw();
  return {element, close: () => drawing?.close()};
}

function total(file) {
  const properties = file.classes.reduce((sum, each) => sum + each.properties.length, 0);
  return several(file.classes.length, 'class', 'classes') + ', '
    + several(properties, 'property', 'properties')
    + (file.schemaVersion == null ? '' : `, schema version ${file.schemaVersion}`);
}

const matches = (each, wanted) => !wanted || each.name.toLowerCase().includes(wanted)
  || each.properties.some(property => property.name.toLowerCase().includes(wanted));

async function copySwift(context, className, failure) {
  failure.say(null);
  try {
    const {text} = await get('swift', {class: className});
    await copy(context, text, className ? `Class ${className}` : 'The classes');
  } catch (error) { failure.say(messageOf(error)); }
}

/** Classes as parts that open; their tables are made when they open. */
function list(context, classes, wanted, failure) {
  const opensAll = classes.reduce((sum, each) => sum + each.properties.length, 0) <= 600;
  return [...classes].sort((a, b) => Number(a.embedded ?? 0) - Number(b.embedded ?? 0)).map(each => {
    const part = make('details', {class: 'class-part', 'data-name': each.name, ontoggle: fillOnce},
      make('summary', null, make('h2', {dir: 'auto'}, each.name),
        make('span', {class: 'faint'}, each.embedded ? 'embedded' : several(each.count, 'object')),
        make('span', {class: 'space'}),
        button('Objects', event => { event.preventDefault(); showClass(context, each.name); },
          {class: 'plain', 'aria-label': `Show the objects of ${each.name}`}),
        button('Copy as Swift', event => { event.preventDefault(); copySwift(context, each.name, failure); },
          {class: 'plain', 'aria-label': `Copy ${each.name} as Swift`})));
    function fillOnce() {
      if (part.open && part.childElementCount === 1) part.append(...table(context, each, wanted));
    }
    part.open = opensAll || classes.length === 1;
    fillOnce();
    return part;
  });
}

function table(context, each, wanted) {
  const rules = (each.rules ?? []).filter(rule => (rule.properties ?? []).length > 1);
  return [
    make('table', {class: 'properties'},
      make('thead', {class: 'unseen'}, make('tr', null,
        ['Property', 'Type', 'Rules'].map(text => make('th', {scope: 'col'}, text)))),
      make('tbody', null, each.properties.map(property => make('tr', null,
        make('td', {dir: 'auto', class: wanted && property.name.toLowerCase().includes(wanted) ? 'found'
          : null},
          property.name),
        make('td', {class: 'type'}, type(context, property)),
        make('td', {class: 'faint'}, notes(each, property).join(', ')))))),
    rules.length ? make('ul', {class: 'rules'}, rules.map(rule => make('li', {dir: 'auto'}, ruleText(each,
      rule))))
      : null,
  ].filter(Boolean);
}

function type(context, property) {
  const text = typeText(property);
  if (!property.target || !classOf(context, property.target)) return text;
  const [before, after] = text.split(property.target);
  return [before, button(property.target, () => {
    const part = [...document.querySelectorAll('details.class-part')].find(each =>
      each.dataset.name === property.target);
    if (!part) return;
    part.open = true;
    part.scrollIntoView({block: 'nearest'});
    part.querySelector('summary').focus();
  }, {class: 'link'}), after ?? ''];
}

const indexNames = {general: 'indexed', fullText: 'full text'};

/** What there is to say of a property besides its type. */
function notes(each, property) {
  const alone = kind => (each.rules ?? []).some(rule => rule.kind === kind && rule.properties?.length === 1
    && rule.properties[0] === property.number);
  const keys = each.primaryKey ?? [];
  const isKey = keys.includes(property.number);
  return [
    isKey ? (keys.length > 1 ? `primary key (part ${keys.indexOf(property.number) + 1})` : 'primary key')
      : null,
    property.sequence || alone('sequence') ? 'auto-increment' : null,
    property.unique || alone('unique') ? 'unique' : null,
    property.deleteRule && !['none', 'nullify'].includes(property.deleteRule)
      ? `on delete ${property.deleteRule}`
      : null,
    property.index && property.index !== 'none' && !isKey ? indexNames[property.index]
      ?? `index ${property.index}`
      : null,
  ].filter(Boolean);
}

function ruleText(each, rule) {
  const names = rule.properties.map(wanted => each.properties.find(property =>
    property.number === wanted)?.name
    ?? number(wanted));
  return `${rule.kind === 'index' ? 'index' : rule.kind} on ${names.join(', ')}`;
}
