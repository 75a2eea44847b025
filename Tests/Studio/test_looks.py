"""Layout, screenshots, contrast, roles (acceptance 12 and accessibility)."""
from suite import test
from test_values import STRANGE

# Faults of the layout: parts that overlap, leave the window, or hide a text without a mark.
LAYOUT = """() => {
  const faults = [];
  const box = element => element.getBoundingClientRect();
  const isSeen = element => element.checkVisibility() && box(element).width > 0 && box(element).height > 0;
  const name = element => element.id ? '#' + element.id : '.' + [...element.classList].join('.') || element.tagName;
  const overlap = (one, other) => {
    const [a, b] = [box(one), box(other)];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  const apart = elements => elements.forEach((one, index) => elements.slice(index + 1).forEach(other => {
    if (overlap(one, other)) faults.push(`${name(one)} overlaps ${name(other)}`);
  }));
  const inside = (element, outer) => {
    const [a, b] = [box(element), box(outer)];
    if (a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1)
      faults.push(`${name(element)} leaves ${name(outer)}: ${[a.left, a.right, a.top, a.bottom].map(Math.round)} in `
        + [b.left, b.right, b.top, b.bottom].map(Math.round));
  };
  const all = selector => [...document.querySelectorAll(selector)].filter(isSeen);
  // In a narrow window the inspector is a drawer over the grid, which is closed until the user opens it.
  const isDrawer = innerWidth <= 640;
  apart(all('#top, #classes, #query, #grid, #panel-screen, #status' + (isDrawer ? '' : ', #inspector')));
  if (isDrawer) apart(all('#top, #classes, #inspector, #status'));
  for (const part of all('#top, #classes, #query, #grid, #panel-screen, #inspector, #status')) inside(part, document.documentElement);
  for (const bar of all('#top, #status, #query, .panel-bar, .inspector-head')) {
    const children = [...bar.children].filter(isSeen);
    apart(children);
    for (const child of children) inside(child, bar);
  }
  if (document.scrollingElement.scrollWidth > innerWidth + 1) faults.push('the page scrolls sideways');
  for (const text of all('#top *, #status *, #query *, .panel-bar *, .classes-row *, .inspector-name, button')) {
    const isCut = text.scrollWidth > text.clientWidth + 1 && text.clientWidth > 0 && text.children.length === 0
      && getComputedStyle(text).display !== 'inline' && text.tagName !== 'INPUT';
    if (isCut && getComputedStyle(text).textOverflow !== 'ellipsis') faults.push(`the text of ${name(text)} is cut: ${text.textContent}`);
  }
  for (const part of all('#top, #classes, #status, #inspector' + (isDrawer && all('#inspector').length ? '' : ', #query, #grid'))) {
    const {left, top, width, height} = box(part);
    for (const x of [0.02, 0.3, 0.6, 0.95]) for (const y of [0.1, 0.15, 0.2, 0.5, 0.9]) {
      const seen = document.elementFromPoint(left + width * x, top + height * y);
      if (seen && !part.contains(seen) && !seen.contains(part) && !seen.closest('#notices, .query-error, .query-list'))
        faults.push(`${name(seen)} covers ${name(part)}`);
    }
  }
  for (const part of all('#grid')) if (box(part).height < 100 || box(part).width < 200) faults.push('the grid has no place');
  return faults;
}"""

# Texts whose contrast with what is behind them is below 4.5 to 1.
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const parsed = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const back = element => {
    const colors = [];
    for (let one = element; one; one = one.parentElement) {
      const color = parsed(getComputedStyle(one).backgroundColor);
      colors.push(color);
      if (color[3] >= 1) break;
    }
    return colors.reduceRight((below, color) => over(color, below),
      matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255]);
  };
  const light = color => {
    const [r, g, b] = color.map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const poor = new Map();
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join('');
    const isField = element.matches('input, textarea, select') && (element.value || element.placeholder);
    if ((!text && !isField) || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (element.matches(':disabled, [aria-hidden=true], [aria-hidden=true] *, .waiting, option')) continue;
    const style = getComputedStyle(element);
    if (style.color === 'rgba(0, 0, 0, 0)') continue;
    const behind = back(element);
    const inSVG = element instanceof SVGElement;
    const [one, other] = [light(over(parsed(inSVG ? style.fill : style.color), behind)), light(behind)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    const key = `${element.tagName}.${element.getAttribute('class') ?? ''}#${element.id}`;
    if (ratio < 4.5 && !poor.has(key)) poor.set(key, `${key} "${text.slice(0, 20)}" ${ratio.toFixed(2)}`);
  }
  return [...poor.values()];
}"""


def show_data(page):
    page.see_cell(1, "name", "Dog 0")
    page.select(3, "name")
    if page.tab.locator("#inspector").is_visible():
        page.see(".inspector-incoming h3")


def show_inspector(page):
    if page.tab.locator("#inspector").is_hidden():
        page.press("i")
    page.see(".inspector-incoming h3")


def show_query(page):
    page.ask("age > > 3")
    page.see(".query-error")


SCREENS = {
    "data": show_data,
    "inspector": show_inspector,
    "query": show_query,
    "schema": lambda page: (page.tab.locator("#screens [data-screen=schema]").click(), page.see(".schema-body .properties")),
    "diagram": lambda page: (page.tab.locator("[role=tab][data-kind=diagram]").click(), page.see(".schema-body svg")),
    "file": lambda page: (page.tab.locator("#screens [data-screen=file]").click(), page.see(".storage-part")),
}
SIZES = {"1280": (1280, 800, 1), "1920": (1920, 1080, 1), "zoomed": (640, 400, 2), "narrow": (1024, 768, 1)}


def look(world, size, scheme):
    width, height, density = SIZES[size]
    faults = []
    with world.studio("--write") as studio:
        with world.browser.page(studio, width=width, height=height, density=density, scheme=scheme) as page:
            for name, show in SCREENS.items():
                show(page)
                page.wait("() => document.getAnimations().every(one => one.playState !== 'running')")
                page.screenshot(world.screenshots, f"{name}-{size}-{scheme}")
                faults += [f"{name}: {fault}" for fault in page.tab.evaluate(LAYOUT)]
                faults += [f"{name}: contrast of {fault}" for fault in page.tab.evaluate(CONTRAST)]
    assert not faults, "\n".join(sorted(set(faults)))


@test
def the_checks_of_the_layout_find_planted_faults(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        assert page.tab.evaluate(LAYOUT) == [] and page.tab.evaluate(CONTRAST) == []
        for change, word in (("document.getElementById('status').style.marginTop = '-60px'", "overlaps"),
                             ("document.getElementById('mode').style.marginRight = '-200px'", "leaves"),
                             ("document.getElementById('file-facts').style.cssText = 'width: 4px; overflow: hidden'", "cut")):
            page.tab.evaluate(f"() => {{ {change} }}")
            faults = page.tab.evaluate(LAYOUT)
            assert any(word in fault for fault in faults), (change, faults)
        page.tab.evaluate("() => { document.getElementById('file-facts').style.color = '#bbb' }")
        assert "file-facts" in page.tab.evaluate(CONTRAST)[0]
        assert page.tab.evaluate(f"() => {{ document.body.append(document.createElement('iframe')); return ({STRANGE})().length }}")


@test
def nothing_overlaps_or_is_hard_to_read_at_1280_light(world):
    look(world, "1280", "light")


@test
def nothing_overlaps_or_is_hard_to_read_at_1280_dark(world):
    look(world, "1280", "dark")


@test
def nothing_overlaps_or_is_hard_to_read_at_1920_light(world):
    look(world, "1920", "light")


@test
def nothing_overlaps_or_is_hard_to_read_at_1920_dark(world):
    look(world, "1920", "dark")


@test
def nothing_overlaps_or_is_lost_at_a_zoom_of_200_percent(world):
    look(world, "zoomed", "light")


@test
def nothing_overlaps_or_is_lost_at_a_width_of_1024(world):
    look(world, "narrow", "dark")


@test
def dialogs_fit_the_window_and_are_readable(world):
    faults = []
    with world.studio("--write") as studio:
        for width, height, scheme in ((1280, 800, "light"), (1280, 800, "dark"), (640, 400, "light")):
            with world.browser.page(studio, width=width, height=height, scheme=scheme) as page:
                for key, selector in (("?", ".key-list"), ("c", ".column-list"), ("=", ".summary .facts"), ("a", ".panel.groups"),
                                      ("e", ".export"), ("n", "form.new-object"), ("Delete", "dialog.dialog-frame")):
                    page.select(2, "age")
                    page.press(key)
                    page.see(selector)
                    page.screenshot(world.screenshots, f"dialog-{selector.strip('.').split(' ')[0].split('.')[-1]}-{width}-{scheme}")
                    box = page.tab.locator("dialog").bounding_box()
                    if box["x"] < 0 or box["y"] < 0 or box["x"] + box["width"] > width or box["y"] + box["height"] > height:
                        faults.append(f"{selector} leaves the window at {width}: {box}")
                    faults += [f"{selector} {scheme}: contrast of {one}" for one in page.tab.evaluate(CONTRAST)]
                    page.press("Escape")
                    page.wait("() => !document.querySelector('dialog')")
    assert not faults, "\n".join(sorted(set(faults)))


def tree(page):
    """The browser's accessibility tree, as roles with names."""
    session = page.context.new_cdp_session(page.tab)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    return [(node["role"]["value"], (node.get("name") or {}).get("value", ""), node) for node in nodes if not node["ignored"]]


@test
def parts_have_roles_and_names_for_assistive_programs(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        page.select(2, "owner")
        page.see(".inspector-incoming h3")
        nodes = tree(page)
        roles = [role for role, _, _ in nodes]
        for role in ("grid", "row", "columnheader", "gridcell", "navigation", "banner", "main", "complementary",
                     "combobox", "status", "button"):
            assert role in roles, f"no {role} in {sorted(set(roles))}"
        assert ("combobox", "Query") in [(role, name) for role, name, _ in nodes]
        assert ("complementary", "Inspector") in [(role, name) for role, name, _ in nodes]
        nameless = [role for role, name, _ in nodes if role in ("button", "combobox", "textbox", "checkbox", "tab", "link")
                    and not name.strip()]
        assert not nameless, nameless
        grid = page.tab.locator("[role=grid]")
        assert grid.get_attribute("aria-rowcount") == "1001" and grid.get_attribute("aria-colcount") == "8"
        assert grid.get_attribute("aria-activedescendant") == "grid-cursor"
        assert page.tab.locator("#grid-cursor").inner_text() == 'Person "1"'
        for screen in ("schema", "file"):
            page.tab.locator(f"#screens [data-screen={screen}]").click()
            page.see(".panel-bar")
            nameless = [(role, node.get("properties")) for role, name, node in tree(page)
                        if role in ("button", "combobox", "textbox", "searchbox", "checkbox", "tab", "link") and not name.strip()]
            assert not nameless, (screen, nameless)


@test
def every_screen_is_reached_and_left_by_keyboard(world):
    with world.studio() as studio, world.browser.page(studio) as page:
        page.focus_grid()
        page.press("g", "s")
        page.see(".schema-body .properties")
        page.press("Escape")
        page.see("#data-screen")
        page.press("g", "f")
        page.see(".storage-part")
        page.press("g", "d")
        page.see("#data-screen")
        page.press("g", "c")
        page.wait("() => document.activeElement.matches('.classes-row')")
        page.press("ArrowDown", "Enter")
        page.wait("() => document.querySelector('.query-class').textContent === 'Person'")
        page.wait("() => document.activeElement.matches('.grid-scroller')")
        page.press("?")
        page.see(".key-list")
        page.press("Escape")
        page.wait("() => document.activeElement.matches('.grid-scroller')")
        page.press("ArrowDown", "i")
        page.wait("() => document.getElementById('inspector').hidden")
        page.press("i")
        page.wait("() => !document.getElementById('inspector').hidden")
        page.press("s")
        page.wait("() => document.querySelector('.grid-title[aria-sort=ascending]')")


@test
def the_file_screen_verifies_and_compacts(world):
    with world.studio("--write") as studio, world.browser.page(studio) as page:
        page.press("g", "f")
        page.see(".storage-part", "Readers")
        for name in ("Verify", "Compact"):
            page.tab.locator(".panel-bar button", has_text=name).click()
            page.see(".job.good")
        page.press("g", "d")
        page.see_cell(1, "name", "Dog 0")
