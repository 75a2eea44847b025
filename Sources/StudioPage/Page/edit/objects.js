// New objects and deletion.
import {
  button, classOf, failureLine, get, isCollection, make, messageOf, number, objectPath, openDialog, several,
  typeText,
} from '../shared/elements.js';
import {fieldFor} from './editors.js';
import {commit, confirm, refuse, write} from './transactions.js';

/** Asks once, with what else the deletion changes. @returns {Promise<boolean>} whether they were deleted */
export async function deleteObjects(context, className, rows) {
  if (!rows.length) return false;
  const asked = rows.slice(0, 100);
  let effects;
  try {
    effects = await Promise.all(asked.map(row => get(objectPath(className, row, '/deletion'))));
  } catch (error) { return refuse(context, messageOf(error)); }
  const denied = effects.find(each => each.denied)?.denied;
  const links = effects.reduce((sum, each) => sum + (each.links ?? 0), 0);
  const owned = new Map();
  for (const [name, count] of effects.flatMap(each => each.owned ?? [])) {
    owned.set(name, (owned.get(name) ?? 0) + count);
  }
  const what = rows.length === 1 ? `this object of ${className}`
    : `${number(rows.length)} objects of ${className}`;
  const lines = [
    denied ? `Not possible: ${denied}` : null,
    links ? `${several(links, 'link')} to ${rows.length === 1 ? 'it' : 'them'} will become nil.`
      : denied ? null : `No link leads to ${rows.length === 1 ? 'it' : 'them'}.`,
    ...[...owned].map(([name, count]) => `${several(count, `object`)} of ${name} will be deleted, too.`),
    rows.length > asked.length ? `These numbers are those of the first ${asked.length}.` : null,
    denied ? null : 'This can be undone while Studio is running.',
  ].filter(Boolean);
  const text = make('div', null, lines.map(line => make('p', {dir: 'auto'}, line)));
  if (denied) {
    const dialog = openDialog(`Delete ${what}?`, text, {buttons: [button('Close', () => dialog.close())]});
    await dialog.closed;
    return false;
  }
  if (!await confirm(`Delete ${what}?`, text, 'Delete')) return false;
  const label = rows.length === 1 ? `Delete ${className}`
    : `Delete ${number(rows.length)} objects of ${className}`;
  return commit(context, label, ...rows.map(row => ({op: 'delete', class: className, row})));
}

/** A form for a new object. @returns {Promise<{class: string, row: number}|null>} */
export async function createObject(context, className) {
  const each = classOf(context, className);
  if (!each || each.embedded) {
    refuse(context, 'Embedded objects are made in the object that owns them.');
    return null;
  }
  const keys = each.primaryKey ?? [];
  const editable = each.properties.filter(property => !isCollection(property)
    && !(property.type === 'object' && classOf(context, property.target)?.embedded))
    .sort((a, b) => Number(keys.includes(b.number)) - Number(keys.includes(a.number)));
  const fields = editable.map(property => ({property, failure: failureLine(),
    field: fieldFor(context, property, property.optional ? null : undefined)}));
  const failure = failureLine();
  let made = null;
  const form = make('form', {class: 'new-object', onsubmit: event => { event.preventDefault(); save(); }},
    fields.map(({property, field, failure: line}) => make('div', {class: 'form-row'},
      make('div', {class: 'form-name'}, make('span', {dir: 'auto'}, property.name),
        make('span', {class: 'faint'},
        typeText(property), keys.includes(property.number) ? ', primary key' : '')),
          make('div', null, field.element, line))),
    editable.length < each.properties.length ? make('p', {class: 'faint'},
      'Collections and embedded objects are filled in the inspector.') : null,
    failure, make('input', {type: 'submit', hidden: true}));
  const create = button('Create', () => save(), {class: 'primary'});
  const dialog = openDialog(`New object of ${className}`, form,
    {buttons: [button('Cancel', () => dialog.close()), create]});
  fields[0]?.field.focus();

  async function save() {
    const values = [];
    let isRight = true;
    failure.say(null);
    for (const {property, field, failure: line} of fields) {
      line.say(null);
      if (!field.isTouched() && !(keys.includes(property.number) && !property.sequence)) continue;
      try { values.push([property.number, await field.read()]); } catch (error) {
        line.say(messageOf(error));
        if (isRight) field.focus();
        isRight = false;
      }
    }
    if (!isRight) return;
    create.disabled = true;
    try {
      const [[name, row]] = (await write(`Create ${className}`,
        [{op: 'create', class: className, values}])).created;
      made = {class: name, row};
      dialog.close();
    } catch (error) {
      create.disabled = false;
      const wrong = fields.find(({property}) => property.number === error.body?.property);
      (wrong?.failure ?? failure).say(messageOf(error));
      wrong?.field.focus();
    }
  }
  await dialog.closed;
  if (made) context.navigate({screen: 'data', className, object: made});
  return made;
}

