/** How the query of a view runs, in a dialog. */
import {get} from '../shared/api.js';
import {button, element} from '../shared/cells.js';
import {showDialog} from '../frame/mounting.js';

/** @param {{view: number}|null} view @param {(error: any) => void} failed */
export async function explain(view, failed) {
  if (!view) return;
  try {
    const {text} = await get(`view/${view.view}/explain`);
    await showDialog(done => {
      const root = element('div', 'explanation');
      const row = element('div', 'dialog-buttons');
      row.append(button('Close', done, 'primary'));
      root.append(element('h2', '', 'How the query runs'), element('pre', '', text), row);
      return root;
    });
  } catch (error) {
    failed(error);
  }
}
