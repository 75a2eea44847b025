"""What tests share: the list of tests, the files, the figures."""
import dataclasses
import functools
import pathlib

import realms
from program import Studio

TESTS = []


def test(function):
    """Registers a test. Its name says behaviour and expectation."""
    TESTS.append(function)
    return function


@dataclasses.dataclass
class Figure:
    what: str
    value: float
    unit: str
    target: str
    limit: float | None


class World:
    """What tests get."""

    def __init__(self, tool, browser, folder):
        self.tool, self.browser = tool, browser
        self.folder = pathlib.Path(folder)
        self.screenshots = self.folder / "screenshots"
        self.files = self.folder / "files"
        self.files.mkdir(parents=True, exist_ok=True)
        self.figures = []
        self.number = 0

    def measured(self, what, value, unit, target, limit=None):
        """Keeps a figure for the table. `limit` is a generous gate, far above the target."""
        self.figures.append(Figure(what, value, unit, target, limit))
        if limit is not None:
            assert value <= limit, f"{what}: {value:.1f} {unit} is more than {limit} {unit}"

    @functools.cached_property
    def template(self):
        """1,000 dogs of 100 people, copied for each test."""
        return realms.people_file(self.tool, self.files / "template.realm", 1_000, 100)

    def people(self):
        """A new file of 1,000 dogs of 100 people."""
        self.number += 1
        return realms.copied(self.template, f"people-{self.number}")

    @functools.cached_property
    def everything(self):
        return realms.everything_file(self.tool, self.files / "everything.realm")

    @functools.cached_property
    def million(self):
        """A server that shows 1,000,000 dogs of 1,000 people, for all tests that only read."""
        path = realms.people_file(self.tool, self.files / "million.realm", 1_000_000, 1_000)
        return Studio(self.tool, path)

    def studio(self, *options, file=None):
        return Studio(self.tool, file or self.people(), *options)

    def close(self):
        if "million" in self.__dict__:
            self.million.__exit__()
