// Fields for values: one for each type. A field gives the value to send, or says what is wrong.
import {button, bytes, cellText, choice, failureLine, isCollection, make, show} from '../shared/elements.js';
import {pick} from './picker.js';

/**
 * What a field offers: its element, where the focus goes, and `read`, which returns the value to send or
 * throws `InputError`. `changed` is called when a choice is complete by itself, as a picked link is.
 * @typedef {{element: HTMLElement, focus: () => void, read: () => any|Promise<any>,
 *   isTouched: () => boolean}} Field
 */

/** Says what is wrong with an input. */
export class InputError extends Error {}

const least = -(2n ** 63n), most = 2n ** 63n - 1n;

/** Checks of texts: each returns what is wrong, or nothing. The server decides in the end. */
const checks = {
  int(text) {
    if (!/^[+-]?\d+$/.test(text)) return 'A whole number is needed, for example 42.';
    const value = BigInt(text.replace('+', ''));
    return value < least || value > most ? `The number does not fit: it has to be from ${least} to ${most}.`
      : null;
  },
  double: text => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || /^([+-]?inf|nan)$/i.test(text) ? null
    : 'A number is needed, for example 2.5, 1e9, inf or nan.',
  date(text) {
    if (/^@-?[\d.]+(e[+-]?\d+)?$/i.test(text)) return null;
    if (!/^[+-]?\d{4,6}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) {
      return 'A date is needed, for example 2024-05-17 or 2024-05-17T08:30:00.123Z.';
    }
    const cut = text.replace(/(\.\d{3})\d+/, '$1').replace(' ', 'T');
    return /^\d{4}-/.test(cut) && Number.isNaN(Date.parse(cut)) ? 'There is no such day or time.' : null;
  },
  objectId: text => /^[0-9a-f]{24}$/i.test(text) ? null : 'An ObjectId has 24 hexadecimal digits.',
  uuid: text => /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text) ? null
    : 'A UUID looks like 123e4567-e89b-12d3-a456-426614174000.',
};
checks.float = checks.double;
checks.decimal128 = checks.double;

/** The field for a property. @returns {Field} */
export function fieldFor(context, property, cell, changed = () => {}) {
  if (isCollection(property)) throw new InputError('Collections are edited element by element.');
  switch (property.type) {
    case 'bool': return boolField(property, cell, changed);
    case 'string': return textField(property, cell);
    case 'data': return dataField(property, cell, changed);
    case 'object': return linkField(context, property, cell, changed);
    case 'mixed': return mixedField(context, property, cell, changed);
    default: return checkedField(property, cell);
  }
}

/** Adds a button that makes the value nil, when the property may be nil. */
function withNil(property, inputs, isNil, field, setText) {
  if (!property.optional) return {...field, element: make('div', {class: 'field'}, inputs)};
  let none = isNil, touched = false;
  const mark = button('nil', () => set(!none), {class: 'nil-mark', title: 'No value (Alt-N)'});
  const element = make('div', {class: 'field', onkeydown(event) {
    if (event.altKey && event.code === 'KeyN') { event.preventDefault(); set(!none); }
  }, oninput() { if (none) draw(false); }}, inputs, mark);
  function draw(value) {
    none = value;
    mark.setAttribute('aria-pressed', String(none));
    element.classList.toggle('is-nil', none);
  }
  function set(value) {
    draw(value);
    touched = true;
    if (none) setText('');
    field.focus();
  }
  draw(none);
  return {...field, element, read: () => none ? null : field.read(), isTouched: () => touched
    || field.isTouched()};
}

function checkedField(property, cell) {
  const before = cell == null ? '' : String(cell);
  const hint = make('span', {class: 'field-hint', hidden: property.type !== 'date'});
  const input = make('input', {type: 'text', value: before, spellcheck: 'false', autocomplete: 'off',
    class: ['date', 'objectId', 'uuid'].includes(property.type) ? 'exact' : 'exact number',
      'aria-label': property.name,
    inputmode: ['int', 'float', 'double', 'decimal128'].includes(property.type) ? 'decimal' : null,
    oninput: () => check()});
  function check() {
    const text = input.value.trim();
    const wrong = text === '' ? null : checks[property.type]?.(text);
    input.setAttribute('aria-invalid', String(Boolean(wrong)));
    if (property.type === 'date') hint.textContent = wrong || !text ? '' : localDate(text);
    return wrong;
  }
  check();
  const read = () => {
    const text = input.value.trim();
    if (text === '') {
      throw new InputError(property.optional ? 'The input is empty. Press Alt-N for nil.'
        : 'A value is needed.');
    }
    const wrong = check();
    if (wrong) throw new InputError(wrong);
    return text;
  };
  return withNil(property, [input, hint], cell === null,
    {focus: () => { input.focus(); input.select(); }, read,
    isTouched: () => input.value !== before}, text => { input.value = text; check(); });
}

function localDate(text) {
  const date = new Date(text.replace(/(\.\d{3})\d+/, '$1').replace(' ', 'T'));
  return Number.isNaN(date.valueOf()) ? '' : `local: ${date.toLocaleString()}`;
}

function textField(property, cell) {
  const before = cell ?? '';
  const input = make('textarea', {value: before, 'aria-label': property.name, dir: 'auto',
    spellcheck: 'false',
    rows: String(Math.min(16, Math.max(1, before.split('\n').length, Math.ceil(before.length / 60))))});
  input.addEventListener('input', () => {
    input.rows = Math.min(16, Math.max(input.rows, input.value.split('\n').length,
      Math.ceil(input.value.length / 60)));
  });
  return withNil(property, input, cell === null, {focus: () => { input.focus(); input.select(); },
    read: () => input.value, isTouched: () => input.value !== before}, text => { input.value = text; });
}

function boolField(property, cell, changed) {
  const options = [['true', 'true'], ['false', 'false']];
  if (property.optional || cell == null) options.push(['nil', property.optional ? 'nil' : '–']);
  let touched = false;
  const select = choice(options, cell == null ? 'nil' : String(cell), () => { touched = true; changed(); },
    {'aria-label': property.name});
  return {element: make('div', {class: 'field'}, select), focus: () => select.focus(),
    isTouched: () => touched,
    read() {
      if (select.value !== 'nil') return select.value === 'true';
      if (property.optional) return null;
      throw new InputError('Choose true or false.');
    }};
}

const largest = 11 * 1024 * 1024;

function dataField(property, cell, changed) {
  let file = null;
  const text = make('span', {class: 'faint'}, cell == null ? '' : cellText(cell));
  const input = make('input', {type: 'file', 'aria-label': `File for ${property.name}`, onchange() {
    file = input.files[0] ?? null;
    if (!file) return;
    text.textContent = `${file.name}, ${bytes(file.size)}`;
    changed();
  }});
  const field = {focus: () => input.focus(), isTouched: () => file != null, async read() {
    if (!file) throw new InputError('Choose a file.');
    if (file.size > largest) {
      throw new InputError(`The file has ${bytes(file.size)}; ${bytes(largest)} are the most.`);
    }
    return {base64: await base64(file)};
  }};
  return withNil(property, [input, text], cell === null, field, () => { file = null; input.value = ''; });
}

const base64 = file => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(new InputError('The file cannot be read.'));
  reader.readAsDataURL(file);
});

function linkField(context, property, cell, changed) {
  let value = cell ?? null, touched = false;
  const choose = button('', async () => {
    const picked = await pick(context, property.target, {optional: property.optional});
    if (picked === undefined || (picked === null && !property.optional)) return;
    value = picked;
    touched = true;
    draw();
    changed();
  }, {class: 'pick', 'aria-label': `${property.name}: choose an object of ${property.target}`, dir: 'auto'});
  const none = button('nil', () => { value = null; touched = true; draw(); changed(); }, {class: 'nil-mark'});
  const draw = () => {
    show(choose, value ? cellText(value) : `Choose ${property.target}…`);
    none.setAttribute('aria-pressed', String(value == null));
  };
  draw();
  return {element: make('div', {class: 'field'}, choose, property.optional ? none : null),
    focus: () => choose.focus(),
    isTouched: () => touched,
    read() {
      if (!value && !property.optional) throw new InputError('Choose an object.');
      return value && {class: value.class, row: value.row};
    }};
}

const mixedTypes = ['int', 'bool', 'string', 'double', 'float', 'date', 'data', 'objectId', 'uuid',
  'decimal128',
  'object',
  'list', 'dictionary'];

/** A field for any value: first its type, then the field of the type. */
function mixedField(context, property, cell, changed) {
  let type = cell?.type ?? 'nil', field = null, touched = false;
  const place = make('div', {class: 'mixed-value'});
  const types = [['nil', 'nil'], ...mixedTypes.map(each => [each, each === 'object' ? 'link' : each])];
  const select = choice(types, type === 'link' ? 'object' : type,
    kind => { touched = true; draw(kind, undefined); field?.focus(); },
    {'aria-label': `Type of ${property.name}`});
  function draw(kind, inner) {
    type = kind;
    const part = {...property, type: kind, optional: false, collection: 'none'};
    field = kind === 'nil' ? null : kind === 'list' || kind === 'dictionary' ? nestedField(part, cell, kind)
      : kind === 'object' ? mixedLinkField(context, part, inner, changed) : fieldFor(context, part, inner,
        changed);
    show(place, field?.element);
  }
  draw(type === 'link' ? 'object' : type, cell?.value);
  return {element: make('div', {class: 'field mixed'}, select, place), focus: () => (field ?? select).focus(),
    isTouched: () => touched || Boolean(field?.isTouched()),
    read: async () => field == null ? null : {type: type === 'object' ? 'link' : type,
      value: await field.read()}};
}

/** A link of a mixed property leads to any class: the class is chosen first. */
function mixedLinkField(context, property, cell, changed) {
  const names = context.file.classes.filter(each => !each.embedded).map(each => [each.name, each.name]);
  const place = make('span');
  let field;
  const draw = (name, value) => {
    field = linkField(context, {...property, target: name}, value, changed);
    show(place, field.element);
  };
  const start = cell?.class ?? names[0]?.[0];
  const select = choice(names, start, name => draw(name, null), {'aria-label': 'Class of the object'});
  draw(start, cell);
  return {element: make('span', null, select, place), focus: () => field.focus(),
    isTouched: () => field.isTouched(),
    read: () => field.read()};
}

/**
 * Nested lists and dictionaries as JSON; `{"type": "uuid", "value": "…"}` gives a value of a certain type.
 */
function nestedField(property, cell, kind) {
  const before = cell?.type === kind && cell.json ? cell.json : kind === 'list' ? '[]' : '{}';
  const input = make('textarea', {value: before, rows: '8', class: 'exact', spellcheck: 'false',
    'aria-label': property.name});
  const hint = make('span', {class: 'field-hint'},
    'JSON. {"type": "date", "value": "2024-05-17"} is a value of a certain type.');
  const line = failureLine();
  return {element: make('div', {class: 'field'}, input, hint, line), focus: () => input.focus(),
    isTouched: () => input.value !== before, read() {
      let value;
      try { value = JSON.parse(input.value); } catch (error) {
        throw new InputError(`This is not JSON: ${error.message}`);
      }
      if (Array.isArray(value) !== (kind === 'list') || value === null || typeof value !== 'object') {
        throw new InputError(kind === 'list' ? 'A list begins with [.' : 'A dictionary begins with {.');
      }
      return mixedOf(value).value;
    }};
}

/** JSON as a mixed value to send. */
export function mixedOf(value) {
  if (value === null) return null;
  switch (typeof value) {
    case 'boolean': return {type: 'bool', value};
    case 'number': return Number.isSafeInteger(value) ? {type: 'int', value} : {type: 'double', value};
    case 'string': return {type: 'string', value};
  }
  if (Array.isArray(value)) return {type: 'list', value: value.map(mixedOf)};
  if (Object.keys(value).length === 2 && 'value' in value
    && mixedTypes.concat('link').includes(value.type)) return value;
  return {type: 'dictionary',
    value: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mixedOf(each)]))};
}
