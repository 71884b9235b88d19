"""7: settings."""

from page import FORGET, agree, api, open_at, show, side

CHOICE = 'select[data-program="org.example.frame"][data-access=readWrite]'
VALUE = f"return document.querySelector('{CHOICE}')?.value === arguments[0]"


def choose(browser, value):
    browser.wait("the program", f"return document.querySelector('{CHOICE}') !== null")
    browser.js(
        "const select = document.querySelector(arguments[0]); select.focus(); select.value = arguments[1]; select.dispatchEvent(new Event('change', {bubbles: true}));",
        CHOICE,
        value,
    )


def run(world, browser, check):
    program = "org.example.frame"

    def known():
        return next((one for one in world.run("access", "list", "--json") if one["program"] == program), None)

    with check("programs and their permission"):
        world.run("access", "grant", program)
        open_at(browser, world, "#/settings")
        browser.wait("the program", VALUE, "authorized")
        choose(browser, "denied")
        world.until("the command to know", lambda: known()["readWrite"] == "denied")
        # A choice made by the command appears automatically.
        world.run("access", "grant", program)
        browser.wait("the command's choice", VALUE, "authorized")
        browser.picture("settings")

    with check("an answer that comes after a newer one changes nothing"):
        browser.js("""
            const real = window.fetch;
            let asked = 0;
            window.came = [];
            window.fetch = async (...request) => {
                const answer = await real(...request);
                if (request[1]?.method === 'PUT' || !String(request[0]).includes('/api/access')) return answer;
                const isFirst = asked++ === 0;
                const text = await answer.clone().text();
                if (isFirst) await new Promise((go) => { window.letGo = go; });
                setTimeout(() => window.came.push(text), 50);
                return answer;
            };""")
        world.run("access", "revoke", program)
        browser.wait("the first answer to be held back", "return Boolean(window.letGo)")
        world.run("access", "grant", program)
        browser.wait("a newer answer", 'return window.came.at(-1)?.includes(\'"readWrite":"authorized"\')')
        browser.js("window.letGo()")
        browser.wait("the first answer", 'return window.came.at(-1).includes(\'"readWrite":"denied"\')')
        assert browser.js(VALUE, "authorized"), "an older answer was shown"

    with check("hidden photos need a second yes, also for programs", "403 (Forbidden)"):
        open_at(browser, world, "#/settings")
        api(browser, "/api/hidden", "POST", {"unlock": False})
        status, answer = api(browser, "/api/access", "PUT", {"program": program, "includesHidden": True})
        assert status == 403 and answer["error"]["code"] == "hiddenLocked", (status, answer)
        box = '[data-program="org.example.frame"][data-access=includesHidden]'
        open_at(browser, world, "#/settings")
        browser.click(box)
        agree(browser)
        world.until("the command to know", lambda: known()["includesHidden"])
        browser.wait("it shown", f"return document.querySelector('{box}')?.checked")
        browser.click(box)
        world.until("the command to know", lambda: not known()["includesHidden"])
        api(browser, "/api/hidden", "POST", {"unlock": False})

    with check("a program sees the photos that are chosen, and no others"):
        wanted = [asset["localIdentifier"] for asset in world.assets[:2]]
        world.run("album", "create", "For the frame")
        world.run("album", "add", "For the frame", *wanted)
        open_at(browser, world, "#/settings")
        side(browser, "For the frame")
        choose(browser, "limited")
        browser.wait("a question", "return document.querySelector('dialog.sheet[open] .choice') !== null")
        browser.picture("settings-limited")
        browser.js(
            "[...document.querySelectorAll('dialog.sheet[open] .choice')].find((one) => one.textContent === 'For the frame').click()"
        )
        world.until(
            "the command to know", lambda: (known()["readWrite"], known()["selectedAssetCount"]) == ("limited", 2)
        )
        browser.wait(
            "the count", "return document.querySelector('.program').textContent.includes('Can access 2 photos')"
        )

    with check("the library is checked"):
        open_at(browser, world, "#/settings")
        browser.click("[data-run=check]")
        browser.wait("the verdict", "return document.querySelector('.verdict')?.dataset.damages === '0'")

    with check("damage is found and said"):
        victim = next(path for path in sorted((world.library / "originals").rglob("*")) if path.is_file())
        away = victim.with_name(victim.name + ".away")
        victim.rename(away)
        try:
            browser.click("[data-run=check]")
            browser.wait(
                "the damage",
                "return Number(document.querySelector('.verdict')?.dataset.damages) > 0 && document.querySelector('.finding.damage') !== null",
            )
            browser.picture("settings-damage")
        finally:
            away.rename(victim)
        browser.click("[data-run=check]")
        browser.wait("the verdict", "return document.querySelector('.verdict')?.dataset.damages === '0'")

    with check("storage and thumbnails"):
        browser.wait("the sizes", "return document.querySelector('.facts.storage')?.textContent.includes('Originals')")
        card = "[...document.querySelectorAll('.card')].find((one) => one.querySelector('h2').textContent === 'Thumbnails')"
        browser.js(f"{card}.querySelector('.push.danger').click()")
        agree(browser)
        browser.wait("none made", f"return /^0 generated/.test({card}.querySelector('[role=status]').textContent)")
        browser.js(f"{card}.querySelector('.primary').click()")
        browser.wait("some made", f"return !/^0 generated/.test({card}.querySelector('[role=status]').textContent)")
        if browser.js(f"return {card}.querySelector('progress') !== null"):
            browser.js(f"[...{card}.querySelectorAll('.push')].find((one) => one.textContent === 'Stop')?.click()")

    with check("storage tells the lengths of the files"):
        open_at(browser, world, "#/settings")
        browser.wait("the sizes", "return document.querySelector('.facts.storage')?.textContent.includes('Originals')")
        truth = sum(path.stat().st_size for path in (world.library / "originals").rglob("*") if path.is_file())
        status, answer = api(browser, "/api/storage")
        assert status == 200 and answer["originals"] == truth, (answer, truth)

    with check("the version is said, and no page shows a name in braces", "status of 415"):
        about = browser.wait("the version", "return document.querySelector('.about').textContent")
        assert about == "swift-photos " + world.run("list", "--version").strip(), about
        for address in ("settings", "library", "moments", "favorites", "deleted", "duplicates", "hidden"):
            show(browser, f"#/{address}")
            browser.wait("the page", "return document.querySelector('.title').textContent.length > 0")
            found = browser.js("return document.body.innerText.match(/\\{\\w+\\}/g)")
            assert found is None, (address, found)

    with check("the keys are told"):
        open_at(browser, world)
        browser.key("?")
        browser.wait("the keys", "return document.querySelectorAll('dialog.sheet[open] .keys kbd').length >= 15")
        browser.picture("keys")
        browser.key("Escape")
        browser.wait("the page", "return document.querySelector('dialog[open]') === null")

    with check("colours and language are kept"):
        open_at(browser, world, "#/settings")
        browser.js(
            "const select = document.querySelector('#theme'); select.value = 'dark'; select.dispatchEvent(new Event('change'));"
        )
        assert browser.js("return getComputedStyle(document.body).colorScheme") != "light"
        browser.js(
            "const select = document.querySelector('#language'); select.value = 'de'; select.dispatchEvent(new Event('change'));"
        )
        browser.wait(
            "German",
            "return document.documentElement.lang === 'de' && document.querySelector('.title')?.textContent === 'Einstellungen'",
        )
        browser.picture("settings-german")
        browser.js(FORGET)
