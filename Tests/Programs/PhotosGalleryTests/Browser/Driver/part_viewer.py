"""2: the viewer."""

import subprocess

from page import act_on_toast, close_viewer, labels, open_at, open_viewer

MAIN = "return document.querySelector('.frame > img.main')?.naturalWidth > 0"


def run(world, browser, check):
    def kind(test):
        return next((asset for asset in world.assets if test(asset)), None)

    plain = kind(
        lambda asset: (
            asset["mediaType"] == "image"
            and not asset["mediaSubtypes"]
            and asset["location"]
            and asset["playbackStyle"] == "image"
        )
    )
    video = kind(lambda asset: asset["mediaType"] == "video")
    live = kind(lambda asset: "photoLive" in asset["mediaSubtypes"])
    burst = kind(lambda asset: asset["representsBurst"])

    with check("shows one photo, next and previous"):
        open_at(browser, world)
        open_viewer(browser, world.assets[0]["localIdentifier"])
        browser.wait("the picture", MAIN)
        address = browser.js("return location.hash")
        assert world.assets[0]["localIdentifier"].split("/")[0] in address, address
        browser.key("ArrowRight")
        browser.wait(
            "the next", "return location.hash.includes(arguments[0])", world.assets[1]["localIdentifier"].split("/")[0]
        )
        browser.key("ArrowLeft")
        browser.wait(
            "the first again",
            "return location.hash.includes(arguments[0])",
            world.assets[0]["localIdentifier"].split("/")[0],
        )
        assert browser.js("return document.querySelector('.step-before').disabled")

    with check("going back closes it, a link opens it"):
        address = browser.js("return location.href")
        browser.js("history.back()")
        browser.wait("the grid", "return document.querySelector('dialog.viewer[open]') === null")
        open_at(browser, world, address.split("/", 3)[3])
        browser.wait("the viewer", "return document.querySelector('dialog.viewer[open]') !== null")
        close_viewer(browser)

    with check("zooms and pans"):
        open_viewer(browser, plain["localIdentifier"])
        browser.wait("the picture", MAIN)
        browser.picture("viewer")
        browser.command("Input.dispatchMouseEvent", type="mouseWheel", x=640, y=430, deltaX=0, deltaY=-400)
        browser.wait("a larger picture", "return document.querySelector('.stage').classList.contains('zoomed')")
        where = "return document.querySelector('.frame').style.transform"
        before = browser.js(where)
        for kind_, x in (("mousePressed", 640), ("mouseMoved", 580), ("mouseReleased", 580)):
            browser.command("Input.dispatchMouseEvent", type=kind_, x=x, y=430, button="left", buttons=1, clickCount=1)
        browser.wait("it to move", "return document.querySelector('.frame').style.transform !== arguments[0]", before)
        browser.key("0")
        browser.wait("all of it", "return !document.querySelector('.stage').classList.contains('zoomed')")

    with check(
        "zooming into a picture that is too large shows the largest that is made",
        "413 (Payload Too Large)",
        "413 (Content Too Large)",
        "status of 413",
    ):
        wide = world.folder / "wide.png"
        subprocess.run(["vips", "black", f"{wide}[compression=9]", "30000", "2500", "--bands", "3"], check=True)
        imported = world.run("import", "--json", wide)[0]["localIdentifier"]
        open_viewer(browser, imported)
        browser.wait("the picture", MAIN)
        assert browser.js("return document.querySelector('.frame > img.main').naturalWidth") <= 4096
        browser.command("Input.dispatchMouseEvent", type="mouseWheel", x=640, y=430, deltaX=0, deltaY=-400)
        browser.wait(
            "more pixels", "return document.querySelector('.frame > img.main')?.naturalWidth === 8192", patience=120
        )
        browser.key("0")
        close_viewer(browser)
        world.run("delete", "--yes", imported)
        open_viewer(browser, plain["localIdentifier"])
        browser.wait("the picture", MAIN)

    with check("the panel says all that is known"):
        browser.key("i")
        known = world.run("show", "--json", plain["localIdentifier"])[0]
        text = browser.wait(
            "the panel", "return document.querySelector('.info dl') && document.querySelector('.info').textContent"
        )
        camera = known["camera"]
        for part in (
            camera["make"],
            camera["model"],
            known["originalFilename"],
            known["resources"][0]["sha256"],
            known["localIdentifier"],
            known["contentType"],
        ):
            assert part is None or part in text, f"{part} is not in the panel"
        browser.wait("the map", "return document.querySelector('.map .map-land')?.getAttribute('d').length > 50")
        browser.picture("viewer-info")
        for label in ("Zoom in", "Zoom out"):
            browser.click(browser.labelled(label, ".info"))
        hosts = browser.js(
            "return [...new Set(performance.getEntriesByType('resource').map((one) => new URL(one.name).host))]"
        )
        assert hosts == [browser.js("return location.host")], hosts
        browser.key("i")
        close_viewer(browser)

    with check("videos play, in ranges"):
        assert video, "the samples have no video"
        open_viewer(browser, video["localIdentifier"])
        browser.wait(
            "the film to play",
            "const film = document.querySelector('video.main'); return film && film.readyState >= 2 && film.currentTime > 0",
            patience=60,
        )
        browser.js("document.querySelector('video.main').currentTime = 0.5")
        browser.wait("another place", "const film = document.querySelector('video.main'); return !film.seeking")
        browser.picture("viewer-video")
        status = browser.later("""
            const done = arguments[0];
            fetch(document.querySelector('video.main').src, {headers: {Range: 'bytes=10-19'}})
                .then(async (answer) => done([answer.status, answer.headers.get('content-range'), (await answer.arrayBuffer()).byteLength]));""")
        assert status[0] == 206 and status[1].startswith("bytes 10-19/") and status[2] == 10, status
        close_viewer(browser)

    with check("Live Photos play"):
        assert live, "the samples have no Live Photo"
        open_viewer(browser, live["localIdentifier"])
        browser.wait("the picture", MAIN)
        browser.click(".live-badge")
        browser.wait("its movie", "return document.querySelector('video.live') !== null || window.played")
        browser.wait(
            "its movie to play and end",
            """
            const film = document.querySelector('video.live');
            if (film && film.currentTime > 0) window.played = true;
            return window.played;""",
            patience=60,
        )
        close_viewer(browser)

    with check("frames of a burst can be chosen"):
        assert burst, "the samples have no burst"
        open_viewer(browser, burst["localIdentifier"])
        browser.click(browser.labelled("Select photos from the burst"))
        frames = browser.wait("frames", "return document.querySelectorAll('.burst-frame').length")
        assert frames >= 3, frames
        browser.wait(
            "their pictures",
            "return [...document.querySelectorAll('.burst-frame img')].every((one) => one.naturalWidth > 0)",
        )
        browser.picture("viewer-burst")
        was = browser.js("return document.querySelectorAll('.burst-frame')[1].getAttribute('aria-pressed')")
        browser.js("document.querySelectorAll('.burst-frame')[1].click()")
        browser.wait(
            "the choice",
            "return document.querySelectorAll('.burst-frame')[1].getAttribute('aria-pressed') !== arguments[0]",
            was,
        )
        world.until(
            "the choice in the library",
            lambda: any(
                "userPick" in asset["burstSelectionTypes"]
                for asset in world.run("list", "--json", "--include-all-burst-assets")
            ),
        )
        browser.js("document.querySelectorAll('.burst-frame')[1].click()")
        browser.click("dialog.sheet[open] .sheet-head button")
        close_viewer(browser)

    with check("an open menu keeps the keys from the view behind it"):
        open_viewer(browser, plain["localIdentifier"])
        browser.click(browser.labelled("More", ".viewer"))
        browser.wait("the menu", "return document.querySelector('.menu')?.contains(document.activeElement)")
        state = "return [location.hash, document.querySelector('.info').classList.contains('hidden'), document.querySelectorAll('.menu').length]"
        before = browser.js(state)
        for key in ("ArrowRight", "i"):
            browser.key(key)
        assert browser.js(state) == before, (browser.js(state), before)
        browser.key("Escape")
        assert browser.js("return !document.querySelector('.menu') && document.querySelector('dialog.viewer[open]')")
        close_viewer(browser)
        browser.click(browser.labelled("Import", ".tools"))
        browser.wait("the menu", "return document.querySelector('.menu')?.contains(document.activeElement)")
        browser.key("/")
        assert browser.js("return document.querySelector('.menu')?.contains(document.activeElement)")
        browser.key("Escape")

    with check("a favorite is one at once"):
        open_viewer(browser, plain["localIdentifier"])
        browser.key("f")
        browser.wait(
            "the heart",
            "return document.querySelector('.viewer button[aria-label=\"Favorite\"]').getAttribute('aria-pressed') === 'true'",
        )
        assert world.run("show", "--json", plain["localIdentifier"])[0]["isFavorite"]
        act_on_toast(browser)
        browser.wait(
            "no heart",
            "return document.querySelector('.viewer button[aria-label=\"Favorite\"]').getAttribute('aria-pressed') === 'false'",
        )
        close_viewer(browser)
        assert labels(browser)
