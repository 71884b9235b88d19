"""6: changes by other programs appear automatically."""

import time

from page import CELLS, act_on_toast, cell_of, open_at, open_viewer, side, toast


def run(world, browser, check):
    asset = world.assets[1]["localIdentifier"]
    short = asset.split("/")[0]
    heart = "const cell = [...document.querySelectorAll('.cell')].find((cell) => cell.cell.asset?.id === arguments[0]); return Boolean(cell?.cell.asset.favorite)"

    with check("the command's change shows within a second, in place"):
        open_at(browser, world)
        cell = lambda: cell_of(browser, asset)
        browser.wait("its sharp picture", "return arguments[0].querySelector('img.sharp') !== null", cell)
        browser.js("window.node = arguments[0]; window.picture = arguments[0].querySelector('img')", cell)
        world.run("set", asset, "--favorite", "true")
        start = time.monotonic()
        browser.wait("the heart", heart, short)
        seconds = time.monotonic() - start
        check.note("seconds until the command's change shows", round(seconds, 3))
        # The goal is one second; the machine may be busy.
        assert seconds < 5, seconds
        assert browser.js("return window.node.isConnected && window.node.contains(window.picture)"), (
            "the cell was drawn anew"
        )
        world.run("undo")
        browser.wait("no heart", heart.replace("return ", "return !"), short)

    with check("deleting and undoing leave what is in view in view"):
        top = world.assets[0]["localIdentifier"]
        browser.js("document.querySelector('.grid').scrollTop = 600")
        held = browser.wait(
            "a cell in view",
            """
            const box = document.querySelector('.grid').getBoundingClientRect();
            const all = [...document.querySelectorAll('.cell')].filter((cell) => cell.cell.asset && cell.getBoundingClientRect().top > box.top + 150);
            all.sort((a, b) => a.cell.place - b.cell.place);
            return all.length ? [all[0].cell.asset.id, all[0].getBoundingClientRect().top] : null;""",
        )
        where = "return [...document.querySelectorAll('.cell')].find((cell) => cell.cell.asset?.id === arguments[0])?.getBoundingClientRect().top"
        before = browser.js("return document.querySelector('.subtitle').textContent")
        world.run("delete", "--yes", top)
        browser.wait("one less", "return document.querySelector('.subtitle').textContent !== arguments[0]", before)
        row = browser.js("return document.querySelector('.cell').getBoundingClientRect().height")
        now = browser.js(where, held[0])
        # The cells shift by one position; none moves by more than a row.
        assert now is not None and abs(now - held[1]) <= row + 60, (now, held)
        world.run("undo")
        browser.wait("it back", "return document.querySelector('.subtitle').textContent === arguments[0]", before)

    with check("what the command hides is in no browser's reach", "404 (Not Found)", "status of 404"):
        secret = world.assets[2]["localIdentifier"]
        open_at(browser, world)
        cell = lambda: cell_of(browser, secret)
        address = browser.wait("its sharp picture", "return arguments[0].querySelector('img.sharp')?.src", cell)
        ask = "const done = arguments[arguments.length - 1]; fetch(arguments[0]).then((answer) => done(answer.status), () => done(0));"
        assert browser.later(ask, address) == 200
        world.run("set", secret, "--hidden", "true")
        browser.wait(
            "the cell to go",
            "return ![...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])",
            secret.split("/")[0],
        )
        # The request may be served from the browser's cache, as for an image.
        assert browser.later(ask, address) == 404
        world.run("undo")
        cell_of(browser, secret)

    with check("another window follows, also its sidebar and viewer"):
        other = browser.window(900, 700)
        try:
            other.go(world.gallery.root)
            other.wait("cells", CELLS)
            open_at(browser, world)
            world.run("album", "create", "From the command")
            side(browser, "From the command")
            side(other, "From the command")
            open_viewer(other, asset)
            other.key("i")
            cell = lambda: cell_of(browser, asset)
            browser.js(
                "arguments[0].focus(); arguments[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'f', bubbles: true}))",
                cell,
            )
            other.wait(
                "the heart there",
                "return document.querySelector('.viewer button[aria-label=\"Favorite\"]').getAttribute('aria-pressed') === 'true'",
            )
            world.run("set", asset, "--title", "Told to all")
            other.wait(
                "the title there",
                "return document.querySelector('.info [data-value=title]')?.textContent === 'Told to all'",
            )
            assert other.errors() == [], other.errors()
        finally:
            other.close()

    # A picture may be requested while its photo is hidden.
    with check("every change has an undo", "404 (Not Found)"):
        open_at(browser, world)
        cell = lambda: cell_of(browser, asset)
        browser.js("arguments[0].querySelector('.mark').click()", cell)
        browser.click(browser.labelled("Hide", ".selection-bar"))
        gone = "return ![...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])"
        shown = gone.replace("!", "", 1)
        browser.wait("it gone", gone, short)
        act_on_toast(browser)
        browser.wait(
            "it back",
            "return [...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])",
            short,
        )
        act_on_toast(browser)
        browser.wait(
            "it gone again",
            "return ![...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])",
            short,
        )
        browser.key("z", "ctrl")
        browser.wait("it back again", shown, short)

    with check("what was undone can be redone"):
        toast(browser, "undone")
        browser.key("Z", "ctrl", "shift")
        browser.wait("it gone once more", gone, short)
        browser.wait("the redoing to be undoable", "return !document.querySelector('button[aria-label=Undo]').disabled")
        browser.click(browser.labelled("Undo", ".tools"))
        browser.wait("it back for good", shown, short)
        browser.click(browser.labelled("Redo", ".tools"))
        browser.wait("it gone by the button", gone, short)
        # After another change, nothing can be redone.
        browser.key("z", "ctrl")
        browser.wait("it back at the end", shown, short)
        cell = lambda: cell_of(browser, asset)
        browser.js("arguments[0].focus()", cell)
        browser.key("f")
        toast(browser, "Favorites")
        liked = world.run("show", "--json", asset)[0]["isFavorite"]
        assert browser.js("return document.querySelector('.tools button[aria-label=Redo]').disabled")

    with check("an undo that came too late says so and changes nothing", "409 (Conflict)"):
        world.run("set", asset, "--rating", "3")
        browser.key("z", "ctrl")
        browser.wait("the reason", "return document.querySelector('.toast.bad') !== null")
        assert world.run("show", "--json", asset)[0]["isFavorite"] == liked
