/**
 * What the page shows, kept in the fragment of the address, so that Back, reload and a copied link work.
 * The fragment is never sent to the server.
 *
 * @typedef {Object} State
 * @property {'data'|'schema'|'file'} screen
 * @property {string} className empty for the first class
 * @property {string} filter
 * @property {[string, boolean][]} sort key paths, and whether they ascend
 * @property {{class: string, row: number}|null} object the selected object
 */

/** @type {State} */
const initial = {screen: 'data', className: '', filter: '', sort: [], object: null};

/** @type {State} */
let current = read();
/** @type {Set<(state: State, previous: State) => void>} */
const listeners = new Set();

export const state = {
  /** @returns {State} */
  get current() { return current; },

  /** Calls `listener` after each change. @param {(state: State, previous: State) => void} listener */
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/**
 * Changes members of the state. Without `replace`, Back returns to the state before.
 * @param {Partial<State>} change @param {{replace?: boolean}} [options]
 */
export function navigate(change, {replace = false} = {}) {
  const next = {...current, ...change};
  const address = write(next);
  if (address === write(current)) return;
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  become(next);
}

/** Reads the address again, when Back, Forward or the user has changed it. */
export function followAddress() {
  addEventListener('popstate', () => become(read()));
}

/** @param {State} next */
function become(next) {
  const previous = current;
  current = next;
  for (const listener of listeners) listener(next, previous);
}

/** @returns {State} */
function read() {
  const values = new URLSearchParams(location.hash.slice(1));
  const screen = values.get('screen');
  const object = /^(.*)\/(\d+)$/s.exec(values.get('object') ?? '');
  return {
    screen: screen === 'schema' || screen === 'file' ? screen : 'data',
    className: values.get('class') ?? '',
    filter: values.get('filter') ?? '',
    sort: values.getAll('sort').filter(Boolean).map(path => {
      return path[0] === '-' ? [path.slice(1), false] : [path, true];
    }),
    object: object ? {class: object[1], row: Number(object[2])} : null,
  };
}

/** @param {State} state @returns {string} */
function write(state) {
  const values = new URLSearchParams();
  if (state.screen !== initial.screen) values.set('screen', state.screen);
  if (state.className) values.set('class', state.className);
  if (state.filter) values.set('filter', state.filter);
  for (const [path, ascends] of state.sort) values.append('sort', (ascends ? '' : '-') + path);
  if (state.object) values.set('object', `${state.object.class}/${state.object.row}`);
  return '#' + values.toString();
}
