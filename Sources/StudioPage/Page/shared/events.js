/** The stream of events in this tab: read by the shared worker, or here where the browser has none. */
import {currentToken} from './api.js';
import {follow} from './events-worker.js';

/** @type {Map<string, Set<(data: any) => void>>} */
const listeners = new Map();
let begin = () => {};

export const events = {
  /**
   * Calls `listener` for each event `name`: those of the server (`change`, `file`, `gone`, `progress`,
   * `done`, `reload`) and `status` with `live`, `lost` or `refused`. Returns a function that ends it.
   * @param {string} name @param {(data: any) => void} listener
   */
  on(name, listener) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name).add(listener);
    return () => { listeners.get(name).delete(listener); };
  },

  /** Connects to the stream with the current token. */
  start() {
    if ('SharedWorker' in self) startShared();
    else startHere();
    begin();
  },
};

function startShared() {
  const worker = new SharedWorker('shared/events-worker.js', {type: 'module', name: 'studio'});
  worker.port.onmessage = ({data}) => receive(data);
  worker.port.start();
  worker.onerror = startHere;
  begin = () => worker.port.postMessage({kind: 'begin', token: currentToken()});
  addEventListener('pagehide', () => worker.port.postMessage({kind: 'end'}));
  addEventListener('pageshow', event => { if (event.persisted) begin(); });
}

function startHere() {
  follow(currentToken(), new AbortController().signal, receive);
  begin = () => {};
}

/** @param {any} message */
function receive(message) {
  if (message.kind === 'status') emit('status', message.status);
  else if (message.kind === 'event') emit(message.name, message.data);
}

/** @param {string} name @param {any} data */
function emit(name, data) {
  for (const listener of listeners.get(name) ?? []) listener(data);
}
