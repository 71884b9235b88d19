"""3: search, and the display of its predicate."""

from page import CELLS, open_at, open_viewer


def run(world, browser, check):
    titled = next(asset for asset in world.assets if asset["originalFilename"].startswith("IMG_"))
    name = titled["originalFilename"]
    shown = "return [...document.querySelectorAll('.cell')].map((cell) => cell.cell.asset?.filename ?? null)"

    with check("words become a predicate that is shown"):
        open_at(browser, world)
        browser.wait("cells", CELLS)
        browser.js("document.querySelector('.search-input').focus()")
        browser.one(".search-input").send_keys(name.split(".")[0])
        browser.wait(
            "the photo alone",
            f"{shown.replace('return ', 'const names = ')}; return names.length > 0 && names.length < 6 && names.includes(arguments[0])",
            name,
        )
        browser.js("document.querySelector('.search-more').click()")
        predicate = browser.wait("the predicate", "return document.querySelector('.search-predicate').value")
        assert name.split(".")[0].lower() in predicate.lower(), predicate
        browser.picture("search")

    with check("a predicate can be written"):
        browser.js("""
            const field = document.querySelector('.search-predicate');
            field.value = 'mediaType == 2';
            field.form.requestSubmit();""")
        videos = len(world.run("list", "--json", "--predicate", "mediaType == 2"))
        assert videos > 0
        browser.wait("the videos", f"{CELLS.replace('return ', 'const n = ')}; return n === arguments[0]", videos)

    with check("a wrong predicate is named", "400 (Bad Request)"):
        browser.js("""
            const field = document.querySelector('.search-predicate');
            field.value = 'mediaType ==';
            field.form.requestSubmit();""")
        browser.wait("the reason", "return document.querySelector('.problem').textContent.length > 10")

    with check("kind and dates are chosen"):
        browser.js("document.querySelector('.search-own .push').click()")
        browser.wait("all again", f"{CELLS.replace('return ', 'const n = ')}; return n > arguments[0]", videos)
        panel = "document.querySelector('.search-panel').classList.contains('hidden')"
        if browser.js(f"return {panel}"):
            browser.js("document.querySelector('.search-more').click()")
        browser.js("""
            const form = document.querySelector('.search-form');
            form.elements.kind.value = 'live';
            form.dispatchEvent(new Event('change'));""")
        live = len([asset for asset in world.assets if "photoLive" in asset["mediaSubtypes"]])
        browser.wait("the Live Photos", f"{CELLS.replace('return ', 'const n = ')}; return n === arguments[0]", live)
        year = (titled["creationDate"] or "")[:4]
        browser.js(
            """
            const form = document.querySelector('.search-form');
            form.elements.kind.value = '';
            form.elements.from.value = arguments[0] + '-01-01';
            form.elements.to.value = arguments[0] + '-12-31';
            form.dispatchEvent(new Event('change'));""",
            year,
        )
        wanted = len([asset for asset in world.assets if (asset["creationDate"] or "").startswith(year)])
        browser.wait(
            f"{wanted} of {year}",
            "return Math.abs(parseInt(document.querySelector('.subtitle').textContent) - arguments[0]) <= 1",
            wanted,
        )
        browser.js("document.querySelector('.search-own .push').click()")
        browser.wait("all again", "return !location.hash.includes('q=')")

    with check("camera and place are chosen from what there is"):
        open_at(browser, world)
        browser.wait("cells", CELLS)
        browser.click(".search-more")
        for name in ("camera", "place"):
            wanted, words = browser.wait(
                f"a {name}",
                """
                const option = document.querySelector(`.search-form select[name=${arguments[0]}]`).options[1];
                return option && [option.value, option.textContent];""",
                name,
            )
            browser.js(
                """
                const form = document.querySelector('.search-form');
                form.elements[arguments[0]].value = arguments[1];
                form.dispatchEvent(new Event('change'));""",
                name,
                wanted,
            )
            count = len(world.run("list", "--json", "--predicate", wanted))
            assert 0 < count < len(world.assets), (words, count)
            assert words.endswith(f"({count})"), (words, count)
            browser.wait(
                f"the {count} of {words}", f"{CELLS.replace('return ', 'const n = ')}; return n === arguments[0]", count
            )
            if name == "place":
                browser.picture("search-place")
            browser.js("document.querySelector('.search-own .push').click()")
            browser.wait("all again", "return !location.hash.includes('q=')")
        browser.click(".search-more")

    with check("what was taken nearby is one step away"):
        placed = next(asset for asset in world.assets if asset["location"])
        open_viewer(browser, placed["localIdentifier"])
        browser.key("i")
        browser.click("[data-field=near]")
        browser.wait(
            "the search",
            "return location.hash.includes('q=') && document.querySelector('dialog.viewer[open]') === null",
        )
        near = browser.js("return new URLSearchParams(location.hash.split('?')[1]).get('q')")
        count = len(world.run("list", "--json", "--predicate", near))
        assert 0 < count < len(world.assets), count
        browser.wait("those", f"{CELLS.replace('return ', 'const n = ')}; return n === arguments[0]", count)
        assert browser.js("return document.querySelector('.search-input').value").startswith("near:")
