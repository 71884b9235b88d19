"""3: the sidebar."""

from page import CELLS, agree, api, cell_of, fill_dialog, ids, menu_item, open_at, show, side, toast, act_on_toast


def run(world, browser, check):
    first = [asset["localIdentifier"].split("/")[0] for asset in world.assets[:4]]
    titles = "return [...document.querySelectorAll('.side-item[draggable]')].map((one) => one.querySelector('.side-title').textContent)"

    with check("albums and folders are made and renamed"):
        open_at(browser, world)
        browser.click(browser.labelled("New album or folder"))
        menu_item(browser, "New album")
        fill_dialog(browser, "Summer")
        side(browser, "Summer")
        browser.click(browser.labelled("New album or folder"))
        menu_item(browser, "New folder")
        fill_dialog(browser, "Trips")
        folder = lambda: side(browser, "Trips")
        browser.js("arguments[0].focus()", folder)
        browser.js("arguments[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'F2', bubbles: true}))", folder)
        fill_dialog(browser, "Journeys")
        side(browser, "Journeys")
        world.until(
            "the command to know",
            lambda: {"Summer", "Journeys"} <= {one["localizedTitle"] for one in world.run("albums", "--json")},
        )

    with check("photos are dragged into an album"):
        assert browser.drag(lambda: cell_of(browser, first[0]), lambda: side(browser, "Summer"))
        toast(browser, "Summer")
        browser.js(
            "document.querySelectorAll('.cell').forEach((cell) => arguments[0].includes(cell.cell.asset?.id) && cell.cell.place < 4 && cell.querySelector('.mark').click())",
            first[1:],
        )
        browser.wait("a selection", "return document.querySelectorAll('.cell[aria-selected=\"true\"]').length === 3")
        assert browser.drag(lambda: cell_of(browser, first[1]), lambda: side(browser, "Summer"))
        browser.wait(
            "four in the album",
            "return [...document.querySelectorAll('.side-item')].some((one) => one.textContent === 'Summer4')",
        )
        browser.js("arguments[0].click()", lambda: side(browser, "Summer"))
        browser.wait(
            "the album",
            "return location.hash.startsWith('#/album/') && document.querySelectorAll('.cell').length === 4",
        )
        browser.wait("its assets", "return [...document.querySelectorAll('.cell')].every((cell) => cell.cell.asset)")
        assert ids(browser) == first, ids(browser)
        browser.picture("album")

    with check("an album is sorted by drag and drop"):
        assert browser.drag(lambda: cell_of(browser, first[3]), lambda: cell_of(browser, first[0]), (0.1, 0.5))
        browser.wait(
            "the new order",
            """
            const shown = [...document.querySelectorAll('.cell')].sort((a, b) => a.cell.place - b.cell.place).map((cell) => cell.cell.asset?.id);
            return JSON.stringify(shown) === JSON.stringify(arguments[0]);""",
            [first[3], *first[:3]],
        )
        album = browser.js("return location.hash.split('/').at(-1)")
        listed = [one["localIdentifier"].split("/")[0] for one in world.run("list", "--json", "--album", album)]
        assert listed == [first[3], *first[:3]], listed
        act_on_toast(browser)
        browser.wait(
            "the old order",
            "return document.querySelectorAll('.cell').length === 4 && [...document.querySelectorAll('.cell')].find((cell) => cell.cell.place === 0).cell.asset?.id === arguments[0]",
            first[0],
        )

    with check("the keyboard sorts an album, and albums"):
        browser.js("document.querySelector('.grid').focus()")
        browser.key("Home", "ctrl")
        browser.key("ArrowRight", "alt")
        order = """
            const shown = [...document.querySelectorAll('.cell')].sort((a, b) => a.cell.place - b.cell.place).map((cell) => cell.cell.asset?.id);
            return JSON.stringify(shown) === JSON.stringify(arguments[0]) && document.activeElement.cell?.asset?.id === arguments[1];"""
        browser.wait("the first as the second", order, [first[1], first[0], *first[2:]], first[0])
        browser.key("ArrowRight", "alt")
        browser.wait("the first as the third", order, [first[1], first[2], first[0], first[3]], first[0])
        browser.key("z", "ctrl")
        browser.key("z", "ctrl")
        browser.wait("the old order", order, first, first[0])
        # Undo also takes back a change that is displayed, but not answered yet.
        browser.js("""
            const plain = window.fetch;
            window.fetch = async (address, options) => {
                const answer = await plain(address, options);
                if (String(address).startsWith('/api/changes')) await new Promise((done) => setTimeout(done, 700));
                return answer;
            };
            window.restoreFetch = () => { window.fetch = plain; };""")
        browser.key("ArrowRight", "alt")
        browser.wait("the first as the second again", order, [first[1], first[0], *first[2:]], first[0])
        browser.key("z", "ctrl")
        browser.wait("the old order again", order, first, first[0])
        # The next key continues from it.
        browser.key("ArrowRight", "alt")
        browser.key("ArrowRight", "alt")
        browser.wait("two steps", order, [first[1], first[2], first[0], first[3]], first[0])
        browser.key("z", "ctrl")
        browser.key("z", "ctrl")
        browser.wait("no step", order, first, first[0])
        browser.js("window.restoreFetch()")
        before = browser.js(titles)
        browser.wait(
            "the folder to have the keyboard",
            """
            // The sidebar may still be drawn anew for what was undone.
            [...document.querySelectorAll('.side-item')].find((one) => one.querySelector('.side-title').textContent === 'Journeys').focus();
            return document.activeElement.textContent.startsWith('Journeys');""",
        )
        browser.key("ArrowUp", "alt")
        browser.wait(
            "it moved",
            f"{titles.replace('return ', 'const order = ', 1)}; return order.indexOf('Journeys') === arguments[0]",
            before.index("Journeys") - 1,
        )
        browser.wait("the keyboard to stay with it", "return document.activeElement.textContent.startsWith('Journeys')")
        browser.key("ArrowDown", "alt")
        browser.wait(
            "it back",
            f"{titles.replace('return ', 'const order = ', 1)}; return order.indexOf('Journeys') === arguments[0]",
            before.index("Journeys"),
        )

    with check("a key that is pressed before an album's move is displayed moves it on"):
        for title in ("One", "Two", "Three"):
            world.run("album", "create", title)
        side(browser, "Three")
        before = browser.js(titles)
        place = f"{titles.replace('return ', 'const order = ', 1)}; return order.indexOf('Three') === arguments[0]"
        focus = """
            [...document.querySelectorAll('.side-item')].find((one) => one.querySelector('.side-title').textContent === 'Three').focus();
            return document.activeElement.textContent.startsWith('Three');"""
        browser.js("""
            const plain = window.fetch;
            window.moves = 0;
            const wait = new Promise((done) => { window.restoreFetch = () => { window.fetch = plain; done(); }; });
            window.fetch = async (address, options) => {
                if (!String(address).startsWith('/api/changes')) return plain(address, options);
                window.moves += 1;
                await wait;
                return plain(address, options);
            };""")
        browser.wait("the album to have the keyboard", focus)
        browser.key("ArrowUp", "alt")
        browser.wait("the first move", "return window.moves === 1")
        browser.key("ArrowUp", "alt")
        browser.js("window.restoreFetch()")
        browser.wait("two steps", place, before.index("Three") - 2)
        browser.wait("the keyboard to stay with it", "return document.activeElement.textContent.startsWith('Three')")
        for step in (-1, 0):
            browser.key("ArrowDown", "alt")
            browser.wait("a step back", place, before.index("Three") + step)

    with check("albums are moved into folders and sorted by drag and drop"):
        assert browser.drag(lambda: side(browser, "Summer"), lambda: side(browser, "Journeys"))
        browser.wait(
            "it inside",
            "const one = [...document.querySelectorAll('.side-item')].find((one) => one.textContent.startsWith('Summer')); return one && parseFloat(one.style.paddingInlineStart) > 20",
        )
        browser.click(browser.labelled("New album or folder"))
        menu_item(browser, "New album")
        fill_dialog(browser, "Above")
        side(browser, "Above")
        order = browser.js(titles)
        assert order.index("Above") > order.index("Journeys"), order
        assert browser.drag(lambda: side(browser, "Above"), lambda: side(browser, "Journeys"), (0.5, 0.1))
        browser.wait(
            "it above",
            f"{titles.replace('return ', 'const order = ', 1)}; return order.indexOf('Above') < order.indexOf('Journeys') && order.includes('Above')",
        )
        browser.picture("sidebar")

    with check("what is pressed while the library changes is clicked"):
        loads = "return performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/api/collections') && one.responseEnd > 0).length"
        box = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]"
        new = browser.labelled("New album or folder")
        # Events of earlier changes may still arrive.
        browser.wait("the click", "return !document.querySelector('.menu')")
        x, y = browser.js(box, new)
        button = {"x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        browser.command("Input.dispatchMouseEvent", type="mousePressed", **button)
        before = browser.js(loads)
        world.run("album", "create", "Elsewhere")
        browser.wait(
            "the sidebar to be loaded again",
            f"{loads.replace('return ', 'const n = ', 1)}; return n > arguments[0]",
            before,
        )
        browser.command("Input.dispatchMouseEvent", type="mouseReleased", **button)
        menu_item(browser, "New album")
        fill_dialog(browser, "Here")
        side(browser, "Elsewhere")
        side(browser, "Here")

    with check("every list opens"):
        for address, title in (
            ("favorites", "Favorites"),
            ("recents", "Recently Added"),
            ("duplicates", "Duplicates"),
            ("deleted", "Recently Deleted"),
        ):
            show(browser, f"#/{address}")
            browser.wait(
                f"the title {title}", "return document.querySelector('.title').textContent === arguments[0]", title
            )
        smart = browser.wait("smart albums", "return [...document.querySelectorAll('#side-smart .side-item')].length")
        assert smart >= 3, smart
        browser.js("arguments[0].click()", lambda: side(browser, "Live Photos"))
        browser.wait(
            "Live Photos",
            f"{CELLS.replace('return ', 'const n = ')}; return n > 0 && document.querySelector('.title').textContent === 'Live Photos'",
        )
        imports = browser.js("return document.querySelectorAll('#side-imports .side-item').length")
        assert imports >= 1, imports
        browser.js("document.querySelector('#side-imports .side-item').click()")
        browser.wait(
            "what was imported",
            "return location.hash.startsWith('#/import/') && document.querySelectorAll('.cell').length > 5",
        )

    with check("moments show, and open"):
        show(browser, "#/moments")
        browser.wait(
            "moments with pictures",
            "const all = [...document.querySelectorAll('.moment img')]; return all.length > 1 && all[0].naturalWidth > 0",
        )
        browser.picture("moments")
        browser.js("document.querySelector('.moment').click()")
        browser.wait(
            "its photos",
            f"{CELLS.replace('return ', 'const n = ')}; return n > 0 && location.hash.startsWith('#/album/')",
        )

    with check("hidden photos ask first", "410 (Gone)"):
        open_at(browser, world)
        target = world.assets[-1]["localIdentifier"]
        world.run("set", target, "--hidden", "true")
        show(browser, "#/hidden")
        browser.wait("the lock", "return document.querySelector('[data-action=unlock]') !== null")
        assert browser.js(CELLS.replace(".cell", ".grid:not(.hidden) .cell")) == 0
        browser.picture("hidden-locked")
        status, answer = api(browser, f"/api/assets/{target.split('/')[0]}")
        assert status == 404 and answer["error"]["code"] == "notFound", (status, answer)
        browser.errors()
        browser.click("[data-action=unlock]")
        agree(browser)
        browser.wait(
            "the hidden one",
            "return [...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])",
            target.split("/")[0],
        )
        browser.wait(
            "the time that is left",
            r"return /\d:\d\d/.test(document.querySelector('.unlocked:not(.hidden)')?.textContent ?? '')",
        )
        browser.picture("hidden-unlocked")
        browser.js("window.isOld = true")
        browser.click("[data-action=lock]")
        browser.wait(
            "the page anew",
            "return window.isOld === undefined && location.hash === '#/library' && document.documentElement.dataset.ready === 'true'",
        )
        assert browser.js("return document.querySelector('.unlocked.hidden') !== null")
        assert browser.js(
            "return [...document.querySelectorAll('.cell')].every((cell) => cell.cell.asset?.id !== arguments[0])",
            target.split("/")[0],
        )
        show(browser, "#/hidden")
        browser.wait("the lock", "return document.querySelector('[data-action=unlock]') !== null")
        world.run("set", target, "--hidden", "false")

    with check("deleted photos come back, or go for good after a question"):
        open_at(browser, world)
        target = world.assets[2]["localIdentifier"].split("/")[0]
        cell = lambda: cell_of(browser, target)
        browser.js("arguments[0].querySelector('.mark').click()", cell)
        browser.click(browser.labelled("Delete", ".selection-bar"))
        browser.wait(
            "it gone",
            "return ![...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])",
            target,
        )
        show(browser, "#/deleted")
        browser.wait(
            "it in Recently Deleted",
            "return [...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])",
            target,
        )
        browser.picture("deleted")
        browser.js("arguments[0].querySelector('.mark').click()", lambda: cell_of(browser, target))
        browser.click(browser.labelled("Delete", ".selection-bar"))
        browser.wait("a question", "return document.querySelector('dialog.sheet .primary.danger') !== null")
        browser.js("document.querySelector('dialog.sheet .push').click()")
        browser.click(browser.labelled("Restore", ".selection-bar"))
        browser.wait(
            "it to leave",
            "return ![...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.id === arguments[0])",
            target,
        )
        assert any(asset["localIdentifier"].startswith(target) for asset in world.run("list", "--json"))
