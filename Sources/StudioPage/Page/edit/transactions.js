// Transactions: writing, conflicts with what has changed meanwhile, undo.
import {
  button, cellElement, cellText, make, messageOf, openDialog, post, propertyOf,
} from '../shared/elements.js';

/**
 * Writes operations in one transaction.
 * @returns {Promise<{version: number, undo: number, created: [string, number][]}>}
 */
export const write = (label, operations) => post('batch', {label, operations});

/** Says why something was not done. @returns {false} */
export function refuse(context, text) {
  context.notify(text, 'error');
  return false;
}

/** Returns the conflict of a failed write; none when the object was deleted or the failure is another one. */
export function conflictOf(error) {
  const conflict = error.status === 409 ? error.body?.conflicts?.[0] : null;
  return conflict?.gone ? null : conflict;
}

/** Writes without an editor: what fails is said in a notice, a conflict in a dialog. */
export async function commit(context, label, ...operations) {
  try {
    await write(label, operations);
    return true;
  } catch (error) {
    const conflict = conflictOf(error);
    if (!conflict) return refuse(context, messageOf(error));
    const operation = operations[conflict.operation];
    const property = {...propertyOf(context, operation.class, operation.property), collection: 'none'};
    const isMine = await confirm('Changed meanwhile', make('dl', {class: 'both'},
      make('dt', null, 'theirs'), make('dd', null, cellElement(conflict.current, property)),
      make('dt', null, 'mine'), make('dd', {dir: 'auto'}, cellText(operation.value))), 'Write mine',
        'Keep theirs');
    if (!isMine) return false;
    operation.expected = conflict.current;
    return commit(context, label, ...operations);
  }
}

/** Asks once. @returns {Promise<boolean>} */
export async function confirm(title, content, yes, no = 'Cancel', isDangerous = true) {
  let isWanted = false;
  const accept = button(yes, () => { isWanted = true; dialog.close(); },
    {class: isDangerous ? 'primary danger' : 'primary'});
  const dialog = openDialog(title, typeof content === 'string' ? make('p', {dir: 'auto'}, content) : content,
    {buttons: [button(no, () => dialog.close()), accept]});
  accept.focus();
  await dialog.closed;
  return isWanted;
}

export const undo = context => step(context, 'undo', 'Undone');
export const redo = context => step(context, 'redo', 'Redone');

/** @returns {Promise<boolean>} */
async function step(context, kind, word) {
  try {
    const {label} = await post(kind);
    context.notify(label ? `${word}: ${label}` : word);
    return true;
  } catch (error) { return refuse(context, messageOf(error)); }
}
