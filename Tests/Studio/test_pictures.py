"""The pictures of the README and of the article Studio."""
import gzip
import pathlib
import shutil

from suite import test

CITIES = pathlib.Path(__file__).parents[2] / "Examples" / "WorldCities" / "Data" / "cities.jsonl.gz"

LARGE = 'population > 3000000 AND latitude > 0'


@test
def the_large_cities_are_a_picture_in_light_and_dark(world):
    lines, file = world.files / "cities.jsonl", world.files / "WorldCities.realm"
    with gzip.open(CITIES) as source, open(lines, "wb") as target:
        shutil.copyfileobj(source, target)
    world.tool.run("import", file, lines, "--class", "City", "--key-property", "id")
    for scheme in ["light", "dark"]:
        with world.studio(file=file) as studio:
            with world.browser.page(studio, width=1280, height=800, density=1, scheme=scheme) as page:
                page.see_count(34_006)
                page.ask(LARGE)
                page.see_count(len(world.tool.rows(file, "City", LARGE)))
                page.select(6, "name")
                page.see(".inspector-incoming h3")
                page.screenshot(world.screenshots, f"studio-{scheme}")
