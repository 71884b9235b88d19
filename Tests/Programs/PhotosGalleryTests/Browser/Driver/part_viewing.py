"""8c: a browser that signed in with the view-only password."""

from browser import Browser
from page import CELLS, READY, api, show, sign_in

PASSWORD = "correct horse"
VIEWING = "just looking"
SHOWN = """return [...document.querySelectorAll('button, input, [draggable=true]')].filter((one) => one.offsetParent !== null && !one.closest('.cell'))
    .map((one) => one.getAttribute('aria-label') || one.textContent.trim()).filter(Boolean)"""


def run(world, browser, check):
    world.environment |= {"PHOTOS_GALLERY_PASSWORD": PASSWORD, "PHOTOS_GALLERY_VIEW_PASSWORD": VIEWING}
    gallery = world.serve(None, "--lan")
    guest = Browser(pictures=world.pictures)
    try:
        with check("the form is not sent before the script that sends it has loaded", "ERR_BLOCKED_BY_CLIENT"):
            guest.command("Network.enable")
            guest.command("Network.setBlockedURLs", urls=["*/door.js"])
            guest.go(gallery.root + "/")
            guest.one("#password")
            guest.js("document.querySelector('form').addEventListener('submit', () => { document.title = 'sent'; })")
            guest.one("#password").send_keys(VIEWING + "\n")
            assert guest.js("return document.title") != "sent"
            assert guest.js("return document.querySelector('#password').value") == VIEWING
            guest.command("Network.setBlockedURLs", urls=[])

        with check("the view-only password opens the photos, and says so", "401 (Unauthorized)"):
            sign_in(guest, gallery.root, VIEWING)
            guest.wait(
                "pictures", "return [...document.querySelectorAll('.cell img')].some((one) => one.naturalWidth > 0)"
            )
            assert guest.js("return document.querySelector('.brand .view-only')?.textContent") == "View only"
            assert guest.js(CELLS) > 0
            guest.picture("viewing")

        with check("nothing that changes anything is offered"):
            shown = guest.js(SHOWN)
            for word in ("Import", "Undo", "Redo", "New", "Hidden", "Recently Deleted", "Duplicates"):
                assert not any(one.rstrip("0123456789") == word for one in shown), (word, shown)
            guest.js("document.querySelector('.cell').focus(); document.querySelector('.cell .mark')?.click()")
            guest.wait("the selection", "return !document.querySelector('.selection-bar').classList.contains('hidden')")
            shown = guest.js(
                "return [...document.querySelectorAll('.selection-bar button')].map((one) => one.getAttribute('aria-label') || one.textContent)"
            )
            assert len(shown) == 3 and not any(one in ("Delete", "Favorite") for one in shown), shown
            guest.js("document.querySelectorAll('.selection-bar button')[2].click()")
            guest.wait("the menu", "return document.querySelector('[role=menuitem]') !== null")
            items = guest.js(
                "return [...document.querySelectorAll('[role=menuitem]')].map((one) => one.textContent.trim())"
            )
            assert items == ["Download originals"], items
            guest.key("Escape")
            guest.key("Escape")

        with check("the viewer shows, and keys that change do nothing"):
            guest.js("document.querySelector('.cell').click()")
            guest.wait("the viewer", "return document.querySelector('dialog.viewer[open] img.main') !== null")
            names = guest.js(
                "return [...document.querySelectorAll('.viewer-bar button')].filter((one) => one.offsetParent).map((one) => one.getAttribute('aria-label'))"
            )
            assert not any(one in ("Edit", "Favorite", "Delete") for one in names), names
            before = world.run("list", "--json")
            for key in ("f", "r", "e", "Delete"):
                guest.key(key)
            guest.wait(
                "to be told",
                "return [...document.querySelectorAll('.toast')].some((one) => one.textContent.includes('only view'))",
            )
            assert world.run("list", "--json") == before
            guest.key("i")
            guest.wait("the facts", "return document.querySelector('.info .facts') !== null")
            assert guest.js("return document.querySelectorAll('.info [data-field]:not([data-field=near])').length") == 0
            assert "Add" not in guest.js(
                "return [...document.querySelectorAll('.info-value')].map((one) => one.textContent)"
            )
            guest.picture("viewing-viewer")
            guest.key("Escape")

        with check("the settings show its own session, and the look", "403 (Forbidden)"):
            show(guest, "#/settings")
            guest.wait("its session", "return document.querySelectorAll('.session').length === 1")
            assert guest.js("return document.querySelectorAll('.settings .card').length") == 2
            status, answer = api(guest, "/api/storage")
            assert status == 403 and answer["error"]["code"] == "viewOnly", (status, answer)
            guest.picture("viewing-settings")

        with check("lists that are closed say why", "403 (Forbidden)"):
            for address in ("#/hidden", "#/deleted"):
                show(guest, address)
                guest.wait(
                    f"the reason at {address}",
                    "return /view only|only view/.test(document.querySelector('.main').textContent)",
                )
                assert guest.js("return document.querySelectorAll('.cell').length") == 0
            show(guest, "#/library")

        with check("what others change shows at once, and the owner sees who only views", "401 (Unauthorized)"):
            world.run("album", "create", "For guests")
            guest.wait(
                "the album",
                "return [...document.querySelectorAll('.side-title')].some((one) => one.textContent === 'For guests')",
            )
            # Between two event streams, too, as while the tab is hidden.
            hide = """
                Object.defineProperty(document, 'hidden', { configurable: true, get: () => arguments[0] });
                document.dispatchEvent(new Event('visibilitychange'));"""
            guest.js(hide, True)
            world.run("album", "create", "For late guests")
            guest.js(hide, False)
            guest.wait(
                "the album that was announced meanwhile",
                "return [...document.querySelectorAll('.side-title')].some((one) => one.textContent === 'For late guests')",
            )
            browser.go(gallery.url)
            browser.wait("the page to begin", READY)
            show(browser, "#/settings")
            browser.wait("both sessions", "return document.querySelectorAll('.session').length === 2")
            assert browser.js("return document.querySelectorAll('.session [data-rights=viewing]').length") == 1

        with check("signing out leads to the door, where the other password opens all", "401 (Unauthorized)"):
            show(guest, "#/settings")
            guest.wait("its session", "return document.querySelectorAll('.session').length === 1")
            guest.js("document.querySelector('.session [data-action=end]').click()")
            guest.wait("the end", "return document.querySelector('.ended h1') !== null")
            sign_in(guest, gallery.root, PASSWORD)
            assert guest.js("return document.querySelector('.brand .view-only')") is None
            assert "Import" in guest.js(SHOWN)
    finally:
        guest.close()
        gallery.stop()
