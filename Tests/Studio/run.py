"""Runs the tests of Studio's page in a browser. Arguments: the folder with the built tool, a folder for what is made,
and names of tests or parts of them, for these only."""
import pathlib
import shutil
import signal
import sys
import time
import traceback

from browser import Browser
from program import Tool
from suite import TESTS, World

import test_start  # noqa: F401
import test_data  # noqa: F401
import test_speed  # noqa: F401
import test_live  # noqa: F401
import test_writing  # noqa: F401
import test_values  # noqa: F401
import test_security  # noqa: F401
import test_looks  # noqa: F401
import test_pictures  # noqa: F401


def print_figures(figures):
    if not figures:
        return
    print(f"\n{'measured':<58}{'':>12}  target")
    for figure in figures:
        print(f"{figure.what:<58}{figure.value:>9.1f} {figure.unit:<3} {figure.target}")


def passes(one, world):
    try:
        one(world)
        return True
    except Exception:
        traceback.print_exc(file=sys.stdout)
        return False


def main():
    build, folder, *names = sys.argv[1:]
    # A shell lets what it starts in its background ignore Ctrl-C, and the tool would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = pathlib.Path(folder)
    shutil.rmtree(folder / "files", ignore_errors=True)
    chosen = [one for one in TESTS if not names or any(name in one.__name__ for name in names)]
    browser = Browser(folder / "screenshots")
    world = World(Tool(pathlib.Path(build) / "realm"), browser, folder)
    failed, unsteady = [], []
    began = time.monotonic()
    try:
        for one in chosen:
            start = time.monotonic()
            browser.test = one.__name__
            result = "passed"
            # A busy machine may stop the browser for seconds: what fails is tried once more, and listed all the same.
            if not passes(one, world):
                result = "passed the second time" if passes(one, world) else "FAILED"
                (unsteady if result.startswith("passed") else failed).append(one.__name__)
            print(f"{result} {one.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
    finally:
        world.close()
        browser.close()
        shutil.rmtree(folder / "files", ignore_errors=True)
    print_figures(world.figures)
    print(f"\n{len(chosen)} tests, {len(failed)} failed, {time.monotonic() - began:.0f} s."
          f" Screenshots are in {world.screenshots}.")
    for name in unsteady:
        print(f"  passed only the second time: {name}")
    for name in failed:
        print(f"  failed: {name}")
    sys.exit(1 if failed or not chosen else 0)


main()
