"""1 and 9 again, with a hundred thousand assets."""

import time

from page import CELLS, FORGET, READY

FRAMES = """
    const [step, frames, done] = arguments;
    const box = document.querySelector('.grid');
    const times = [];
    let last = performance.now();
    const begun = last;
    let most = 0;
    const move = (now) => {
        times.push(now - last);
        last = now;
        most = Math.max(most, document.querySelectorAll('.cell').length);
        box.scrollTop += step;
        if (times.length < frames && now - begun < 12_000) requestAnimationFrame(move);
        else {
            const sorted = times.slice(1).sort((a, b) => a - b);
            done({frames: sorted.length, p50: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)], most});
        }
    };
    requestAnimationFrame(move);"""


def run(world, browser, check):
    size = world.size
    library = world.large(size)
    gallery = world.serve(library)
    failing = "status of 4", "status of 5"

    with check(f"{size} assets show at once", *failing):
        start = time.monotonic()
        browser.go(gallery.url)
        browser.wait("the page", READY)
        browser.js(FORGET)
        browser.wait("a picture", "return document.querySelector('.cell > img') !== null", patience=60)
        check.note("seconds to the first picture", round(time.monotonic() - start, 2))
        assert browser.js("return document.querySelector('.subtitle').textContent") == f"{size:,} items"
        assert browser.js(CELLS) < 300
        browser.picture("large")

    with check("scrolling costs what a screen costs", *failing):
        browser.command("Performance.enable", timeDomain="threadTicks")
        metrics = lambda: {one["name"]: one["value"] for one in browser.command("Performance.getMetrics")["metrics"]}
        before = metrics()
        frames = browser.later(FRAMES, 110, 240)
        after = metrics()
        cost = (after["TaskDuration"] - before["TaskDuration"]) * 1000 / frames["frames"]
        check.note("frame while scrolling, p50 and p95, ms", [round(frames["p50"], 1), round(frames["p95"], 1)])
        check.note("processor time per frame, ms", round(cost, 2))
        assert frames["most"] < 300, frames
        # The limit for a frame at 60 Hz, in processor time of this thread, which other programs do not affect.
        assert cost < 16, cost
        browser.wait("known cells", "return [...document.querySelectorAll('.cell')].every((cell) => cell.cell.asset)")

    with check("the far end is one jump away", *failing):
        browser.js("document.querySelector('.grid').focus()")
        browser.key("End", "ctrl")
        browser.wait("the oldest", "return document.activeElement.cell?.place === arguments[0]", size - 1)
        browser.wait("it is known", "return document.activeElement.cell?.asset?.filename === 'IMG_000001.JPG'")
        browser.key("Home", "ctrl")
        browser.wait(
            "the newest", "return document.activeElement.cell?.asset?.filename === arguments[0]", f"IMG_{size:06d}.JPG"
        )

    with check("all levels stay small and in place", *failing):
        browser.js("document.querySelector('.grid').scrollTop = 50_000")
        browser.wait(
            "known cells",
            "return [...document.querySelectorAll('.cell')].length > 0 && [...document.querySelectorAll('.cell')].every((cell) => cell.cell.asset)",
        )
        for label in ("Smaller thumbnails",) * 3 + ("Larger thumbnails",) * 5:
            browser.click(browser.labelled(label))
            browser.wait("cells", CELLS)
            assert browser.js(CELLS) < 3000
        browser.picture("large-level")
        for _ in range(2):
            browser.click(browser.labelled("Smaller thumbnails"))

    with check("everything is selected and changed at once", *failing):
        browser.js("document.querySelector('.grid').focus()")
        browser.key("a", "ctrl")
        browser.wait(
            "all",
            "return document.querySelector('.selection-bar strong').textContent.startsWith(arguments[0])",
            f"{size:,}",
        )
        browser.key("Escape")
        newest = world.run("list", "--json", "--limit", "1", "--sort", "creationDate:desc", library=library)[0][
            "localIdentifier"
        ]
        browser.key("Home", "ctrl")
        world.run("set", newest, "--favorite", "true" if size % 50 else "false", library=library)
        browser.wait(
            "the change",
            "return [...document.querySelectorAll('.cell')].find((cell) => cell.cell.place === 0)?.cell.asset.favorite === arguments[0]",
            bool(size % 50),
        )
    # The page would report errors for a stopped gallery.
    browser.go("about:blank")
    gallery.stop()
