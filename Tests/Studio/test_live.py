"""Changes of other programs (acceptance 2 and 6)."""
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

from browser import eventually
from suite import test

# Collects the cells that are tinted from now on, as [row, column title, text], with the time at which they were seen.
TINTED = """() => {
  window.tinted = new Map();
  const look = () => {
    for (const cell of document.querySelectorAll('.grid-row:not([hidden]) .changed, .grid-row:not([hidden]) .added')) {
      const row = +cell.parentElement.ariaRowIndex - 1;
      const title = document.querySelector(`.grid-title[aria-colindex="${cell.ariaColIndex}"] .grid-title-name`).textContent;
      const key = JSON.stringify([row, title]);
      if (!tinted.has(key)) tinted.set(key, [row, title, cell.textContent, performance.now()]);
    }
  };
  new MutationObserver(look).observe(document.getElementById('grid'),
    {subtree: true, childList: true, attributes: true, attributeFilter: ['class']});
}"""


@test
def exactly_the_cells_that_another_process_changes_are_tinted(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.tab.evaluate("() => { document.querySelector('.grid-scroller').scrollTop = 300 * 24 }")
        page.see_rows_at(305)
        page.see("#live", "live")
        top = page.tab.evaluate("() => document.querySelector('.grid-scroller').scrollTop")
        page.tab.evaluate(TINTED)
        world.tool.run("set", studio.file, "Dog", "--where", "id IN {303, 306, 309}", "age=77", "--yes")
        page.wait("() => tinted.size >= 3")
        for row in (304, 307, 310):
            page.see_cell(row, "age", "77")
        page.wait("() => !document.querySelector('#grid .changed')")
        tinted = page.tab.evaluate("() => [...tinted.values()].map(([row, title, text]) => [row, title, text])")
        assert sorted(tinted) == [[304, "age", "77"], [307, "age", "77"], [310, "age", "77"]], tinted
        assert page.tab.evaluate("() => document.querySelector('.grid-scroller').scrollTop") == top
        assert page.count() == 1_000
        assert page.cell_text(305, "age") == str(304 % 17)


@test
def new_and_deleted_objects_above_leave_the_visible_rows_where_they_are(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.ask("id != 1000000")
        page.see_count(1_000)
        page.tab.evaluate("() => { document.querySelector('.grid-scroller').scrollTop = 600 * 24 }")
        page.see_cell(606, "name", "Dog 605")
        place = """() => [...document.querySelectorAll('.grid-row:not([hidden])')].find(
            row => row.textContent.includes('Dog 605'))?.getBoundingClientRect().top"""
        before = page.tab.evaluate(place)
        world.tool.run("delete", studio.file, "Dog", "--where", "id < 10", "--yes")
        page.see_count(990)
        page.see_cell(596, "name", "Dog 605")
        assert page.tab.evaluate(place) == before
        world.tool.run("create", studio.file, "Dog", "id=5000", "name=New", "age=1", "weight=1.5",
                       "born=2024-05-17", "vaccinated=true")
        page.see_count(991)
        page.see(".classes-row", "991")


@test
def a_program_that_writes_is_followed_and_never_blocked(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.see_cell(1, "age", "0")
        times, done = [], threading.Event()

        def write():
            for number in range(40):
                start = time.monotonic()
                world.tool.run("set", studio.file, "Dog", "0", f"age={100 + number}")
                times.append(time.monotonic() - start)
            done.set()

        writer = threading.Thread(target=write)
        writer.start()
        page.focus_grid()
        page.press("ArrowDown")
        while not done.is_set():
            page.press("ArrowDown")
        writer.join()
        page.press("Home")
        page.see_cell(1, "age", "139")
        world.measured("realm set beside the page, the longest", max(times) * 1000, "ms", "not blocked", 10_000)

        def readers_are_at_the_newest_version():
            storage = studio.request("GET", "api/storage").json
            return all(reader["version"] == storage["version"] for reader in storage["readers"])

        eventually(readers_are_at_the_newest_version)
        version = world.tool.run("set", studio.file, "Dog", "0", "age=7") and studio.request("GET", "api/file").json
        page.see("#file-facts", f"version {version['version']:,}")


@test
def the_file_opens_while_a_program_writes_it(world):
    file, stop = world.people(), threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            world.tool.run("set", file, "Dog", "3", f"age={number}")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with world.studio(file=file) as studio, world.browser.page(studio) as page:
            page.see_cell(4, "name", "Dog 3")
            old = page.cell_text(4, "age")
            page.wait("""([row, old]) => document.querySelectorAll('.grid-row:not([hidden])')[row].children[2].textContent
                !== old""", [3, old])
    finally:
        stop.set()
        writer.join()


@test
def a_change_is_on_the_screen_soon(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        page.see("#live", "live")
        times = []
        for number in range(12):
            action = f"""() => fetch('/api/batch', {{method: 'POST', headers: {{'Content-Type': 'application/json',
              'X-Studio-Token': sessionStorage.getItem('studio-token')}}, body: JSON.stringify({{label: 'Test', operations: [
              {{op: 'set', class: 'Dog', row: 2, property: 2, value: {500 + number}}}]}})}})"""
            holds = f"() => document.querySelectorAll('.grid-row:not([hidden])')[2].children[2].textContent === '{500 + number}'"
            times.append(page.elapsed(action, holds))
            # More than ten changes in a second are joined.
            page.wait("() => !document.querySelector('#grid .changed')")
        world.measured("durable write by a request until its cell on the screen", statistics.median(times), "ms",
                       "< 50", 3_000)


@test
def many_commits_a_second_do_not_freeze_the_page(world):
    # In memory, where commits wait for no disk.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, \
            world.studio(file=shutil.copy(world.people(), folder)) as studio, world.browser.page(studio) as page:
        commits = 1_000
        commands = world.files / "commands"
        commands.write_text("".join(f"set Dog {number % 20} age={number}\n" for number in range(commits)))
        page.focus_grid()
        page.begin_watching()
        start = time.monotonic()
        with open(commands) as typed:
            writer = subprocess.Popen([world.tool.path, "shell", str(studio.file)], stdin=typed, stdout=subprocess.DEVNULL)
            while writer.poll() is None:
                page.press("ArrowDown")
        rate = commits / (time.monotonic() - start)
        assert writer.returncode == 0
        frames, _ = page.end_watching()
        page.press("Home")
        page.see_cell(1, "age", str(commits - 20))
        world.measured(f"frames beside {rate:,.0f} commits a second: 95 %", frames[int((len(frames) - 1) * 0.95)], "ms",
                       "not frozen", 1_000)


@test
def a_paused_page_keeps_its_rows_and_resumes(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.focus_grid()
        page.press("p")
        page.see("#live", "paused")
        version = page.tab.inner_text("#file-facts")
        world.tool.run("set", studio.file, "Dog", "1", "age=321")
        page.wait("version => document.getElementById('file-facts').textContent !== version", version)
        assert page.cell_text(2, "age") == "1"
        page.press("p")
        page.see_cell(2, "age", "321")


@test
def a_deleted_file_is_reported(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.see("#live", "live")
        studio.file.unlink()
        page.see("#banner", "file")
