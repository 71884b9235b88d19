#!/usr/bin/python3
"""Tests the gallery in a real browser. Prints a line of JSON per check: part, check, ok, message, seconds.

run.py --photos .build/debug/photos --samples FOLDER --pictures FOLDER [PART …]
"""

import argparse
import importlib
import json
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

from browser import Browser  # noqa: E402
from page import READY  # noqa: E402
from world import World  # noqa: E402

PARTS = [
    "grid",
    "viewer",
    "sidebar",
    "search",
    "edit",
    "changing",
    "failing",
    "importing",
    "live",
    "cloud",
    "settings",
    "safety",
    "entering",
    "viewing",
    "manners",
    "scale",
]


class Checks:
    """Runs checks one after the other; a failed check does not stop the next ones."""

    def __init__(self, part, browser):
        self.part = part
        self.browser = browser
        self.failed = 0
        self.allowed = []

    def __call__(self, name, *allowed):
        return Check(self, name, allowed)

    def say(self, name, ok, message="", seconds=0.0):
        self.failed += not ok
        print(
            json.dumps({"part": self.part, "check": name, "ok": ok, "message": message, "seconds": round(seconds, 2)}),
            flush=True,
        )

    def note(self, name, value):
        """Prints a figure, which is not a check."""
        print(json.dumps({"part": self.part, "figure": name, "value": value}), flush=True)


class Check:
    def __init__(self, checks, name, allowed):
        self.checks = checks
        self.name = name
        self.allowed = allowed

    def __enter__(self):
        self.start = time.monotonic()

    def __exit__(self, kind, error, trace):
        seconds = time.monotonic() - self.start
        message = ""
        if error is not None:
            place = (
                traceback.extract_tb(trace)[-1]
                if not isinstance(error, AssertionError)
                else traceback.extract_tb(trace)[0]
            )
            text = str(error).split("\n(Session info")[0].split("\nStacktrace")[0].strip()
            message = f"{kind.__name__}: {text} ({Path(place.filename).name}:{place.lineno})"
        try:
            errors = self.checks.browser.errors(self.allowed)
        except Exception as problem:  # the browser has exited
            errors = [str(problem)]
        if errors:
            message += " The page's console says: " + "; ".join(errors[:4])
        if message:
            try:
                self.checks.browser.picture(f"failed-{self.checks.part}-{self.name.replace(' ', '-')[:50]}")
                # Open dialogs must not affect the next check.
                self.checks.browser.js(
                    "for (const one of document.querySelectorAll('dialog[open]')) one.close(); location.hash = '#/library'"
                )
            except Exception:
                pass
        self.checks.say(self.name, not message, message, seconds)
        return isinstance(error, Exception)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", required=True)
    parser.add_argument("--samples", required=True)
    parser.add_argument("--pictures")
    parser.add_argument("--assets", type=int, default=100_000, help="how many the large library has")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    if options.pictures:
        Path(options.pictures).mkdir(parents=True, exist_ok=True)
    parts = options.parts or PARTS
    world = World(options.photos, options.samples, options.pictures)
    world.size = options.assets
    browser = None
    failed = 0
    try:
        world.fill()
        world.gallery = world.serve()
        browser = Browser(pictures=options.pictures)
        browser.go(world.gallery.url)
        browser.wait("the page to begin", READY)
        for name in parts:
            checks = Checks(name, browser)
            with checks("all of it ran"):
                importlib.import_module("part_" + name).run(world, browser, checks)
            failed += checks.failed
    except Exception as error:
        failed += 1
        print(
            json.dumps(
                {
                    "part": "set-up",
                    "check": "everything starts",
                    "ok": False,
                    "message": f"{type(error).__name__}: {error}",
                    "seconds": 0,
                }
            ),
            flush=True,
        )
    finally:
        if browser:
            browser.close()
        try:
            world.close()
        except AssertionError as error:
            failed += 1
            print(
                json.dumps(
                    {
                        "part": "set-up",
                        "check": "the gallery ends when it is asked to",
                        "ok": False,
                        "message": str(error),
                        "seconds": 0,
                    }
                ),
                flush=True,
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
