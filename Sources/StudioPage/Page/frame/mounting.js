/** Mounts panels: modules that are loaded when they are opened first, in the main area or in a dialog. */
import {button, make, openModal} from '../shared/elements.js';

/** @typedef {{element: HTMLElement, close?: () => void}} Panel */

/**
 * Loads a module of the page. A missing one becomes a panel that says so.
 * @param {string} name path without the suffix @returns {Promise<any>}
 */
export async function load(name) {
  try {
    return await import(`../${name}.js`);
  } catch (error) {
    const message = `The part “${name}” of the page cannot be loaded: ${error.message}`;
    return {open: () => ({element: make('p', {class: 'panel-missing'}, message)}), isMissing: true, message};
  }
}

/** @type {Panel|null} */
let screen = null;

/**
 * Shows a panel in the main area instead of the data.
 * @param {HTMLElement} root @param {string} name @param {any} context
 */
export async function showScreen(root, name, context) {
  closeScreen();
  root.replaceChildren();
  const module = await load(name);
  const panel = await module.open(context, {});
  closeScreen();
  screen = panel;
  root.replaceChildren(panel.element);
  const focusable = panel.element.querySelector('[autofocus], button, [tabindex="0"], input');
  (/** @type {HTMLElement|null} */ (focusable) ?? root).focus({preventScroll: true});
}

export function closeScreen() {
  screen?.close?.();
  screen = null;
}

/**
 * Shows content in a dialog.
 * @param {(done: () => void) => HTMLElement|Promise<Panel>|Panel} content @param {string} [kind] class name
 * @returns {Promise<void>} when the dialog has been closed
 */
export async function showDialog(content, kind = '') {
  const dialog = /** @type {HTMLDialogElement} */ (make('dialog', {class: 'dialog ' + kind}));
  const made = await content(() => dialog.close());
  const panel = made instanceof HTMLElement ? {element: made, close: undefined} : /** @type {Panel} */ (made);
  dialog.append(panel.element);
  dialog.addEventListener('close', () => panel.close?.());
  const hasFocus = dialog.querySelector('[autofocus]') !== null;
  const closed = openModal(dialog, hasFocus ? null : 'input, textarea, button.primary, button');
  if (!hasFocus) dialog.scrollTop = 0;
  await closed;
}

/** Shows the panel of a module in a dialog. @param {string} name @param {any} context @param {any} options */
export async function showPanel(name, context, options) {
  const module = await load(name);
  await showDialog(async done => {
    const panel = await module.open(context, {...options, done});
    if (module.isMissing) panel.element.append(make('br'), button('Close', done));
    return panel;
  }, 'panel-dialog');
}

/** Shows a sentence for some seconds. @param {string} text @param {'info'|'error'} [kind] */
export function notify(text, kind = 'info') {
  const root = document.getElementById('notices');
  const notice = make('div', {class: 'notice ' + kind}, text);
  notice.dir = 'auto';
  notice.append(button('×', () => notice.remove(), {class: 'quiet', title: 'Dismiss'}));
  root.append(notice);
  while (root.childElementCount > 4) root.firstElementChild.remove();
  setTimeout(() => notice.remove(), kind === 'error' ? 10_000 : 4000);
}
