/** How the query of a view runs, in a dialog. */
import {get} from '../shared/api.js';
import {button, make} from '../shared/elements.js';
import {showDialog} from '../frame/mounting.js';

/** @param {{view: number}|null} view @param {(error: any) => void} failed */
export async function explain(view, failed) {
  if (!view) return;
  try {
    const {text} = await get(`view/${view.view}/explain`);
    await showDialog(done => {
      const root = make('div', {class: 'explanation'});
      const row = make('div', {class: 'dialog-buttons'});
      row.append(button('Close', done, {class: 'primary'}));
      root.append(make('h2', null, 'How the query runs'), make('pre', null, text), row);
      return root;
    });
  } catch (error) {
    failed(error);
  }
}
