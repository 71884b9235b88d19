"""7: settings."""

from page import agree, open_at


def run(world, browser, check):
    program = "org.example.frame"

    with check("programs and their permission"):
        world.run("access", "grant", program)
        open_at(browser, world, "#/settings")
        browser.wait("the program", "return document.querySelector('select[data-program=\"org.example.frame\"][data-access=readWrite]')?.value === 'authorized'")
        browser.js("const select = document.querySelector('select[data-program=\"org.example.frame\"][data-access=readWrite]'); select.value = 'denied'; select.dispatchEvent(new Event('change', {bubbles: true}));")
        world.until("the command to know", lambda: any(program in line and "denied" in line for line in world.run("access", "list", "--json") and __import__("json").dumps(world.run("access", "list", "--json")).split("}")))
        world.run("access", "grant", program)
        browser.wait("the command's choice", "return document.querySelector('select[data-program=\"org.example.frame\"][data-access=readWrite]')?.value === 'authorized'")
        browser.picture("settings")

    with check("the library is checked"):
        browser.click("[data-run=check]")
        browser.wait("the verdict", "return document.querySelector('.verdict')?.dataset.damages === '0'", patience=60)

    with check("damage is found and said"):
        victim = next(path for path in sorted((world.library / "originals").rglob("*")) if path.is_file())
        away = victim.with_name(victim.name + ".away")
        victim.rename(away)
        try:
            browser.click("[data-run=check]")
            browser.wait("the damage", "return Number(document.querySelector('.verdict')?.dataset.damages) > 0 && document.querySelector('.finding.damage') !== null", patience=60)
            browser.picture("settings-damage")
        finally:
            away.rename(victim)
        browser.click("[data-run=check]")
        browser.wait("the verdict", "return document.querySelector('.verdict')?.dataset.damages === '0'", patience=60)

    with check("storage and small pictures"):
        browser.wait("the sizes", "return document.querySelector('.facts.storage')?.textContent.includes('Originals')")
        card = "[...document.querySelectorAll('.card')].find((one) => one.querySelector('h2').textContent === 'Small pictures')"
        browser.js(f"{card}.querySelector('.push.danger').click()")
        agree(browser)
        browser.wait("none made", f"return /^0 made/.test({card}.querySelector('[role=status]').textContent)")
        browser.js(f"{card}.querySelector('.primary').click()")
        browser.wait("some made", f"return !/^0 made/.test({card}.querySelector('[role=status]').textContent)", patience=60)
        if browser.js(f"return {card}.querySelector('progress') !== null"):
            browser.js(f"[...{card}.querySelectorAll('.push')].find((one) => one.textContent === 'Stop')?.click()")

    with check("colours and language are kept"):
        browser.js("const select = document.querySelector('#theme'); select.value = 'dark'; select.dispatchEvent(new Event('change'));")
        assert browser.js("return getComputedStyle(document.body).colorScheme") != "light"
        browser.js("const select = document.querySelector('#language'); select.value = 'de'; select.dispatchEvent(new Event('change'));")
        browser.wait("German", "return document.documentElement.lang === 'de' && document.querySelector('.title')?.textContent === 'Einstellungen'")
        browser.picture("settings-german")
        browser.js("localStorage.clear()")
