/** Calls what edits: cells in place, objects, pastes. The modules are loaded when they are needed first. */
import {load, notify, showPanel} from '../frame/mounting.js';

const readOnly = 'The file is open for reading. Start realm studio with --write to change it.';

export class Editing {
  /**
   * @param {{context: any, data: import('../data/screen.js').DataScreen,
   *   inspector: import('../data/inspector.js').Inspector, failed: (error: any) => void}} parts
   */
  constructor({context, data, inspector, failed}) {
    this.context = context;
    this.data = data;
    this.inspector = inspector;
    this.failed = failed;
  }

  /** Edits the cell of the cursor. */
  editCell() {
    const {current, grid} = this.data;
    const element = current && grid.rows.cell(current.position, current.column);
    if (element) this.edit(this.data.view.class, current.row, current.property, current.cell, element);
  }

  /** Lets the user edit a value, then shows what the file holds. */
  async edit(className, row, property, cell, element) {
    if (!this.context.file.writable) {
      notify(readOnly);
      return;
    }
    const {context} = this;
    const before = /** @type {HTMLElement|null} */ (document.activeElement);
    const isWritten = await this.call('edit/cell-editor', 'editCell',
      {context, className, row, property, cell, element});
    if (isWritten) this.inspector.refresh();
    const focused = document.activeElement;
    if (focused && focused !== document.body) return;
    const target = before?.isConnected ? before : this.data.grid.scroller;
    target.focus({preventScroll: true});
  }

  /** Calls a function of a module. @param {string} name @param {string} part @param {any[]} values */
  async call(name, part, ...values) {
    const module = await load(name);
    if (module.isMissing) {
      notify(module.message, 'error');
      return undefined;
    }
    try {
      return await module[part](...values);
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** Shows a preview of what is pasted into the grid. @param {ClipboardEvent} event */
  paste(event) {
    const {view, current, grid} = this.data;
    const text = event.clipboardData?.getData('text/plain');
    const isInGrid = document.activeElement === grid.scroller && !document.querySelector('dialog[open]');
    if (!isInGrid || !text || !view) return;
    event.preventDefault();
    if (!this.context.file.writable) {
      notify(readOnly);
      return;
    }
    const {position, property} = current ?? {};
    showPanel('edit/paste', this.context, {className: view.class, view: view.view, position, property, text});
  }
}
