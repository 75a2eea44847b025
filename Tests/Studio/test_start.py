"""Starting and ending, and what is there without writing (acceptance 1 and 8)."""
import time

from suite import test


@test
def starting_prints_one_link_and_an_interrupt_ends_it(world):
    with world.studio() as studio:
        assert studio.link.startswith("http://127.0.0.1:"), studio.link
        assert len(studio.token) >= 43
        with world.browser.page(studio) as page:
            page.see_cell(1, "name", "Dog 0")
            world.measured("start of the server until the link", (studio.announced - studio.started) * 1000, "ms", "< 300")
        status, rest = studio.interrupt()
        assert status == 0 and rest == "", (status, rest)


@test
def a_second_start_has_another_port_and_token(world):
    file = world.people()
    with world.studio(file=file) as first, world.studio(file=file) as second:
        assert first.port != second.port and first.token != second.token
        assert second.request("GET", "api/file", token=first.token).status == 401
        assert first.request("GET", "api/file").status == 200


@test
def the_page_is_usable_soon_after_the_start(world):
    with world.browser.context() as context:
        tab = context.new_page()
        tab.goto("about:blank")
        file = world.people()
        start = time.monotonic()
        with world.studio(file=file) as studio:
            tab.goto(studio.link, wait_until="commit")
            tab.wait_for_selector(".grid-row:not([hidden]) .cell:not(.waiting)")
            world.measured("start of realm studio until rows in the page", (time.monotonic() - start) * 1000, "ms",
                           "< 300", 15_000)


@test
def the_token_leaves_the_address_bar_and_a_reload_works(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        assert studio.token not in page.tab.url
        page.tab.reload()
        page.see_cell(1, "name", "Dog 0")
        assert studio.token not in page.tab.url


@test
def the_address_without_its_token_shows_no_data(world):
    with world.studio() as studio, world.browser.context() as context:
        tab = context.new_page()
        tab.goto(studio.address)
        tab.wait_for_selector("#empty:not([hidden])")
        assert "whole link" in tab.inner_text("#empty")
        assert tab.locator(".grid-row").count() == 0


@test
def the_page_says_when_the_server_has_ended(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.see("#live", "live")
        studio.interrupt()
        page.see("#live", "offline")
        page.see("#banner", "connection")
        # The browser itself reports the closed connection.
        page.faults = [fault for fault in page.faults if "ERR_" not in fault]


@test
def without_writing_the_page_changes_nothing_and_says_so(world):
    file = world.people()
    before = world.tool.content(file)
    with world.studio(file=file) as studio, world.browser.page(studio) as page:
        assert page.tab.inner_text("#mode") == "read-only"
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.select(2, "name")
        for key in ("F2", "n", "Delete", "Control+z"):
            page.press(key)
            assert page.tab.locator(".cell-editor, dialog[open]").count() == 0, key
        page.tab.evaluate("() => navigator.clipboard.writeText('a\\tb\\n')")
        page.press("Control+v")
        page.see(".notice", "open for reading")
        assert page.tab.locator("dialog[open]").count() == 0
        for path in ("batch", "undo", "redo", "paste", "paste/preview", "compact"):
            assert studio.request("POST", f"api/{path}", {}).status in (404, 405), path
    assert world.tool.content(file) == before
