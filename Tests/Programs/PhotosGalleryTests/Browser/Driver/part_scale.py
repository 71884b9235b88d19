"""1 and 9 again, with a hundred thousand assets."""

import time

from page import CELLS, FORGET, READY, close_viewer, fill_dialog, menu_item, open_at, show, toast

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

    def newest():
        return world.run("list", "--json", "--limit", "1", "--sort", "creationDate:desc", library=library)[0]

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
        browser.key("Home", "ctrl")
        world.run("set", newest()["localIdentifier"], "--favorite", "true" if size % 50 else "false", library=library)
        browser.wait(
            "the change",
            "return [...document.querySelectorAll('.cell')].find((cell) => cell.cell.place === 0)?.cell.asset.favorite === arguments[0]",
            bool(size % 50),
        )

    with check("a change of the library while the next photo loads leaves the viewer open", *failing):
        open_at(browser, world, gallery=gallery)
        browser.wait("cells", CELLS)
        browser.js("""
            const plain = window.fetch;
            window.asked = 0;
            const wait = new Promise((done) => { window.release = () => { window.fetch = plain; done(); }; });
            window.fetch = async (url, options) => {
                if (!String(url).startsWith('/api/assets?')) return plain(url, options);
                window.asked += 1;
                await wait;
                return plain(url, options);
            };""")
        browser.js("[...document.querySelectorAll('.cell')].find((cell) => cell.cell.place === 0).click()")
        browser.wait("the viewer", "return document.querySelector('dialog.viewer[open]') !== null")
        browser.key("End")
        browser.wait("the request", "return window.asked > 0")
        value = not newest()["isFavorite"]
        world.run("set", newest()["localIdentifier"], "--favorite", str(value).lower(), library=library)
        browser.wait(
            "the change",
            "return [...document.querySelectorAll('.cell')].find((cell) => cell.cell.place === 0)?.cell.asset.favorite === arguments[0]",
            value,
        )
        browser.js("window.release()")
        browser.wait(
            "the last photo",
            "return document.querySelector('dialog.viewer[open] .viewer-title strong')?.textContent === 'IMG_000001.JPG'",
        )
        close_viewer(browser)

    with check("the originals of all that are chosen are downloaded, except those that fail", *failing):
        show(browser, "#/favorites")
        browser.wait("the list", "return document.querySelector('.title').textContent === 'Favorites'")
        browser.wait("cells", CELLS)
        number = int(browser.js("return document.querySelector('.subtitle').textContent.replace(/[^0-9]/g, '')"))
        # The gallery never receives the requests; the first photo fails.
        browser.js("""
            const plain = window.fetch;
            window.asked = [];
            window.saved = 0;
            const answer = (object, status) => new Response(JSON.stringify(object), {status});
            window.fetch = async (url, options) => {
                const [, id] = String(url).match(/^[/]api[/]assets[/]([^/?]+)$/) ?? [];
                if (!id) return plain(url, options);
                window.asked.push(id);
                return window.asked.length === 1 ? answer({error: {code: 'notFound', message: 'It is gone.'}}, 404) : answer({resources: [{}]}, 200);
            };
            const { click } = HTMLAnchorElement.prototype;
            HTMLAnchorElement.prototype.click = function () { if (this.download === '') window.saved += 1; else click.call(this); };
            window.restore = () => { window.fetch = plain; HTMLAnchorElement.prototype.click = click; };""")
        browser.js("document.querySelector('.grid').focus()")
        browser.key("a", "ctrl")
        browser.click(browser.labelled("More", ".selection-bar"))
        menu_item(browser, "Download originals")
        toast(browser, "It is gone.")
        found = browser.js("return [new Set(window.asked).size, window.asked.length, window.saved]")
        assert found == [number, number, number - 1], (found, number)
        browser.js("window.restore()")

    with check("a dialog that stays open over many changes acts on what was chosen", *failing):
        browser.wait("the selection", "return !document.querySelector('.selection-bar').classList.contains('hidden')")
        browser.click(browser.labelled("Add to album", ".selection-bar"))
        browser.wait("the albums", "return document.querySelector('dialog.sheet[open] .choice') !== null")
        browser.js("document.querySelector('dialog.sheet[open] .choice').click()")
        browser.wait("the question", "return document.querySelector('dialog.sheet[open] input') !== null")
        first = browser.wait(
            "a photo",
            "return [...document.querySelectorAll('.cell')].find((cell) => cell.cell.place === 0)?.cell.asset?.id",
        )
        for step in range(6):
            world.run("set", first, "--title", f"Title {step}", library=library)
            browser.wait(
                "the change",
                "return [...document.querySelectorAll('.cell')].find((cell) => cell.cell.place === 0)?.cell.asset?.title === arguments[0]",
                f"Title {step}",
            )
        fill_dialog(browser, "All of them")
        browser.wait(
            "the album",
            "return [...document.querySelectorAll('.side-item')].some((one) => one.textContent === arguments[0])",
            f"All of them{number:,}",
        )
    # The page would report errors for a stopped gallery.
    browser.go("about:blank")
    gallery.stop()
