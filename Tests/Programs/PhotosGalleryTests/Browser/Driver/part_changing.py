"""4b: undo in every view, rotation by a key, dates, and the confirmation of permanent removals."""

from page import api, cell_of, close_viewer, fill_dialog, menu_item, open_at, open_viewer, show, toast

INPUT = "return document.querySelector('dialog.sheet[open] input')?.value ?? null"


def run(world, browser, check):
    plain = next(
        asset
        for asset in world.assets
        if asset["mediaType"] == "image"
        and not asset["mediaSubtypes"]
        and asset["playbackStyle"] == "image"
        and not asset["burstIdentifier"]
        and asset["contentType"] == "public.jpeg"
    )
    identifier = plain["localIdentifier"]

    def known(asset=identifier):
        return world.run("show", "--json", asset)[0]

    def write_search(text, end=None):
        browser.js("document.querySelector('.search-input').focus()")
        browser.one(".search-input").send_keys(text)
        browser.wait("the search", "return location.hash.includes('q=')")
        if end:
            browser.key(end)

    def undo_acts(what, text):
        world.until("the favorite", lambda: known()["isFavorite"])
        browser.key("z", "ctrl")
        world.until(f"undo in {what} to take back the favorite", lambda: not known()["isFavorite"])
        assert browser.js("return document.querySelector('.search-input').value") == text, what
        browser.key("Z", "ctrl", "shift")
        world.until(f"redo in {what}", lambda: known()["isFavorite"])
        browser.key("z", "ctrl")
        world.until(f"undo once more in {what}", lambda: not known()["isFavorite"])
        assert browser.js("return document.querySelector('.search-input').value") == text, what

    name = plain["originalFilename"].split(".")[0]
    with check("undo in the viewer, after a search, acts on the photo"):
        open_at(browser, world)
        write_search(name)
        open_viewer(browser, identifier)
        browser.key("f")
        undo_acts("the viewer", name)
        close_viewer(browser)

    with check("letters act in a layout without Latin letters, and with Caps Lock"):
        open_at(browser, world)
        press = "arguments[0].focus(); arguments[0].dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...arguments[1]}))"
        cell = lambda: cell_of(browser, identifier)
        browser.js(press, cell, {"key": "\u0430", "code": "KeyF"})
        world.until("the favorite", lambda: known()["isFavorite"])
        browser.js(press, cell, {"key": "\u044f", "code": "KeyZ", "ctrlKey": True})
        world.until("undo", lambda: not known()["isFavorite"])
        # What Latin layouts write with AltGr is no shortcut: here, it would open the editor.
        browser.js(press, cell, {"key": "\u0119", "code": "KeyE", "modifierAltGraph": True})
        assert browser.js("return document.querySelector('dialog[open]') === null")
        # The gallery never receives the rotations.
        browser.js("""
            const plain = window.fetch;
            window.turns = [];
            window.fetch = async (url, options) => {
                if (!String(url).startsWith('/api/changes')) return plain(url, options);
                window.turns.push(JSON.parse(options.body).value);
                return new Response('{"done": true, "count": 1}', {status: 200});
            };""")
        for key, shift in (("R", False), ("r", True), ("\u041a", True)):
            browser.js(press, cell, {"key": key, "code": "KeyR", "shiftKey": shift})
        browser.wait("the rotations", "return window.turns.length === 3")
        assert browser.js("return window.turns") == [1, -1, -1], browser.js("return window.turns")

    with check("a dialog acts on what was chosen, also if the list is loaded again", "410 (Gone)"):
        open_at(browser, world)
        chosen = "return document.querySelectorAll('.cell[aria-selected=\"true\"]').length"
        browser.js(
            "[...document.querySelectorAll('.cell')].filter((cell) => cell.cell.place < 2).forEach((cell) => cell.querySelector('.mark').click())"
        )
        browser.wait("a selection", chosen + " === 2")
        browser.click(browser.labelled("More", ".selection-bar"))
        menu_item(browser, "New album with selection")
        browser.wait("a question", "return document.querySelector('dialog.sheet[open] input') !== null")
        api(browser, "/api/hidden", "POST", {"unlock": True})
        browser.wait("the new list, without a selection", chosen + " === 0")
        fill_dialog(browser, "Both")
        browser.wait(
            "both in the album",
            "return [...document.querySelectorAll('.side-item')].some((one) => one.textContent === 'Both2')",
        )
        api(browser, "/api/hidden", "POST", {"unlock": False})
        world.run("album", "delete", "Both")

    with check("undo after a search acts on the photo"):
        open_at(browser, world)
        write_search(name, "Enter")
        browser.wait(
            "what was found to have the keyboard",
            "return document.activeElement !== document.querySelector('.search-input')",
        )
        browser.js("arguments[0].querySelector('.mark').click()", lambda: cell_of(browser, identifier))
        browser.click(browser.labelled("Favorite", ".selection-bar"))
        undo_acts("the grid", name)

    with check("while a search is written, undo takes back what was written"):
        open_at(browser, world)
        write_search("abc")
        browser.key("z", "ctrl")
        browser.wait("less text", "return document.querySelector('.search-input').value.length < 3")

    with check("a key rotates a photo, without the editor"):
        open_at(browser, world)
        before = known()
        size = (before["pixelWidth"], before["pixelHeight"])
        assert size[0] != size[1], size
        open_viewer(browser, identifier)
        shape = "return document.querySelector('.frame > img.main')?.naturalWidth / document.querySelector('.frame > img.main')?.naturalHeight"
        browser.wait("the picture", "return document.querySelector('.frame > img.main')?.naturalWidth > 0")
        ratio = browser.js(shape)
        browser.key("r")
        world.until("it turned", lambda: (known()["pixelHeight"], known()["pixelWidth"]) == size)
        browser.wait(
            "it shown turned",
            f"{shape.replace('return', 'const now =', 1)}; return Math.abs(now * arguments[0] - 1) < 0.05",
            ratio,
        )
        assert browser.js("return document.querySelector('.editor') === null")
        browser.key("R", "shift")
        world.until("it turned back", lambda: not known()["hasAdjustments"])
        close_viewer(browser)

    with check("undo after several quick rotations takes back the last one"):
        open_at(browser, world)
        open_viewer(browser, identifier)
        browser.wait("the picture", "return document.querySelector('.frame > img.main')?.naturalWidth > 0")
        # All keys before the first rotation is answered.
        browser.js("""
            const press = (key, code, ctrlKey) => document.activeElement.dispatchEvent(
                new KeyboardEvent('keydown', {key, code, ctrlKey, bubbles: true, cancelable: true}));
            for (let time = 0; time < 3; time += 1) press('r', 'KeyR', false);
            press('z', 'KeyZ', true);""")
        toast(browser, "The change was undone.")
        recipe = api(browser, f"/api/assets/{identifier.split('/')[0]}/edit")[1]["recipe"]
        assert recipe == {"quarterTurns": 2}, recipe
        for _ in range(2):
            browser.key("z", "ctrl")
        world.until("the original", lambda: not known()["hasAdjustments"])
        close_viewer(browser)

    with check("the key rotates all that are chosen, and undo takes it back"):
        others = [
            asset
            for asset in world.assets
            if asset["mediaType"] == "image"
            and not asset["mediaSubtypes"]
            and asset["contentType"] == "public.jpeg"
            and asset["playbackStyle"] == "image"
            and not asset["burstIdentifier"]
        ][:2]
        for asset in others:
            browser.js(
                "arguments[0].querySelector('.mark').click()",
                lambda asset=asset: cell_of(browser, asset["localIdentifier"]),
            )
        browser.key("r")
        toast(browser, "2 photos were rotated")
        assert all(known(asset["localIdentifier"])["hasAdjustments"] for asset in others)
        browser.key("z", "ctrl")
        world.until("both back", lambda: not any(known(asset["localIdentifier"])["hasAdjustments"] for asset in others))
        browser.click(browser.labelled("Clear selection"))

    with check("the date begins with the photo's own, in its own zone"):
        zoned = next(
            asset
            for asset in map(lambda one: known(one["localIdentifier"]), world.assets)
            if asset["captureTime"] and asset["captureTime"]["utcOffset"] not in (None, 0)
        )
        wall = zoned["captureTime"]["wallTime"][:19]
        open_at(browser, world)
        open_viewer(browser, zoned["localIdentifier"])
        browser.key("i")
        browser.click("[data-field=date]")
        shown = browser.wait("the question", INPUT)
        assert wall.startswith(shown) or shown.startswith(wall), (shown, wall)
        hours, minutes = divmod(abs(zoned["captureTime"]["utcOffset"]) // 60, 60)
        label = browser.js("return document.querySelector('dialog.sheet[open] label').textContent")
        assert f"{hours}:{minutes:02}" in label, label
        browser.picture("date")
        # An unchanged value has no effect.
        fill_dialog(browser, shown)
        assert known(zoned["localIdentifier"])["creationDate"] == zoned["creationDate"]
        browser.click("[data-field=date]")
        browser.wait("the question", INPUT)
        later = wall[:11] + ("13" if wall[11:13] != "13" else "14") + wall[13:]
        fill_dialog(browser, later)
        world.until(
            "the new time",
            lambda: (
                (
                    known(zoned["localIdentifier"])["captureTime"]["wallTime"][:19],
                    known(zoned["localIdentifier"])["captureTime"]["utcOffset"],
                )
                == (later, zoned["captureTime"]["utcOffset"])
            ),
        )
        browser.wait("the field to be ready", "return document.querySelector('dialog.sheet[open]') === null")
        browser.key("z", "ctrl")
        world.until("the time before", lambda: known(zoned["localIdentifier"])["creationDate"] == zoned["creationDate"])
        browser.key("i")
        close_viewer(browser)

    with check("dates of several move by the difference"):
        two = [known(asset["localIdentifier"]) for asset in world.assets if asset["creationDate"]][:2]
        for asset in two:
            browser.js(
                "arguments[0].querySelector('.mark').click()",
                lambda asset=asset: cell_of(browser, asset["localIdentifier"]),
            )
        browser.click(browser.labelled("More", ".selection-bar"))
        menu_item(browser, "Adjust date and time\u2026")
        shown = browser.wait("the question", INPUT)
        text = browser.js("return document.querySelector('dialog.sheet[open]').textContent")
        assert "2 items are adjusted" in text, text
        day = int(shown[8:10])
        moved = shown[:8] + f"{day - 1 if day > 1 else day + 1:02}" + shown[10:]
        seconds = -86_400 if day > 1 else 86_400
        fill_dialog(browser, moved)
        toast(browser, "2 dates were changed")
        from datetime import datetime

        instant = lambda asset: datetime.fromisoformat(asset["creationDate"].replace("Z", "+00:00")).timestamp()
        for asset in two:
            now = known(asset["localIdentifier"])
            # A day in wall time is an hour longer or shorter when clocks change.
            assert abs(instant(now) - instant(asset) - seconds) <= 3600, (asset["creationDate"], now["creationDate"])
        browser.key("z", "ctrl")
        world.until(
            "both back",
            lambda: all(known(asset["localIdentifier"])["creationDate"] == asset["creationDate"] for asset in two),
        )

    with check("Enter does not delete for good"):
        open_at(browser, world)
        target = world.assets[3]["localIdentifier"].split("/")[0]
        world.run("delete", "--yes", target)
        show(browser, "#/deleted")
        browser.js("arguments[0].querySelector('.mark').click()", lambda: cell_of(browser, target))
        browser.key("Delete")
        browser.wait("a question", "return document.querySelector('dialog.sheet[open] .primary.danger') !== null")
        assert not browser.js("return document.activeElement.classList.contains('danger')")
        browser.key("Enter")
        browser.wait("no question", "return document.querySelector('dialog[open]') === null")
        assert any(asset["localIdentifier"].startswith(target) for asset in world.run("list", "--json", "--deleted"))
        world.run("restore", target)
        # Enter still confirms a harmless dialog.
        show(browser, "#/hidden")
        browser.click("[data-action=unlock]")
        browser.wait(
            "a question", "return document.querySelector('dialog.sheet[open] .primary') === document.activeElement"
        )
        browser.key("Escape")
