"""Every type of property, and values that a page can get wrong (acceptance 11)."""
import os

import realms
from program import Studio
from suite import test

# Elements that no page of Studio has, unless a value has become markup.
STRANGE = """() => [...document.querySelectorAll(
  'body script, b:not(.query-result b, .incoming-name b, .conflict b), img:not(.value-image), iframe, object, embed, [onerror], [onload]')]
  .map(element => element.outerHTML)"""


def row_of(page, key):
    """Shows the object of a key in the inspector."""
    page.tab.evaluate("""key => { location.hash = new URLSearchParams(
        {class: 'Everything', filter: 'key == ' + JSON.stringify(key)}) }""", key)
    page.see_count(1)
    page.wait("key => document.querySelector('.grid-row:not([hidden]) .cell')?.textContent === key", key)
    page.select(1, "key")
    page.wait("""key => document.querySelector('.inspector-title')?.textContent.includes(key.slice(0, 20))
        && document.querySelector('.inspector-incoming h3')""", key)


def inspected(page, name):
    """Text of a property in the inspector."""
    return page.wait("""name => { const row = [...document.querySelectorAll('.inspector-body > .inspector-list > .inspector-row')]
        .find(row => row.querySelector('.inspector-name').textContent === name);
        return row && row.children[1].textContent }""", name)


def nothing_is_strange(page):
    found = page.tab.evaluate(STRANGE)
    assert not found, found


@test
def every_type_is_shown_in_the_grid_and_the_inspector(world):
    with Studio(world.tool, world.everything) as studio, world.browser.page(studio, width=1920) as page:
        row_of(page, "full")
        values = {
            "int value": "9223372036854775807", "bool value": "true", "string value": "plain", "float value": "1.5",
            "double value": "-0.1", "objectId value": "507f1f77bcf86cd799439011", "decimal128 value": "1234567890.123456789",
            "uuid value": "123e4567-e89b-12d3-a456-426614174000", "date value": "2024-05-17 08:30:00.123"}
        for name, value in values.items():
            shown = inspected(page, name)
            assert shown.lower().startswith(value), (name, shown)
        assert inspected(page, "data value").startswith("8 bytes")
        assert inspected(page, "friend").startswith("Everything")
        for kind in realms.SINGLE:
            assert inspected(page, f"{kind} list").startswith("List 2"), kind
        assert inspected(page, "any").startswith("Dictionary 1")
        # The parts that are open load their elements.
        page.see(".value-element", "507f1f77bcf86cd799439011")
        for title in values:
            column = page.column(title)
            page.tab.evaluate("""column => { const title = document.querySelector(`.grid-title[aria-colindex="${column}"]`);
                document.querySelector('.grid-scroller').scrollLeft = title.offsetLeft - 50 }""", column)
            page.wait("""column => { const cell = document.querySelector(
                `.grid-row:not([hidden]) > [aria-colindex="${column}"]`); return cell && cell.textContent.trim() !== '' }""",
                column)
        nothing_is_strange(page)


@test
def nil_and_empty_values_differ(world):
    with Studio(world.tool, world.everything) as studio, world.browser.page(studio) as page:
        row_of(page, "nil")
        for kind in realms.SINGLE:
            assert inspected(page, f"{kind} value") == "nil", kind
        assert inspected(page, "any") == "nil" and inspected(page, "part") == "nil"
        row_of(page, "empty")
        assert inspected(page, "string value").startswith('""')
        assert inspected(page, "data value").startswith("0 bytes")
        assert inspected(page, "int list").startswith("List 0")


@test
def nested_values_open_level_by_level(world):
    with Studio(world.tool, world.everything) as studio, world.browser.page(studio) as page:
        row_of(page, "full")
        for text in ("deep", "deeper", "leaf"):
            page.tab.evaluate("""() => { const row = [...document.querySelectorAll('.inspector-row')].find(
                row => row.querySelector('.inspector-name').textContent === 'any');
                for (const details of row.querySelectorAll('details')) details.open = true }""")
            page.see(".value-element", text)
        page.wait("""() => { const row = [...document.querySelectorAll('.inspector-row')].find(
            row => row.querySelector('.inspector-name').textContent === 'any');
            for (const details of row.querySelectorAll('details')) details.open = true;
            return row.textContent.includes('leaf') && row.textContent.includes('<script>') }""")
        nothing_is_strange(page)


@test
def markup_in_names_and_values_stays_text_on_every_screen(world):
    with Studio(world.tool, world.everything, "--write") as studio, world.browser.page(studio, width=1920) as page:
        for key in ("markup", realms.IMAGE):
            row_of(page, key)
            nothing_is_strange(page)
        row_of(page, "markup")
        page.see(".value", realms.SCRIPT)
        for screen in ("schema", "file", "data"):
            page.tab.locator(f"#screens [data-screen={screen}]").click()
            page.see({"schema": ".schema-body .properties", "file": ".storage-part", "data": ".grid-scroller"}[screen])
            nothing_is_strange(page)
        # The message of a mistake repeats what was typed.
        page.ask(realms.IMAGE)
        page.see(".query-error")
        nothing_is_strange(page)
        page.ask(f'`string value` == "{realms.SCRIPT}"')
        page.wait("() => location.hash.includes('string+value')")
        page.see_count(1)
        page.tab.locator(".query-input").press("Alt+Enter")
        page.see("dialog .explanation pre", "<script>")
        nothing_is_strange(page)
        page.press("Escape")
        row_of(page, "markup")
        for key, selector in (("=", ".summary .bars, .summary .facts"), ("n", "form.new-object"), ("F2", ".cell-editor"),
                              ("?", ".key-list"), ("c", ".column-list"), ("a", ".panel.groups")):
            page.select(1, "string value")
            page.press(key)
            page.see(selector)
            nothing_is_strange(page)
            page.press("Escape")
            page.wait("() => !document.querySelector('dialog, .cell-editor')")


@test
def the_diagram_and_swift_source_hold_strange_names(world):
    with Studio(world.tool, world.everything) as studio, world.browser.page(studio) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.press("g", "s")
        page.see(".schema-body .properties", realms.SCRIPT)
        page.tab.locator("[role=tab][data-kind=diagram]").click()
        page.see(".schema-body svg", "Part <b>")
        nothing_is_strange(page)
        page.tab.locator("button", has_text="Copy all as Swift").click()
        page.see(".notice", "copied")
        assert "class" in page.tab.evaluate("() => navigator.clipboard.readText()")


@test
def emoji_and_right_to_left_text_are_shown_and_edited(world):
    file = realms.copied(world.everything, "everything-edited")
    with Studio(world.tool, file, "--write") as studio, world.browser.page(studio) as page:
        row_of(page, "right to left")
        assert inspected(page, "string value") == realms.RIGHT_TO_LEFT
        direction = page.tab.evaluate("""text => getComputedStyle([...document.querySelectorAll('.inspector .value, #inspector .value')]
            .find(one => one.textContent === text)).direction""", realms.RIGHT_TO_LEFT)
        assert direction == "rtl", direction
        row_of(page, "emoji")
        page.see(".value", realms.EMOJI)
        page.select(1, "string value")
        page.press("Enter")
        page.see(".cell-editor textarea")
        assert page.tab.locator(".cell-editor textarea").input_value() == realms.EMOJI
        page.tab.locator(".cell-editor textarea").fill(realms.RIGHT_TO_LEFT + realms.EMOJI)
        page.press("Enter")
        page.wait("() => !document.querySelector('.cell-editor')")
        rows = world.tool.rows(file, "Everything", 'key == "emoji"')
        assert rows[0]["string value"] == realms.RIGHT_TO_LEFT + realms.EMOJI, rows


@test
def a_long_text_is_cut_in_the_grid_and_whole_in_the_inspector(world):
    with Studio(world.tool, world.everything) as studio, world.browser.page(studio) as page:
        row_of(page, "long")
        text = page.cell_text(1, "string value")
        assert len(text) < 250 and text.endswith("…"), len(text)
        assert realms.LONG_TEXT in inspected(page, "string value")


@test
def an_image_is_shown_only_when_its_bytes_are_one(world):
    with Studio(world.tool, world.everything) as studio, world.browser.page(studio) as page:
        row_of(page, "image")
        page.wait("() => document.querySelector('.value-image')?.naturalWidth === 1")
        row_of(page, "full")
        page.wait("() => !document.querySelector('.value-image')")


@test
def an_encrypted_file_is_shown_with_its_key_only(world):
    key = world.files / "key"
    key.write_bytes(os.urandom(64))
    path = world.files / "encrypted.realm"
    realms.everything_file(world.tool, path, "--key-file", key)
    with Studio(world.tool, path, "--key-file", key) as studio, world.browser.page(studio) as page:
        row_of(page, "emoji")
        page.see(".value", realms.EMOJI)
        page.press("g", "f")
        page.see(".facts", "Encrypted")
    world.tool.refuses("studio", path, "--no-browser")


@test
def a_class_without_objects_says_so(world):
    path = world.files / "nothing.realm"
    (world.files / "Dog.jsonl").write_text('{"id":1}\n')
    world.tool.run("import", path, world.files / "Dog.jsonl", "--key-property", "id")
    world.tool.run("delete", path, "Dog", "--where", "TRUEPREDICATE", "--yes")
    with Studio(world.tool, path) as studio, world.browser.page(studio) as page:
        page.see(".grid-empty", "Dog has no objects.")
