"""The page of Studio in Debian's Chromium: what a person sees and presses."""
import json
import re
import time

from playwright.sync_api import sync_playwright

from program import is_root

CHROMIUM = "/usr/bin/chromium"
# Reports violations of the content security policy, and what injected markup would do, as errors of the console.
WATCHER = """
addEventListener('securitypolicyviolation', event => console.error(
  'policy violated: ' + event.violatedDirective + ' by ' + event.blockedURI));
window.watch = {blankest: 0, blankSince: 0, frames: [], isRunning: false};
"""
# Answers to requests that a test provokes; the page shows them to the user.
EXPECTED_STATUSES = re.compile(r"Failed to load resource: the server responded with a status of (404|409|422)")


class Browser:
    """One browser for all tests. Each page has a context of its own unless it is told to share one."""

    def __init__(self, folder):
        self.folder = folder
        self.test = ""
        self.playwright = sync_playwright().start()
        arguments = ["--no-sandbox"] if is_root() else []
        self.chromium = self.playwright.chromium.launch(
            executable_path=CHROMIUM, args=arguments, ignore_default_args=["--hide-scrollbars"])

    def context(self, width=1280, height=800, scheme="light", density=1):
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=density,
            timezone_id="UTC", locale="en-US", accept_downloads=True)
        context.set_default_timeout(15_000)
        context.add_init_script(WATCHER)
        return context

    def page(self, studio, fragment=None, context=None, **look):
        """Opens the link of a server; with a fragment, then the place that it names."""
        page = Page(self, context or self.context(**look), studio, owns=context is None)
        page.open(fragment)
        return page

    def close(self):
        self.chromium.close()
        self.playwright.stop()


class Page:
    """A tab with Studio. Collects what no test may provoke: errors, violations of the policy, dialogs."""

    def __init__(self, browser, context, studio, owns=True):
        self.browser, self.context, self.studio, self.owns = browser, context, studio, owns
        self.faults = []
        self.tab = context.new_page()
        self.tab.on("console", self.heard)
        self.tab.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.tab.on("dialog", self.asked)

    def heard(self, message):
        if message.type in ("error", "warning") and not EXPECTED_STATUSES.search(message.text):
            self.faults.append(f"console: {message.text} ({message.location.get('url', '')})")

    def asked(self, dialog):
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, fragment=None):
        self.tab.goto(self.studio.link)
        self.wait("""() => document.querySelector(
            '.grid-row:not([hidden]) .cell:not(.waiting), #empty:not([hidden]), .grid-empty:not([hidden])')""")
        if fragment is not None:
            # Assigning the fragment is what a user who edits the address does.
            self.tab.evaluate("fragment => { location.hash = fragment }", fragment)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None and not self.tab.is_closed():
            self.screenshot(self.browser.folder, f"failed-{self.browser.test}")
            print("\n".join(self.faults))
        is_injected = self.tab.evaluate("() => window.isInjected === true") if not self.tab.is_closed() else False
        if self.owns:
            self.context.close()
        else:
            self.tab.close()
        if kind is None:
            assert not is_injected, "a value has run as a script"
            assert not self.faults, "\n".join(self.faults)

    # Keys

    def press(self, *keys):
        for key in keys:
            self.tab.keyboard.press(key)

    def type(self, text):
        self.tab.keyboard.type(text)

    # Waiting

    def wait(self, function, argument=None, timeout=15_000):
        """Waits until a function of JavaScript returns something true, and returns it, or the element."""
        found = self.tab.wait_for_function(function, arg=argument, timeout=timeout)
        return found.json_value() if found.as_element() is None else found

    def see(self, selector, text=None, timeout=15_000):
        """Waits for a visible element, which contains a text when one is given."""
        found = self.tab.locator(selector)
        if text is not None:
            found = found.filter(has_text=text)
        found.first.wait_for(state="visible", timeout=timeout)
        return found.first

    # The grid

    def open_class(self, name):
        self.tab.locator(f'.classes-row[data-name="{name}"]').click()
        self.wait("name => document.querySelector('.query-class').textContent === name"
                  " && document.querySelector('.grid-row:not([hidden]) .cell:not(.waiting)')", name)

    def focus_grid(self):
        self.tab.locator(".grid-scroller").focus()

    def column(self, title):
        """Number of a column, which begins with 1."""
        return self.wait("""title => [...document.querySelectorAll('.grid-title')].find(
            one => one.querySelector('.grid-title-name').textContent === title)?.ariaColIndex""", title)

    def cell_text(self, row, title):
        """Text of a cell on the screen; rows begin with 1. None when it is not drawn."""
        return self.tab.evaluate("""([row, column]) => document.querySelector(
            `.grid-row:not([hidden])[aria-rowindex="${row + 1}"] > [aria-colindex="${column}"]`)?.textContent""",
            [row, self.column(title)])

    def see_cell(self, row, title, text, timeout=15_000):
        """Waits until a cell shows a text."""
        self.wait("""([row, column, text]) => document.querySelector(
            `.grid-row:not([hidden])[aria-rowindex="${row + 1}"] > [aria-colindex="${column}"]`)?.textContent === text""",
            [row, self.column(title), text], timeout)

    def select(self, row, title):
        """Clicks a cell of a visible row, whose column is scrolled into the window before."""
        column = self.column(title)
        # The grid draws what scrolling brings into the window in its next frame, with the elements of other cells.
        self.tab.evaluate("""column => new Promise(resolve => {
            const scroller = document.querySelector('.grid-scroller'), {scrollLeft, clientWidth} = scroller;
            const {offsetLeft, offsetWidth} = document.querySelector(`.grid-title[aria-colindex="${column}"]`);
            if (offsetLeft < scrollLeft || offsetLeft + offsetWidth > scrollLeft + clientWidth) scroller.scrollLeft = offsetLeft;
            requestAnimationFrame(() => requestAnimationFrame(resolve));
          })""", column)
        self.tab.locator(f'.grid-row:not([hidden])[aria-rowindex="{row + 1}"] > [aria-colindex="{column}"]').click()
        self.wait("""([row, column]) => { const cell = document.getElementById('grid-cursor');
            return cell?.ariaColIndex === column && cell.parentElement.ariaRowIndex === row }""", [str(row + 1), str(column)])

    def count(self):
        """The number of objects beside the query."""
        return int(self.tab.locator(".query-result b").inner_text().replace(",", ""))

    def see_count(self, count, timeout=15_000):
        text = f"{count:,}"
        self.wait("text => document.querySelector('.query-result b')?.textContent === text", text, timeout)

    def ask(self, query):
        """Types a query and waits until it is the one that is shown, or its mistake."""
        self.tab.locator(".query-input").fill(query)
        self.wait("""text => (new URLSearchParams(location.hash.slice(1)).get('filter') ?? '') === text
            || !document.querySelector('.query-error').hidden""", query)

    def see_rows_at(self, position, timeout=15_000):
        """Waits until the row of a position is drawn with its values."""
        self.wait("""row => { const drawn = document.querySelector(`.grid-row:not([hidden])[aria-rowindex="${row}"]`);
            return drawn && !drawn.querySelector('.waiting') }""", position + 2, timeout)

    # Measurements

    def begin_watching(self):
        """Measures in each frame how long it took, and for how long the grid shows no row with values."""
        self.tab.evaluate("""() => {
          watch.frames = []; watch.blankest = 0; watch.blankSince = 0; watch.isRunning = true;
          let before = 0;
          const step = now => {
            if (!watch.isRunning) return;
            if (before) watch.frames.push(now - before);
            before = now;
            const hasRows = document.querySelector('.grid-row:not([hidden]) .cell:not(.waiting)') !== null;
            if (hasRows) {
              if (watch.blankSince) watch.blankest = Math.max(watch.blankest, now - watch.blankSince);
              watch.blankSince = 0;
            } else watch.blankSince ||= now;
            requestAnimationFrame(step);
          };
          requestAnimationFrame(step);
        }""")

    def end_watching(self):
        """Returns sorted frame times and the longest time without rows, in milliseconds."""
        frames, blankest = self.tab.evaluate("""() => { watch.isRunning = false;
          if (watch.blankSince) watch.blankest = Math.max(watch.blankest, performance.now() - watch.blankSince);
          return [watch.frames, watch.blankest] }""")
        return sorted(frames), blankest

    def elapsed(self, action, condition, timeout=15_000):
        """Time from an action to the first frame in which a condition holds, in milliseconds; both are JavaScript."""
        return self.tab.evaluate("""([action, condition, timeout]) => new Promise((resolve, reject) => {
          const act = (0, eval)(action), holds = (0, eval)(condition);
          const start = performance.now();
          const step = () => {
            if (holds()) resolve(performance.now() - start);
            else if (performance.now() - start > timeout) reject(new Error('not within ' + timeout + ' ms: ' + condition));
            else requestAnimationFrame(step);
          };
          act();
          requestAnimationFrame(step);
        })""", [action, condition, timeout])

    def screenshot(self, folder, name):
        folder.mkdir(parents=True, exist_ok=True)
        self.tab.screenshot(path=str(folder / f"{name}.png"))


def eventually(condition, seconds=15):
    """Calls a function until it returns something true, which it returns. Looks 50 times a second."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"not within {seconds} s: {condition}"
        time.sleep(0.02)


def literal(value):
    """A value as JavaScript."""
    return json.dumps(value)
