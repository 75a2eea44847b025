/** What surrounds the screens: title, version, connection, status line, and texts instead of the data. */
import {count, several} from '../shared/cells.js';
import {button, emptyText, make} from '../shared/elements.js';
import {totals} from '../grid/selection.js';

const find = id => document.getElementById(id);

export class Frame {
  /**
   * @param {{retry: () => void, togglePause: () => void, showKeys: () => void,
   *   screen: (name: string) => void}} delegate
   */
  constructor(delegate) {
    this.delegate = delegate;
    this.connection = 'live';
    this.isPaused = false;
    this.wasLost = false;
    this.live = find('live');
    this.live.addEventListener('click', delegate.togglePause);
    find('keys-button').addEventListener('click', delegate.showKeys);
    for (const one of find('screens').children) {
      one.addEventListener('click', () => delegate.screen(/** @type {HTMLElement} */ (one).dataset.screen));
    }
  }

  /** @param {any} file */
  showFile(file) {
    find('file-name').textContent = file.name;
    find('file-name').title = file.name;
    this.showVersion(file.version);
    find('mode').textContent = file.writable ? 'writing' : 'read-only';
    find('mode').title = file.writable
      ? 'Edits are written into the file' : 'Start realm studio with --write to edit';
    document.body.classList.toggle('writable', file.writable);
    for (const id of ['screens', 'live', 'keys-button', 'frame']) find(id).hidden = false;
    find('empty').hidden = true;
    find('banner').hidden = true;
    this.showConnection('live');
  }

  /** @param {number} version */
  showVersion(version) {
    find('file-facts').textContent = `version ${count(version)}`;
  }

  /** @param {string} screen */
  showScreen(screen) {
    for (const id of ['status-selection', 'status-position']) find(id).hidden = screen !== 'data';
    for (const one of find('screens').querySelectorAll('button')) {
      if (one.dataset.screen === screen) one.setAttribute('aria-current', 'page');
      else one.removeAttribute('aria-current');
    }
  }

  /** @param {string} status `live` or `lost` */
  showConnection(status) {
    this.connection = status;
    this.drawLive();
    if (status !== 'lost') {
      if (this.isLostShown) find('banner').hidden = true;
      this.isLostShown = false;
      return;
    }
    if (find('frame').hidden) {
      this.wasLost = true;
      const text = 'realm studio may have ended. Start it again and use the link it prints.';
      this.showText('The server does not answer.', text, 'Try again', this.delegate.retry);
      return;
    }
    if (this.isGone || this.isLostShown) return;
    this.isLostShown = true;
    const text = 'The connection to realm studio is lost. The page tries again by itself; ';
    this.showBanner(text + 'what you see may be old.', 'lost');
  }

  /** @param {boolean} isPaused */
  showPaused(isPaused) {
    this.isPaused = isPaused;
    this.drawLive();
  }

  drawLive() {
    const isLost = this.connection !== 'live';
    this.live.textContent = isLost ? 'offline' : this.isPaused ? 'paused' : 'live';
    this.live.dataset.status = this.live.textContent;
    this.live.setAttribute('aria-pressed', String(this.isPaused));
  }

  /** The file was deleted or replaced. @param {string} message */
  showGone(message) {
    this.isGone = true;
    this.showBanner(message || 'The file is no longer there.', 'gone');
  }

  showBanner(text, kind) {
    const banner = find('banner');
    banner.className = kind;
    const words = make('span', null, text);
    words.dir = 'auto';
    banner.replaceChildren(words, button('Try again', () => {
      this.isGone = false;
      this.delegate.retry();
    }));
    banner.hidden = false;
  }

  /** @param {boolean} wasRefused whether there was a token that the server does not know */
  showMissingToken(wasRefused) {
    find('frame').hidden = true;
    find('banner').hidden = true;
    for (const id of ['screens', 'live', 'keys-button']) find(id).hidden = true;
    this.showText(
      wasRefused ? 'This link is of an earlier start.' : 'This page needs the whole link.',
      'realm studio prints a link when it starts; the part after # lets this browser in. Open that link.');
  }

  showNoClasses() {
    find('frame').hidden = true;
    const text = 'They appear as soon as a program opens it with its classes.';
    this.showText('This file has no classes yet.', text, 'Look again', () => location.reload());
  }

  /** @param {string} message */
  showFailure(message) {
    this.wasLost = true;
    this.showText('The file cannot be shown.', message, 'Try again', this.delegate.retry);
  }

  showText(title, text, action, run) {
    const root = find('empty');
    root.replaceChildren(...emptyText(title, text, action, run));
    root.hidden = false;
  }

  /**
   * Describes the selection in the status line.
   * @param {import('../data/screen.js').DataScreen|undefined} data
   */
  showSelection(data) {
    const {grid, columns, view} = data ?? {};
    if (!grid || !columns || !view || !grid.selection.isActive) {
      find('status-selection').textContent = '';
      find('status-position').textContent = columns?.hidden.size ? hiddenText(columns) : '';
      return;
    }
    const {selection} = grid;
    const place = [`row ${count(selection.position + 1)} of ${count(view.count)}`];
    if (columns.hidden.size) place.unshift(hiddenText(columns));
    find('status-position').textContent = place.join(' · ');
    if (!selection.isBlock) {
      find('status-selection').textContent = '';
      return;
    }
    const {cells, numbers, sum, isComplete} = totals(selection, columns, grid.rowAt);
    const {size} = selection.rows;
    const parts = [size ? `${several(size, 'row')} selected` : `${count(cells)} cells selected`];
    if (isComplete && numbers > 0) parts.push(`sum ${number(sum)}`, `mean ${number(sum / numbers)}`);
    find('status-selection').textContent = parts.join(' · ');
  }
}

/** @param {number} value */
const number = value => new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 12, maximumFractionDigits: 2, roundingPriority: 'lessPrecision',
}).format(value);

const hiddenText = columns => `${several(columns.hidden.size, 'column')} hidden (c)`;
