/** Mounts panels: modules that are loaded when they are opened first, in the main area or in a dialog. */
import {button, element} from '../shared/cells.js';

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
    return {open: () => ({element: element('p', 'panel-missing', message)}), isMissing: true, message};
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
 * Shows content in a dialog. Esc closes it; the focus returns to where it was.
 * @param {(done: () => void) => HTMLElement|Promise<Panel>|Panel} make @param {string} [kind] class name
 * @returns {Promise<void>} when the dialog has been closed
 */
export async function showDialog(make, kind = '') {
  const dialog = /** @type {HTMLDialogElement} */ (element('dialog', 'dialog ' + kind));
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const done = () => dialog.close();
  const made = await make(done);
  const panel = made instanceof HTMLElement ? {element: made, close: undefined} : /** @type {Panel} */ (made);
  dialog.append(panel.element);
  document.body.append(dialog);
  dialog.addEventListener('pointerdown', event => { if (event.target === dialog) done(); });
  dialog.showModal();
  if (!dialog.querySelector('[autofocus]')) {
    /** @type {HTMLElement|null} */
    const first = dialog.querySelector('input, textarea, button.primary, button');
    first?.focus({preventScroll: true});
    dialog.scrollTop = 0;
  }
  await new Promise(resolve => dialog.addEventListener('close', resolve, {once: true}));
  panel.close?.();
  dialog.remove();
  before?.focus({preventScroll: true});
}

/** Shows the panel of a module in a dialog. @param {string} name @param {any} context @param {any} options */
export async function showPanel(name, context, options) {
  const module = await load(name);
  await showDialog(async done => {
    const panel = await module.open(context, {...options, done});
    if (module.isMissing) panel.element.append(element('br'), button('Close', done));
    return panel;
  }, 'panel-dialog');
}

/** Shows a sentence for some seconds. @param {string} text @param {'info'|'error'} [kind] */
export function notify(text, kind = 'info') {
  const root = document.getElementById('notices');
  const notice = element('div', 'notice ' + kind, text);
  notice.dir = 'auto';
  notice.append(button('×', () => notice.remove(), 'quiet', 'Dismiss'));
  root.append(notice);
  while (root.childElementCount > 4) root.firstElementChild.remove();
  setTimeout(() => notice.remove(), kind === 'error' ? 10_000 : 4000);
}
