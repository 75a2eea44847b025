"""Pages of other origins, with the port known (acceptance 10)."""
import functools
import http.server
import json
import pathlib
import socket
import tempfile
import threading

from suite import test

ATTACK = """<!doctype html><meta charset=utf-8><title>attack</title><body><script>
const studio = %(address)s, token = %(token)s;
const results = {};
const attempt = async (name, run) => { try { results[name] = await run(); } catch (error) { results[name] = 'refused'; } };
const body = JSON.stringify({label: 'attack', operations: [{op: 'delete', class: 'Dog', row: 1}]});
const read = async answer => answer.type === 'opaque' ? 'opaque' : answer.status + ' ' + await answer.text();
const loaded = (tag, attribute, path) => new Promise(resolve => {
  const element = document.createElement(tag);
  if (tag === 'link') element.rel = 'stylesheet';
  element.onload = () => resolve('loaded');
  element.onerror = () => resolve('refused');
  element[attribute] = studio + path;
  document.body.append(element);
});
async function run() {
  for (const path of ['', 'main.js', 'api/file', 'api/events']) {
    await attempt('fetch ' + path, async () => read(await fetch(studio + path)));
    await attempt('fetch with token ' + path, async () => read(await fetch(studio + path, {headers: {'X-Studio-Token': token}})));
    await attempt('no-cors ' + path, async () => read(await fetch(studio + path, {mode: 'no-cors', credentials: 'include'})));
  }
  for (const path of ['api/batch', 'api/undo', 'api/view', 'api/compact']) {
    await attempt('post ' + path, async () => read(await fetch(studio + path, {method: 'POST', body})));
    await attempt('post with token ' + path, async () => read(await fetch(studio + path, {method: 'POST', body,
      headers: {'X-Studio-Token': token, 'Content-Type': 'application/json'}})));
    await attempt('post no-cors ' + path, async () => read(await fetch(studio + path, {method: 'POST', body, mode: 'no-cors'})));
    await attempt('beacon ' + path, async () => { navigator.sendBeacon(studio + path, body); return 'opaque'; });
  }
  results['script'] = await loaded('script', 'src', 'main.js');
  results['script of data'] = await loaded('script', 'src', 'api/file');
  results['image'] = await loaded('img', 'src', 'icon.svg');
  results['style'] = await loaded('link', 'href', 'style.css');
  await attempt('socket', () => new Promise(resolve => {
    const socket = new WebSocket(studio.replace('http', 'ws') + 'api/events');
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  }));
  await attempt('frame', () => new Promise(resolve => {
    const frame = document.createElement('iframe');
    frame.onload = () => { let text; try { text = frame.contentDocument.body.textContent; } catch { text = null; }
      resolve(text === null ? 'opaque' : 'read ' + text.slice(0, 40)); };
    frame.src = studio;
    document.body.append(frame);
  }));
  await attempt('form', () => new Promise(resolve => {
    const frame = document.createElement('iframe');
    frame.name = 'target';
    document.body.append(frame);
    const form = document.createElement('form');
    Object.assign(form, {method: 'POST', action: studio + 'api/batch', target: 'target', enctype: 'text/plain'});
    const field = document.createElement('input');
    Object.assign(field, {name: body.slice(0, -1) + ',"x":"', value: '"}'});
    form.append(field);
    document.body.append(form);
    frame.onload = () => resolve('opaque');
    form.submit();
  }));
  return results;
}
</script>"""


class OtherOrigin:
    """A web server of an attacker on another port."""

    def __init__(self, page):
        self.folder = tempfile.TemporaryDirectory()
        (pathlib.Path(self.folder.name) / "index.html").write_text(page)

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=self.folder.name))
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()


@test
def a_page_of_another_origin_reads_nothing_and_changes_nothing(world):
    with world.studio("--write") as studio, world.browser.context() as context:
        before = world.tool.content(studio.file)
        page = ATTACK % {"address": json.dumps(studio.address), "token": json.dumps(studio.token)}
        with OtherOrigin(page) as other:
            # The same site with another port, and another site.
            for host in ("127.0.0.1", "localhost"):
                tab = context.new_page()
                tab.goto(f"http://{host}:{other.port}/")
                results = tab.evaluate("() => run()")
                assert len(results) > 30, results
                for name, result in results.items():
                    assert result in ("refused", "opaque"), f"{host}: {name}: {result[:200]}"
                assert {results[name] for name in ("script", "script of data", "image", "style", "socket")} == {"refused"}
                frames = [frame.evaluate("() => document.documentElement?.innerText ?? ''")
                          for frame in tab.frames[1:] if not frame.url.startswith("about:")]
                assert not any("Dog" in text or "people" in text for text in frames), frames
                tab.close()
        assert world.tool.content(studio.file) == before


@test
def a_studio_of_another_port_cannot_use_the_page_of_this_one(world):
    with world.studio("--write") as one, world.studio("--write") as other, world.browser.page(one) as page:
        # The page's own policy forbids that already, which is what the console says.
        with page.tab.expect_console_message(lambda message: "policy violated: connect-src" in message.text):
            result = page.tab.evaluate("""async ([address, token]) => { try {
                return await (await fetch(address + 'api/file', {headers: {'X-Studio-Token': token}})).text();
              } catch { return 'refused' } }""", [other.address, other.token])
        assert result == "refused", result
        page.faults.clear()


@test
def names_that_a_rebound_domain_sends_are_refused(world):
    with world.studio() as studio:
        for host in (f"attacker.example:{studio.port}", f"127.0.0.1.nip.io:{studio.port}", f"[::1]:{studio.port}", "127.0.0.1"):
            answer = raw(studio, f"GET /api/file HTTP/1.1\r\nHost: {host}\r\nX-Studio-Token: {studio.token}\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 403"), (host, answer[:80])
        for name in (f"127.0.0.1:{studio.port}", f"localhost:{studio.port}"):
            answer = raw(studio, f"GET /api/file HTTP/1.1\r\nHost: {name}\r\nX-Studio-Token: {studio.token}\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200"), (name, answer[:80])


def raw(studio, text):
    with socket.create_connection(("127.0.0.1", studio.port), timeout=10) as connection:
        connection.sendall(text.encode())
        return connection.recv(65_536)


@test
def the_token_is_in_no_argument_and_no_request_line(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        arguments = open(f"/proc/{studio.process.pid}/cmdline", "rb").read()
        assert studio.token.encode() not in arguments
        addresses = []
        page.tab.on("request", lambda request: addresses.append((request.url, request.headers)))
        page.open_class("Person")
        page.tab.reload()
        page.see_cell(1, "name", "Person 0")
        assert len(addresses) > 10
        for address, headers in addresses:
            assert studio.token not in address, address
            assert studio.token not in headers.get("referer", ""), headers
            assert address.startswith((studio.address, "blob:")), f"fetched from elsewhere: {address}"
