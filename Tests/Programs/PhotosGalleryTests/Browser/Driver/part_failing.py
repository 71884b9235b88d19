"""5b: data that cannot be loaded, and pictures that cannot be shown."""

import sqlite3
import struct
import zlib

from page import CELLS, SHARP, api, close_viewer, labels, open_at, open_viewer, show


def broken_png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 1200, 800, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", b"no deflate")
        + chunk(b"IEND", b"")
    )


def run(world, browser, check):
    refused = "status of 415"
    source = world.folder / "unreadable" / "broken.png"
    source.parent.mkdir(exist_ok=True)
    source.write_bytes(broken_png())
    broken = world.run("import", "--json", source)[0]["localIdentifier"]
    short = broken.split("/")[0]

    with check("a picture that cannot be decoded says why, and is not called whole", refused):
        open_at(browser, world)
        open_viewer(browser, broken)
        text = browser.wait(
            "the reason",
            "return document.querySelector('.unshowable .reason') && document.querySelector('.unshowable').textContent",
        )
        assert "decoded" in text and "whole" not in text, text
        browser.picture("viewer-unshowable")
        assert (
            browser.js("return document.querySelector('.unshowable a[download]').getAttribute('href')")
            .split("?")[0]
            .endswith("/resources/0")
        )
        close_viewer(browser)
        browser.wait("the grid", SHARP)
        assert browser.js(
            "return [...document.querySelectorAll('.cell')].find((cell) => cell.cell.asset?.id === arguments[0]).classList.contains('broken')",
            short,
        )

    with check("a moment whose cover cannot be shown has a plain one", refused):
        status, answer = api(
            browser, "/api/changes", "POST", {"action": "date", "ids": [short], "value": "1999-05-05T12:00:00Z"}
        )
        assert status == 200, answer
        show(browser, "#/moments")
        browser.wait("moments", "return document.querySelectorAll('.moment').length > 1")
        browser.js("document.querySelector('.moments').scrollTop = 1e6")
        browser.wait("the plain cover", "return document.querySelector('.moment .no-photo svg') !== null")
        browser.wait(
            "the others", "return [...document.querySelectorAll('.moment img')].every((one) => one.naturalWidth > 0)"
        )
        browser.picture("moments-plain")
    world.run("delete", "--yes", short)

    with check(
        "a list that fails to load leaves nothing of the one before it", "ERR_BLOCKED", "Failed to load resource"
    ):
        open_at(browser, world)
        browser.wait("cells", CELLS)
        browser.command("Network.enable")
        browser.command("Network.setBlockedURLs", urls=["*/api/timeline?source=favorites*", "*/api/events*"])
        show(browser, "#/favorites")
        browser.wait("the failure", "return document.querySelector('.blank:not(.hidden) [data-action=again]') !== null")
        assert browser.js(CELLS) == 0
        assert browser.js("return document.querySelector('.title').textContent") == "Favorites"
        assert not browser.js("return document.querySelector('.subtitle').textContent")
        browser.picture("failed")
        # Keys and buttons have no effect and do no harm.
        for key in ("ArrowDown", "f", "Delete", "+"):
            browser.key(key)
        browser.command("Network.setBlockedURLs", urls=[])
        browser.click("[data-action=again]")
        browser.wait(
            "the list",
            "return document.querySelector('[data-action=again]') === null && document.querySelector('.subtitle').textContent.length > 0",
        )
        show(browser, "#/library")
        browser.wait("cells again", CELLS)

    with check("a list that is refused leaves nothing, either", "400 (Bad Request)"):
        show(browser, "#/library?q=nonsense%20%3D%3D")
        browser.wait(
            "the reason",
            "return document.querySelector('.problem').textContent.length > 10 && document.querySelector('.blank:not(.hidden) [data-action=again]') !== null",
        )
        assert browser.js(CELLS) == 0
        show(browser, "#/library")
        browser.wait("cells again", CELLS)

    with check("photos whose originals are only in the cloud have a sign"):
        library = world.folder / "Cloud.photolibrary"
        world.run("create", library=library)
        pictures = sorted(world.samples.rglob("*.JPG"))[:2]
        world.run("import", *pictures, library=library)
        database = sqlite3.connect(library / "database/library.sqlite", timeout=20)
        database.execute("INSERT INTO setting (name, value) VALUES ('cloudLibrary', 'A')")
        database.execute("UPDATE resource SET presence = 2 WHERE assetId = (SELECT min(id) FROM asset)")
        database.commit()
        database.close()
        gallery = world.serve(library)
        browser.go(gallery.url)
        browser.wait("cells", "return document.querySelectorAll('.cell[aria-label]').length >= 2")
        signs = [label.endswith("only in the cloud") for label in labels(browser)]
        assert signs.count(True) == 1 and len(signs) >= 2, labels(browser)
        shown = browser.js(
            "return [...document.querySelectorAll('.cell')].map((cell) => [cell.cell.asset.cloud, cell.querySelectorAll('.badges svg').length])"
        )
        assert sorted(shown) == [["away", 1], ["here", 0]], shown
        browser.picture("grid-cloud")
        browser.go(world.gallery.root)
        gallery.stop()
