"""Editing with --write (acceptance 7)."""
from suite import test


def edit(page, row, title, text, key="Enter"):
    page.select(row, title)
    page.press("Enter")
    page.see(".cell-editor")
    page.press("Control+a")
    page.type(text)
    page.press(key)


def editor_is_closed(page):
    page.wait("() => !document.querySelector('.cell-editor, dialog[open]')")


def notice(page, text):
    page.see(".notice", text)


@test
def an_edited_cell_is_in_the_file_at_once_and_undone_by_ctrl_z(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        assert page.tab.inner_text("#mode") == "writing"
        edit(page, 3, "name", "Wolfie 🐺")
        editor_is_closed(page)
        page.see_cell(3, "name", "Wolfie 🐺")
        assert world.tool.rows(studio.file, "Dog", "id == 2")[0]["name"] == "Wolfie 🐺"
        page.focus_grid()
        page.press("Control+z")
        page.see_cell(3, "name", "Dog 2")
        assert world.tool.rows(studio.file, "Dog", "id == 2")[0]["name"] == "Dog 2"
        page.press("Control+y")
        page.see_cell(3, "name", "Wolfie 🐺")


@test
def wrong_input_stays_in_the_cell_and_changes_nothing(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        before = world.tool.content(studio.file)
        for title, text in (("age", "three"), ("weight", "1,5"), ("born", "2024-02-31")):
            edit(page, 4, title, text)
            page.see(".cell-editor .failure")
            page.press("Escape")
            editor_is_closed(page)
        assert world.tool.content(studio.file) == before


@test
def a_value_changed_meanwhile_is_not_overwritten(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        page.select(5, "name")
        page.press("Enter")
        page.see(".cell-editor")
        page.type("mine")
        world.tool.run("set", studio.file, "Dog", "4", "name=theirs")
        page.see_cell(5, "name", "theirs")
        page.press("Enter")
        conflict = page.see(".cell-editor .conflict")
        assert "theirs" in conflict.inner_text()
        assert world.tool.rows(studio.file, "Dog", "id == 4")[0]["name"] == "theirs"
        page.tab.locator(".conflict button", has_text="Keep theirs").click()
        editor_is_closed(page)
        page.see_cell(5, "name", "theirs")
        edit(page, 5, "name", "mine")
        editor_is_closed(page)
        assert world.tool.rows(studio.file, "Dog", "id == 4")[0]["name"] == "mine"


@test
def create_connect_delete_and_paste_are_seen_by_programs_and_all_undone(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        file, tool = studio.file, world.tool
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        before = tool.content(file)
        edit(page, 1, "age", "42")
        editor_is_closed(page)
        create(page)
        assert tool.rows(file, "Dog", "id == 7000")[0]["name"] == "Newcomer"
        connect(page)
        assert tool.rows(file, "Dog", "id == 1")[0]["owner"] == 77
        delete(page)
        assert tool.rows(file, "Dog", "id == 9") == []
        paste(page)
        pasted = tool.rows(file, "Dog", "id >= 10 AND id < 110")
        assert [row["age"] for row in pasted] == [1_000 + number for number in range(100)]
        assert all(row["name"] == f"Pasted {number}" for number, row in enumerate(pasted))
        assert all(row["color"] == "blue" for row in pasted)
        page.focus_grid()
        for _ in range(5):
            shown = page.tab.locator(".notice").count()
            page.press("Control+z")
            page.wait("shown => document.querySelectorAll('.notice').length > Math.min(shown, 3)", shown)
            page.tab.evaluate("() => document.getElementById('notices').replaceChildren()")
        assert tool.content(file) == before
        page.see_count(1_000)


def create(page):
    page.focus_grid()
    page.press("n")
    page.see("form.new-object")
    row = page.tab.locator("form.new-object .form-row")
    values = {"id": "7000", "name": "Newcomer", "age": "1", "weight": "2.5", "born": "2024-05-17"}
    for name, value in values.items():
        row.filter(has=page.tab.locator(".form-name span", has_text=name).first).locator("input, textarea").first.fill(value)
    row.filter(has_text="vaccinated").locator("select").select_option("true")
    page.tab.locator("dialog footer button.primary").click()
    editor_is_closed(page)
    page.see_count(1_001)


def connect(page):
    page.focus_grid()
    page.press("Home")
    page.select(2, "owner")
    page.press("Enter")
    page.see(".picker .picker-row")
    page.type("Person 77")
    page.wait("() => document.querySelectorAll('.picker-row').length === 1")
    page.see(".picker-preview", "person77@example.org")
    page.press("Enter")
    editor_is_closed(page)
    page.see_cell(2, "owner", 'Person "77"')


def delete(page):
    page.select(10, "name")
    page.press("Delete")
    page.see("dialog", "Delete this object of Dog?")
    page.press("Enter")
    editor_is_closed(page)
    page.see_count(1_000)


def paste(page):
    page.select(10, "name")
    lines = "\n".join(f"Pasted {number}\t{1_000 + number}\tblue" for number in range(100))
    page.tab.evaluate("text => navigator.clipboard.writeText(text)", lines)
    page.press("Control+v")
    page.see(".paste .paste-table")
    write = page.tab.locator(".paste footer button.primary")
    page.wait("() => document.querySelector('.paste footer button.primary').textContent === 'Write 100 rows'")
    write.click()
    editor_is_closed(page)
    page.see_cell(10, "name", "Pasted 0")


@test
def deletion_says_how_many_links_become_nil(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        page.open_class("Person")
        page.select(6, "name")
        page.press("Delete")
        page.see("dialog", "10 links to it will become nil")
        page.press("Escape")
        page.wait("() => !document.querySelector('dialog')")
        assert len(world.tool.rows(studio.file, "Person", "id == 5")) == 1


@test
def a_paste_with_a_wrong_value_is_marked_and_not_written(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        before = world.tool.content(studio.file)
        page.select(3, "age")
        page.tab.evaluate("() => navigator.clipboard.writeText('1\\nnot a number\\n3')")
        page.press("Control+v")
        page.see(".paste-table .wrong", "not a number")
        assert page.tab.locator(".paste footer button.primary").is_disabled()
        page.press("Escape")
        page.wait("() => !document.querySelector('dialog')")
        assert world.tool.content(studio.file) == before
