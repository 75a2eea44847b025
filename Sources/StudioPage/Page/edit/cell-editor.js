// Editing a cell in place. Each edit is one transaction that says what it expects.
import {
  button, cellElement, classOf, failureLine, isCollection, make, messageOf, objectPath, show,
} from '../shared/elements.js';
import {fieldFor} from './editors.js';
import {pick} from './picker.js';
import {commit, confirm, conflictOf, refuse, write} from './transactions.js';
import * as collections from './collections.js';

/**
 * Edits a cell over its element. Wrong input stays in the editor.
 * @param {{context: import('../shared/elements.js').Context, className: string, row: number,
 *   property: import('../shared/elements.js').Property, cell: any, element: HTMLElement}} target
 * @returns {Promise<boolean>} whether something was written
 */
export async function editCell(target) {
  const {context, className, row, property} = target;
  const each = classOf(context, className);
  if (each?.primaryKey?.includes(property.number)) {
    return refuse(context,
      `${property.name} is part of the primary key, which cannot change once the object exists.`);
  }
  if (isCollection(property)) return collections.edit(context, className, row, property);
  if (target.cell?.embedded || (property.type === 'object' && classOf(context, property.target)?.embedded)) {
    return editEmbedded(target);
  }
  if (property.type === 'object') return editLink(target);
  const path = objectPath(className, row, `/${property.number}`);
  try {
    return await editInPlace(target, await collections.wholeElement(path, target.cell));
  } catch (error) { return refuse(context, messageOf(error)); }
}

async function editLink({context, className, row, property, cell}) {
  const picked = await pick(context, property.target, {optional: property.optional});
  if (picked === undefined || (picked === null && !property.optional)) return false;
  const value = picked && {class: picked.class, row: picked.row};
  return commit(context, `Edit ${className}.${property.name}`,
    {op: 'set', class: className, row, property: property.number, value, expected: cell});
}

/** An embedded object is made or removed here; its properties are edited in the inspector. */
async function editEmbedded({context, className, row, property, cell}) {
  if (cell) {
    if (!await confirm(`Delete ${property.name}?`,
      `The embedded ${property.target} is deleted, and what belongs to it.`
      + ' Its own properties are edited in the inspector.', 'Delete')) return false;
  }
  const operation = cell ? {op: 'set', class: className, row, property: property.number, value: null,
    expected: cell}
    : {op: 'embed', class: className, row, property: property.number};
  return commit(context, `Edit ${className}.${property.name}`, operation);
}

function editInPlace(target, cell) {
  const {context, className, row, property, element} = target;
  return new Promise(resolve => {
    const failure = failureLine();
    const conflictPlace = make('div');
    let isBusy = false, isDone = false, expected = target.cell;
    const field = fieldFor(context, property, cell, () => { if (property.type !== 'mixed') save(); });
    const popover = make('div', {class: `cell-editor ${property.type}`, role: 'dialog',
      'aria-label': `${className}.${property.name}`, onkeydown: keys, onfocusout: left},
    field.element, failure, conflictPlace);
    const isLarge = property.type === 'mixed'
      || (typeof cell === 'string' && (cell.length > 60 || cell.includes('\n')));
    popover.classList.toggle('large', isLarge);
    document.body.append(popover);
    position(popover, element);
    const follow = () => position(popover, element);
    addEventListener('resize', follow);
    field.focus();

    function keys(event) {
      event.stopPropagation();
      if (event.key === 'Escape') {
        event.preventDefault();
        finish(false);
      } else if (event.key === 'Enter' && !event.shiftKey && !event.target.matches('button, input[type=file]')
        && !(event.target.matches('textarea') && property.type === 'mixed' && !event.ctrlKey)) {
        event.preventDefault();
        save();
      } else if (event.key === 'Tab' && !popover.querySelector('.mixed, .conflict')) {
        event.preventDefault();
        save();
      }
    }
    function left() {
      setTimeout(() => {
        if (isDone || isBusy || popover.contains(document.activeElement)
          || document.querySelector('dialog[open]')) return;
        if (document.hasFocus() && !conflictPlace.childElementCount) {
          if (field.isTouched()) save();
          else finish(false);
        }
      });
    }
    async function save() {
      if (isBusy || isDone) return;
      if (!field.isTouched() && !conflictPlace.childElementCount) return finish(false);
      isBusy = true;
      failure.say(null);
      try {
        const value = await field.read();
        await write(`Edit ${className}.${property.name}`,
          [{op: 'set', class: className, row, property: property.number, value, expected}]);
        finish(true);
      } catch (error) {
        isBusy = false;
        const conflict = conflictOf(error);
        if (conflict) showConflict(conflict.current);
        else {
          failure.say(messageOf(error));
          if (!popover.contains(document.activeElement)) field.focus();
        }
      }
    }
    function showConflict(current) {
      show(conflictPlace, make('div', {class: 'conflict', role: 'alert'},
        make('p', null, 'Changed meanwhile to ', make('b', null, cellElement(current, property)),
          '. Yours is above.'),
        button('Keep theirs', () => finish(false)),
        button('Write mine', () => { expected = current; save(); }, {class: 'primary'})));
      conflictPlace.querySelector('button').focus();
      position(popover, element);
    }
    function finish(isWritten) {
      if (isDone) return;
      isDone = true;
      removeEventListener('resize', follow);
      popover.remove();
      resolve(isWritten);
    }
  });
}

/** Lays the editor over the cell, within the window. */
function position(popover, element) {
  const place = element.getBoundingClientRect();
  popover.style.minWidth = `${Math.max(place.width, 160)}px`;
  popover.style.minHeight = `${place.height}px`;
  const size = popover.getBoundingClientRect();
  popover.style.left = `${Math.max(4, Math.min(place.left, innerWidth - size.width - 8))}px`;
  popover.style.top = `${Math.max(4, Math.min(place.top, innerHeight - size.height - 8))}px`;
}
