#!/usr/bin/python3
"""Scrolls through a library in a real browser, and measures the server's memory. Prints a JSON object.

soak.py --photos .build/debug/photos --minutes 60
"""

import argparse
import io
import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

from browser import Browser  # noqa: E402
from page import READY  # noqa: E402
from world import World  # noqa: E402

SIZE = 20_000

# Scrolls like a user: slowly enough for pictures, with occasional jumps.
SCROLL = """
    const [seconds, done] = arguments;
    const box = document.querySelector('.grid');
    const begun = performance.now();
    window.way ??= 1;
    const move = (now) => {
        box.scrollTop += way * 30;
        if (box.scrollTop + box.clientHeight >= box.scrollHeight - 2) window.way = -1;
        else if (box.scrollTop <= 0) window.way = 1;
        if (now - begun < seconds * 1000) setTimeout(() => requestAnimationFrame(move), 30);
        else {
            window.shown = (window.shown ?? 0) + performance.getEntriesByType('resource').filter((one) => one.name.includes('/picture')).length;
            performance.clearResourceTimings();
            done(window.shown);
        }
    };
    requestAnimationFrame(move);"""


class HeavyWorld(World):
    """A world whose renditions have the size of real photos'."""

    def small_pictures(self):
        from PIL import Image

        dice = random.Random(1)
        pictures = []
        for _ in range(16):
            coarse = Image.new("RGB", (64, 48))
            coarse.putdata([tuple(dice.randrange(256) for _ in range(3)) for _ in range(64 * 48)])
            data = io.BytesIO()
            coarse.resize((256, 192), Image.BICUBIC).save(data, "JPEG", quality=80)
            pictures.append(data.getvalue())
        return pictures


def own_memory(process):
    """Returns the private memory of a process in bytes: neither file-backed nor shared."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("the server is gone")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", required=True)
    parser.add_argument("--minutes", type=float, default=0.15)
    options = parser.parse_args()
    world = HeavyWorld(options.photos, "/", None)
    browser = None
    samples = []
    try:
        gallery = world.serve(world.large(SIZE, SIZE))
        browser = Browser()
        # Otherwise, the browser would not request cached pictures again.
        browser.command("Network.enable")
        browser.command("Network.setCacheDisabled", cacheDisabled=True)
        browser.go(gallery.url)
        browser.wait("the page", READY)
        browser.js("performance.setResourceTimingBufferSize(100000)")
        start = time.monotonic()
        dice = random.Random(2)
        # Two parts at least, however slow the computer is.
        while len(samples) < 2 or time.monotonic() - start < options.minutes * 60:
            pictures = browser.later(SCROLL, 5)
            samples.append(
                {
                    "second": round(time.monotonic() - start, 1),
                    "own": own_memory(gallery.process.pid),
                    "pictures": pictures,
                }
            )
            print(json.dumps(samples[-1]), file=sys.stderr, flush=True)
            if dice.random() < 0.2:
                browser.js(
                    "const box = document.querySelector('.grid'); box.scrollTop = arguments[0] * (box.scrollHeight - box.clientHeight)",
                    dice.random(),
                )
    finally:
        if browser:
            browser.close()
        world.close()
    print(json.dumps({"samples": samples}))


if __name__ == "__main__":
    main()
