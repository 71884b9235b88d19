"""1: the grid."""

from page import CELLS, SHARP, cell_of, ids, open_at


def run(world, browser, check):
    expected = [asset["localIdentifier"].split("/")[0] for asset in world.assets]

    with check("shows the whole library by capture time"):
        open_at(browser, world)
        browser.wait("cells", CELLS)
        browser.wait("known cells", "return [...document.querySelectorAll('.cell')].every((cell) => cell.cell.asset)")
        shown = ids(browser)
        assert shown == expected[: len(shown)], f"{shown[:4]} instead of {expected[:4]}"
        assert browser.js("return document.querySelector('.subtitle').textContent").startswith(str(len(expected)))

    with check("degraded pictures give way to sharp ones"):
        browser.wait("sharp pictures", SHARP)
        assert browser.js("return document.querySelectorAll('.cell.broken').length") == 0
        browser.picture("grid")

    with check("headings are days and months"):
        text = browser.js("return [...document.querySelectorAll('.heading')].map((one) => one.innerText).join('\\n')")
        year = max(asset["creationDate"] or "" for asset in world.assets)[:4]
        assert browser.js("return document.querySelectorAll('.heading .month').length") > 0, text
        assert year in text, text

    with check("nothing jumps while pictures load"):
        open_at(browser, world)
        before = browser.wait(
            "cells",
            """
            const cells = [...document.querySelectorAll('.cell')];
            return cells.length > 5 && cells.map((cell) => [cell.cell.place, ...Object.values(cell.getBoundingClientRect().toJSON()).slice(0, 4)]);""",
        )
        browser.wait("sharp pictures", SHARP)
        after = {
            entry[0]: entry
            for entry in browser.js(
                "return [...document.querySelectorAll('.cell')].map((cell) => [cell.cell.place, ...Object.values(cell.getBoundingClientRect().toJSON()).slice(0, 4)])"
            )
        }
        assert all(after[entry[0]] == entry for entry in before)

    with check("only what is in view is in the page"):
        browser.size(1280, 400)
        browser.wait("fewer cells", f"return document.querySelectorAll('.cell').length < {len(expected)}")
        browser.size(1280, 860)

    with check("zoom levels keep the place"):
        open_at(browser, world)
        browser.wait("cells", CELLS)
        seen = [browser.js("return document.querySelector('.cell').getBoundingClientRect().width")]
        for _ in range(3):
            browser.click(browser.labelled("Smaller thumbnails"))
            browser.wait(
                "smaller cells",
                "return document.querySelector('.cell').getBoundingClientRect().width < arguments[0]",
                seen[-1],
            )
            seen.append(browser.js("return document.querySelector('.cell').getBoundingClientRect().width"))
        assert browser.js("return document.querySelectorAll('.heading .year').length") > 0
        browser.wait("sharp pictures", SHARP)
        browser.picture("grid-years")
        for _ in range(3):
            browser.click(browser.labelled("Larger thumbnails"))
        browser.wait(
            "large cells",
            "return Math.abs(document.querySelector('.cell').getBoundingClientRect().width - arguments[0]) < 1",
            seen[0],
        )

    with check("whole pictures can be shown"):
        browser.click(browser.labelled("Show whole photos"))
        browser.wait(
            "whole pictures",
            "return getComputedStyle(document.querySelector('.cell > img') ?? document.body).objectFit === 'contain'",
        )
        browser.wait("sharp pictures", SHARP)
        browser.picture("grid-whole")
        browser.click(browser.labelled("Show whole photos"))

    with check("the keyboard moves, selects and opens"):
        open_at(browser, world)
        browser.wait("cells", CELLS)
        browser.js("document.querySelector('.grid').focus()")
        browser.key("ArrowRight")
        browser.key("ArrowRight")
        assert browser.js("return document.activeElement.cell?.place") == 1
        browser.key("ArrowRight", "shift")
        browser.key("ArrowRight", "shift")
        browser.wait("three selected", "return document.querySelectorAll('.cell[aria-selected=\"true\"]').length === 3")
        assert "3" in browser.js("return document.querySelector('.selection-bar strong').textContent")
        browser.picture("grid-selection")
        browser.key("Escape")
        browser.wait("none selected", "return document.querySelectorAll('.cell[aria-selected=\"true\"]').length === 0")
        browser.key("End", "ctrl")
        browser.wait("the last one", "return document.activeElement.cell?.place === arguments[0]", len(expected) - 1)
        browser.key("Home", "ctrl")
        browser.wait("the first one", "return document.activeElement.cell?.place === 0")
        browser.key("Enter")
        browser.wait("the viewer", "return document.querySelector('dialog.viewer[open]') !== null")
        browser.key("Escape")
        browser.wait("the grid", "return document.querySelector('dialog.viewer[open]') === null")

    with check("the mouse selects ranges and days"):
        first, last = (lambda: cell_of(browser, expected[0])), (lambda: cell_of(browser, expected[4]))
        browser.js(
            """
            arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true, ctrlKey: true}));
            arguments[1].dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: true}));""",
            first,
            last,
        )
        browser.wait("five selected", "return document.querySelectorAll('.cell[aria-selected=\"true\"]').length === 5")
        browser.key("Escape")
        browser.js("document.querySelector('.pick').click()")
        browser.wait("a day selected", "return document.querySelectorAll('.cell[aria-selected=\"true\"]').length > 0")
        browser.click(browser.labelled("Clear selection"))

    with check("a finger that stays selects, and two zoom"):
        browser.command("Emulation.setTouchEmulationEnabled", enabled=True)
        box = browser.js("return document.querySelector('.cell').getBoundingClientRect().toJSON()")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        browser.wait("the selection", "return document.querySelectorAll('.cell[aria-selected=\"true\"]').length === 1")
        browser.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + box["width"] + 8, "y": y}])
        browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        browser.click(browser.labelled("Clear selection"))
        width = browser.js("return document.querySelector('.cell').getBoundingClientRect().width")
        points = lambda apart: [{"x": 600 - apart, "y": 400, "id": 1}, {"x": 600 + apart, "y": 400, "id": 2}]
        browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=points(60))
        browser.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=points(140))
        browser.wait(
            "larger cells",
            "return document.querySelector('.cell').getBoundingClientRect().width > arguments[0] * 1.2",
            width,
        )
        browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        browser.command("Emulation.setTouchEmulationEnabled", enabled=False)

    with check("the scrubber goes to a date"):
        open_at(browser, world)
        browser.wait("the scrubber", "return !document.querySelector('.scrubber').classList.contains('hidden')")
        bounds = browser.js("return document.querySelector('.scrubber').getBoundingClientRect().toJSON()")
        x, y = bounds["x"] + 20, bounds["y"] + bounds["height"] * 0.98
        browser.command("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        browser.wait(
            "the label",
            "return getComputedStyle(document.querySelector('.scrub-label')).opacity > 0 && document.querySelector('.scrub-label').textContent.length > 3",
        )
        browser.picture("grid-scrubber")
        browser.command("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)
        browser.wait(
            "the oldest",
            "return [...document.querySelectorAll('.cell')].some((cell) => cell.cell.place === arguments[0])",
            len(expected) - 1,
        )
        old = browser.js("return document.querySelector('.scrubber').getAttribute('aria-valuetext')")
        browser.js("document.querySelector('.scrubber').focus()")
        browser.key("Home")
        browser.wait(
            "another month",
            "return document.querySelector('.scrubber').getAttribute('aria-valuetext') !== arguments[0]",
            old,
        )
