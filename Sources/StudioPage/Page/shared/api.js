/** Requests to the server. The token of the link stays in this tab: in `sessionStorage` and in a header. */

const storageKey = 'studio-token';
const channel = 'BroadcastChannel' in self ? new BroadcastChannel('studio-token') : null;
let token = '';

/** A refused or failed request. `status` is 0 when the server was not reached. */
class ApiError extends Error {
  /** @param {number} status @param {string} message @param {any} [body] */
  constructor(status, message, body) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body ?? {};
  }
}

/**
 * Takes the token from the link's fragment, from this tab's storage, or from another open tab of this server.
 * @returns {Promise<boolean>} whether there is one
 */
export async function takeToken() {
  const fragment = location.hash.slice(1);
  if (/^[A-Za-z0-9_-]{22,}={0,2}$/.test(fragment)) {
    token = fragment;
    history.replaceState(null, '', location.pathname);
    sessionStorage.setItem(storageKey, token);
  } else {
    token = sessionStorage.getItem(storageKey) ?? await tokenOfOtherTab();
  }
  channel?.addEventListener('message', event => {
    if (event.data === 'wanted' && token) channel.postMessage({token});
  });
  return token !== '';
}

/** @returns {Promise<string>} the token, or the empty string when no tab answers within 250 ms */
function tokenOfOtherTab() {
  if (!channel) return Promise.resolve('');
  return new Promise(resolve => {
    const listen = event => {
      if (typeof event.data?.token !== 'string') return;
      sessionStorage.setItem(storageKey, event.data.token);
      finish(event.data.token);
    };
    const finish = result => {
      channel.removeEventListener('message', listen);
      clearTimeout(timer);
      resolve(result);
    };
    const timer = setTimeout(finish, 250, '');
    channel.addEventListener('message', listen);
    channel.postMessage('wanted');
  });
}

/** Forgets a token that the server refused. */
export function forgetToken() {
  token = '';
  sessionStorage.removeItem(storageKey);
}

/** @returns {string} the token, for the worker that reads the stream of events */
export const currentToken = () => token;

/**
 * Sends a request and returns the response; throws `ApiError` when the server refuses it.
 * @param {string} method
 * @param {string} path path below `/api/`
 * @param {{body?: any, signal?: AbortSignal}} [options]
 */
export async function response(method, path, {body, signal} = {}) {
  const headers = {'X-Studio-Token': token};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer;
  try {
    answer = await fetch('/api/' + path, {
      method, headers, signal, cache: 'no-store', body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not answer.');
  }
  if (answer.ok) return answer;
  let details = {};
  try {
    details = await answer.json();
  } catch {}
  const message = details.message ?? `The server refused the request (${answer.status}).`;
  throw new ApiError(answer.status, message, details);
}

/** @param {string} path @param {AbortSignal} [signal] */
export const get = async (path, signal) => (await response('GET', path, {signal})).json();

/** @param {string} path @param {any} body @param {AbortSignal} [signal] */
export const post = async (path, body, signal) =>
  (await response('POST', path, {body: body ?? {}, signal})).json();

/** @param {string} path @param {AbortSignal} [signal] @returns {Promise<Blob>} */
export const blob = async (path, signal) => (await response('GET', path, {signal})).blob();

/** Path of an object: `object/CLASS/ROW`. @param {string} className @param {number|string} row */
export const objectPath = (className, row) => `object/${encodeURIComponent(className)}/${row}`;

/** Whether an error only says that the page has given up the request. @param {any} error */
export const isAborted = error => error?.name === 'AbortError';
