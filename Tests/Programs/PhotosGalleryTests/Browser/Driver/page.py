"""Actions on the page that all parts share."""

READY = "return document.documentElement.dataset.ready === 'true'"
CELLS = "return document.querySelectorAll('.cell').length"
SHARP = """
    const box = document.querySelector('.grid').getBoundingClientRect();
    const seen = [...document.querySelectorAll('.cell')].filter((cell) => {
        const at = cell.getBoundingClientRect();
        return at.bottom > box.top && at.top < box.bottom;
    });
    return seen.length > 0 && seen.every((cell) => cell.querySelector('img.sharp') || cell.classList.contains('broken'));"""
# Clears the page's stored state except for the session, so that each part starts signed in and without state.
FORGET = """
    const kept = localStorage.getItem('photos.session');
    localStorage.clear();
    sessionStorage.clear();
    if (kept) localStorage.setItem('photos.session', kept);"""


def open_at(browser, world, address="#/library", gallery=None):
    """Reloads the page at a given address, without stored state."""
    gallery = gallery or world.gallery
    if browser.js("return location.origin") == gallery.root:
        browser.js(FORGET)
    browser.go("about:blank")
    browser.go(f"{gallery.root}/{address}")
    browser.wait("the page to begin", READY)


def sign_in(browser, root, password):
    """Opens a gallery's sign-in page, and signs in as soon as the page allows it."""
    browser.go(root + "/")
    browser.wait("the form", "return document.querySelector('form button')?.disabled === false")
    browser.js(
        "document.querySelector('#password').value = arguments[0]; document.querySelector('form button').click()",
        password,
    )
    browser.wait("the page to begin", READY)


def show(browser, address):
    browser.js("location.hash = arguments[0]", address.lstrip("#"))


def labels(browser):
    """Returns the labels of the cells for screen readers, in display order."""
    return browser.js("""
        return [...document.querySelectorAll('.cell')].sort((a, b) => a.cell.place - b.cell.place)
            .map((cell) => cell.getAttribute('aria-label'));""")


def ids(browser):
    """Returns the identifiers of the assets whose cells are in the page, in order."""
    return browser.js("""
        return [...document.querySelectorAll('.cell')].sort((a, b) => a.cell.place - b.cell.place)
            .map((cell) => cell.cell.asset?.id ?? null);""")


def cell_of(browser, asset):
    """Returns the cell of an asset, scrolled into view."""
    wanted = asset.split("/")[0]
    return browser.wait(
        f"the cell of {wanted}",
        """
        const found = [...document.querySelectorAll('.cell')].find((cell) => cell.cell.asset?.id === arguments[0]);
        if (found) return found;
        const box = document.querySelector('.grid');
        box.scrollTop = box.scrollTop + box.clientHeight >= box.scrollHeight - 2 ? 0 : box.scrollTop + box.clientHeight * 0.8;
        return null;""",
        wanted,
    )


def count(browser):
    """Returns the number of assets that the list states."""
    return browser.js("return Number(document.querySelector('.grid').getAttribute('aria-rowcount'))")


def toast(browser, text):
    browser.wait(
        f"a message with {text!r}",
        "return [...document.querySelectorAll('.toast')].some((one) => one.textContent.includes(arguments[0]))",
        text,
    )


def act_on_toast(browser):
    """Clicks the action of the latest message, once there is one."""
    browser.wait(
        "a message with an action",
        """
        const last = [...document.querySelectorAll('.toast-action')].at(-1);
        last?.click();
        return last !== undefined;""",
    )


def open_viewer(browser, asset):
    cell = lambda: cell_of(browser, asset)
    browser.js("arguments[0].scrollIntoView({block: 'center'})", cell)
    browser.js("arguments[0].click()", cell)
    browser.wait("the viewer", "return document.querySelector('dialog.viewer[open]') !== null")


def close_viewer(browser):
    browser.js("document.querySelector('dialog.viewer[open] .viewer-bar button').click()")
    browser.wait("the grid", "return document.querySelector('dialog.viewer[open]') === null")


def fill_dialog(browser, text):
    """Enters text in the open dialog, and confirms it."""
    browser.wait("a question", "return document.querySelector('dialog.sheet[open] input') !== null")
    browser.js(
        """
        const input = document.querySelector('dialog.sheet[open] input');
        input.value = arguments[0];
        input.dispatchEvent(new Event('input', {bubbles: true}));
        input.form.requestSubmit();""",
        text,
    )


def agree(browser):
    browser.wait("a question", "return document.querySelector('dialog.sheet[open] .primary') !== null")
    browser.js("document.querySelector('dialog.sheet[open] .primary').click()")


def menu_item(browser, label):
    browser.wait(
        f"a menu with {label}",
        """
        const item = [...document.querySelectorAll('.menu-item')].find((one) => one.textContent.trim() === arguments[0]);
        if (!item) return false;
        item.click();
        return true;""",
        label,
    )


def side(browser, title):
    """Returns the sidebar's entry with a title."""
    return browser.wait(
        f"{title} in the sidebar",
        "return [...document.querySelectorAll('.side-item')].find((one) => one.querySelector('.side-title').textContent === arguments[0]) ?? null",
        title,
    )


def api(browser, path, method="GET", body=None):
    """Sends a request as the page does, and returns the status and the JSON."""
    return browser.later(
        """
        const [path, method, body, done] = arguments;
        const {secret} = JSON.parse(localStorage.getItem("photos.session"));
        fetch(path, {method, headers: {"X-Photos-Gallery": "1", "X-Photos-Secret": secret, ...(body === null ? {} : {"Content-Type": "application/json"})},
            body: body === null ? undefined : JSON.stringify(body)})
            .then(async (answer) => done([answer.status, await answer.json().catch(() => null)]), (error) => done([0, String(error)]));""",
        path,
        method,
        body,
    )
