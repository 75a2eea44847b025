/**
 * Reads the stream of events for all tabs, as a shared worker: a browser has six connections to a server.
 * `EventSource` cannot send the header with the token, so the stream is read by `fetch`.
 */

/**
 * Follows the stream and reads it again after each loss until `signal` says stop.
 * @param {string} token @param {AbortSignal} signal
 * @param {(message: {kind: 'event'|'status', name?: string, data?: any, status?: string}) => void} send
 */
export async function follow(token, signal, send) {
  let pause = 250;
  while (!signal.aborted) {
    const reading = new AbortController();
    signal.addEventListener('abort', () => reading.abort(), {once: true});
    try {
      const answer = await fetch('/api/events', {
        headers: {'X-Studio-Token': token}, signal: reading.signal, cache: 'no-store',
      });
      if (answer.status === 401 || answer.status === 403) {
        send({kind: 'status', status: 'refused'});
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      send({kind: 'status', status: 'live'});
      pause = 250;
      await readEvents(answer.body, reading, send);
    } catch {}
    if (signal.aborted) return;
    send({kind: 'status', status: 'lost'});
    await new Promise(resolve => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 4000);
  }
}

/** Maximum silence, in milliseconds; the server writes a comment every 15 s. */
const silence = 40_000;

/** @param {ReadableStream<Uint8Array>} body @param {AbortController} reading */
async function readEvents(body, reading, send) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const timer = setTimeout(() => reading.abort(), silence);
    const {done, value} = await reader.read();
    clearTimeout(timer);
    if (done) return;
    text += value;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) parse(part, send);
  }
}

/** @param {string} part */
function parse(part, send) {
  let name = '';
  const data = [];
  for (const line of part.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trim());
  }
  if (name) send({kind: 'event', name, data: data.length ? JSON.parse(data.join('\n')) : {}});
}

if ('SharedWorkerGlobalScope' in self) serveTabs();

/**
 * Serves the tabs: each sends its token when it begins, and gets the status and events.
 */
function serveTabs() {
  /** @type {Set<MessagePort>} */
  const ports = new Set();
  let token = '';
  let status = '';
  let following = new AbortController();

  const send = message => {
    if (message.kind === 'status') status = message.status;
    for (const port of ports) port.postMessage(message);
  };
  const begin = newToken => {
    if (newToken === token && status !== 'refused') return;
    token = newToken;
    following.abort();
    following = new AbortController();
    follow(token, following.signal, send);
  };
  self.onconnect = event => {
    const port = event.ports[0];
    port.onmessage = ({data}) => {
      if (data.kind === 'end') {
        ports.delete(port);
        return;
      }
      ports.add(port);
      if (status && data.token === token) port.postMessage({kind: 'status', status});
      begin(data.token);
    };
  };
}
