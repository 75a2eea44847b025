"""The grid, the query line, links, export (acceptance 3, 4, 5 and 9)."""
import csv
import io
import json
import time

from suite import test


@test
def end_and_home_show_the_last_and_the_first_row_of_a_million(world):
    with world.browser.page(world.million) as page:
        page.see_count(1_000_000)
        page.focus_grid()
        page.press("ArrowDown")
        page.begin_watching()
        page.press("End")
        page.see_cell(1_000_000, "name", "Dog 999999")
        page.press("Home")
        page.see_cell(1, "name", "Dog 0")
        _, blankest = page.end_watching()
        world.measured("longest time without rows: End, Home", blankest, "ms", "< 100", 3_000)


@test
def a_dragged_thumb_shows_rows_everywhere(world):
    with world.browser.page(world.million) as page:
        box = page.tab.locator(".grid-scroller").bounding_box()
        bar = page.tab.evaluate("""() => { const one = document.querySelector('.grid-scroller');
            return one.offsetWidth - one.clientWidth }""")
        assert bar > 4, "the browser shows no scroll bar"
        x = box["x"] + box["width"] - bar / 2
        top, bottom = box["y"] + 24, box["y"] + box["height"] - 24
        mouse = page.tab.mouse
        mouse.move(x, top)
        mouse.down()
        page.begin_watching()
        for step in range(1, 61):
            mouse.move(x, top + (bottom - top) * step / 60)
        middle = page.tab.evaluate("() => document.querySelector('.grid-scroller').scrollTop")
        assert middle > 100_000, f"the thumb has moved to {middle} px only"
        for step in range(60, 29, -1):
            mouse.move(x, top + (bottom - top) * step / 60)
        mouse.up()
        page.wait("""() => { const rows = [...document.querySelectorAll('.grid-row:not([hidden])')];
            return rows.length && rows.every(row => !row.querySelector('.waiting')) }""")
        _, blankest = page.end_watching()
        first = page.tab.evaluate("() => +document.querySelector('.grid-row:not([hidden])').ariaRowIndex")
        assert 100_000 < first < 900_000, first
        world.measured("longest time without rows: thumb dragged", blankest, "ms", "< 100", 3_000)


@test
def a_held_page_down_shows_rows_all_the_time(world):
    with world.browser.page(world.million) as page:
        page.focus_grid()
        page.press("ArrowDown")
        page.begin_watching()
        end, presses = time.monotonic() + 10, 0
        while time.monotonic() < end:
            page.press("PageDown")
            presses += 1
        _, blankest = page.end_watching()
        position = int(page.tab.inner_text("#status-position").split(" ")[1].replace(",", ""))
        assert position > presses * 5, (position, presses)
        page.see_cell(position, "name", f"Dog {position - 1}")
        world.measured(f"longest time without rows: PgDn held, {presses} presses", blankest, "ms", "< 100", 3_000)


@test
def a_mistake_in_a_query_is_marked_where_it_is_and_its_correction_shows_rows(world):
    with world.browser.page(world.million) as page:
        page.press("/")
        page.type("age > > 3")
        error = page.see(".query-error").inner_text()
        assert "position 6" in error, error
        assert page.tab.inner_text(".query-fault") == ">"
        before = page.tab.evaluate("() => document.querySelector('.query-mirror').textContent")
        assert before == "age > > 3", before
        page.ask("age > 3 AND color == \"brown\"")
        matching = sum(1 for number in range(1_000_000) if number % 17 > 3 and number % 5 == 0)
        page.see_count(matching)
        assert page.tab.locator(".query-error:not([hidden])").count() == 0
        assert page.tab.inner_text(".query-result").endswith("ms")


@test
def explain_says_whether_an_index_served(world):
    with world.browser.page(world.million) as page:
        for query, count, word in (("id == 7", 1, "index: id == 7"), ("age == 7", 58_824, "scan:")):
            # The dialog explains what is typed, even when it has not run yet.
            page.tab.locator(".query-input").fill(query)
            page.tab.locator(".query-input").press("Alt+Enter")
            text = page.see("dialog .explanation pre").inner_text()
            page.see_count(count)
            assert word in text, text
            page.press("Escape")
            page.wait("() => !document.querySelector('dialog')")


@test
def completion_offers_properties_and_stored_values(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.press("/")
        page.type("col")
        page.see(".query-item-text", "color")
        page.press("Tab")
        page.type("== ")
        page.see(".query-item-text", "golden")
        page.type('"gol')
        page.see(".query-item-text", "golden")
        page.press("Tab")
        page.see_count(200)


@test
def an_owner_and_its_other_dogs_are_reached_by_keyboard_and_back_returns(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.focus_grid()
        page.press("ArrowDown", "ArrowDown", "ArrowDown", *["ArrowRight"] * 4)
        page.wait("() => document.getElementById('grid-cursor')?.textContent === 'Person \"2\"'")
        page.wait("() => location.hash.endsWith('object=Dog%2F2')")
        page.press("Enter")
        page.wait("() => document.querySelector('.query-class').textContent === 'Person'")
        page.see_count(100)
        page.see(".incoming-row", "Dog.owner")
        page.press("g", "i")
        page.wait("() => document.activeElement.matches('.inspector-row')")
        page.press("ArrowDown", "ArrowDown", "ArrowDown")
        page.wait("() => document.activeElement.matches('.incoming-row')")
        page.press("Enter")
        page.see_count(10)
        page.see_cell(2, "name", "Dog 102")
        page.tab.go_back()
        page.wait("() => document.querySelector('.query-class').textContent === 'Person'")
        page.see_count(100)
        page.tab.go_back()
        page.wait("() => document.querySelector('.query-class').textContent === 'Dog'")
        page.see_count(1_000)
        page.wait("() => document.getElementById('grid-cursor')?.closest('.grid-row').ariaRowIndex === '4'")


@test
def backspace_returns_over_a_link(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.select(8, "owner")
        page.press("o")
        page.wait("() => document.querySelector('.query-class').textContent === 'Person'")
        page.wait("() => document.getElementById('grid-cursor')?.closest('.grid-row').ariaRowIndex === '9'")
        page.press("Backspace")
        page.wait("() => document.querySelector('.query-class').textContent === 'Dog'")


@test
def a_copied_address_opens_the_same_in_another_tab(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.ask("age > 3")
        page.see_count(sum(1 for number in range(1_000) if number % 17 > 3))
        page.tab.locator(".query-input").press("Enter")
        page.tab.locator(".grid-title", has_text="weight").click()
        page.wait("() => document.querySelector('.grid-title[aria-sort=ascending]')")
        page.see_cell(1, "weight", "5")
        page.select(3, "name")
        page.wait("() => location.hash.includes('object=')")
        name, address = page.cell_text(3, "name"), page.tab.url
        other = page.context.new_page()
        other.goto(address)
        other.wait_for_function("""name => document.getElementById('grid-cursor')?.closest('.grid-row')
            .textContent.includes(name)""", arg=name)
        assert other.input_value(".query-input") == "age > 3"
        assert other.locator(".grid-title[aria-sort=ascending]").inner_text().startswith("weight")
        assert other.inner_text(".query-result b") == page.tab.inner_text(".query-result b")
        other.close()


@test
def the_export_of_a_filtered_and_sorted_view_is_what_the_view_shows(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.ask("age == 5")
        page.see_count(59)
        page.tab.locator(".query-input").press("Enter")
        page.select(1, "weight")
        page.press("s", "s")
        page.wait("() => document.querySelector('.grid-title[aria-sort=descending]')")
        for place, kind in enumerate(("csv", "json", "jsonl")):
            page.press("e")
            page.see(".export")
            page.press(*["ArrowDown"] * place)
            with page.tab.expect_download() as download:
                page.tab.locator(".export button.primary").click()
            assert download.value.suggested_filename == f"Dog.{kind}"
            text = open(download.value.path(), encoding="utf-8", newline="").read()
            page.wait("() => !document.querySelector('dialog')")
            rows = (list(csv.DictReader(io.StringIO(text))) if kind == "csv" else json.loads(text) if kind == "json"
                    else [json.loads(line) for line in text.splitlines()])
            assert len(rows) == 59, (kind, len(rows))
            weights = [float(row["weight"]) for row in rows]
            assert weights == sorted(weights, reverse=True), kind
            page.focus_grid()


@test
def a_selection_is_copied_as_a_table_with_its_sum_in_the_status_line(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.select(1, "name")
        page.press("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight")
        page.see("#status-selection", "6 cells selected · sum 3 · mean 1")
        page.press("Control+c")
        page.see(".notice", "Copied 3 rows")
        assert page.tab.evaluate("() => navigator.clipboard.readText()") == "Dog 0\t0\nDog 1\t1\nDog 2\t2"
