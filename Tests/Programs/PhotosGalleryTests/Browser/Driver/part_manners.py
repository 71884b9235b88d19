"""9: accessibility, languages, layouts and the console."""

import json
import re
from pathlib import Path

from page import CELLS, FORGET, SHARP, cell_of, close_viewer, fill_dialog, open_at, open_viewer, show, side

# Scripts/get-axe downloads it.
AXE = Path(__file__).parents[5] / ".build/axe/axe.min.js"
WORDS = Path(__file__).parents[5] / "Sources/Programs/PhotosGallery/Page/languages"
# The keys with these prefixes end with a value of the library.
TOLD = (
    "access.",
    "burstChoice.",
    "dateSource.",
    "effect.",
    "import.kind.",
    "import.kindHint.",
    "kind.",
    "outcome.",
    "planned.",
    "playback.",
    "resource.",
    "smart.",
    "sourceType.",
    "subtype.",
    "term.",
    "version.",
)
NAMES = {"en": "Library", "de": "Mediathek", "es": "Fototeca", "it": "Libreria", "ru": "Медиатека", "zh": "图库"}

# The titles of days and months that overlap or are truncated.
TITLES = """
    const all = [...document.querySelectorAll('.heading .month, .heading .day, .heading .year')].map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return {text: node.textContent, cut: node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0, box: range.getBoundingClientRect()};
    });
    const over = all.filter((one) => one.cut).map((one) => one.text);
    for (const one of all) for (const other of all) {
        if (one === other) continue;
        const [a, b] = [one.box, other.box];
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) over.push([one.text, other.text]);
    }
    return over;"""


def run(world, browser, check):
    asset = next(asset for asset in world.assets if asset["location"] and asset["contentType"] == "public.jpeg")[
        "localIdentifier"
    ]

    def sound(*rules):
        if not AXE.exists():
            check.note("left out, as Scripts/get-axe has not got axe", str(AXE))
            return
        found = browser.axe(AXE.read_text(), rules)
        assert not found, json.dumps(found, indent=1)

    with check("axe finds nothing serious"):
        browser.media(prefers_color_scheme="light", prefers_reduced_motion="reduce")
        open_at(browser, world)
        browser.wait("cells", CELLS)
        browser.wait("sharp pictures", SHARP)
        browser.picture("grid-light")
        browser.click(".search-more")
        sound()
        browser.js("document.querySelector('.search-more').click()")
        browser.js("arguments[0].querySelector('.mark').click()", lambda: cell_of(browser, asset))
        sound()
        browser.click(browser.labelled("Clear selection"))
        open_viewer(browser, asset)
        browser.key("i")
        browser.wait("the panel", "return document.querySelector('.info dl') !== null")
        sound()
        browser.click(browser.labelled("Edit", ".viewer"))
        for index in range(3):
            browser.wait("the editor", "return document.querySelectorAll('.editor .tab').length === 3")
            browser.js("document.querySelectorAll('.editor .tab')[arguments[0]].click()", index)
            sound()
        browser.js("document.querySelector('.editor .viewer-bar .push').click()")
        browser.wait("the viewer", "return document.querySelector('.editor[open]') === null")
        close_viewer(browser)
        show(browser, "#/settings")
        browser.wait("settings", "return document.querySelector('.facts.storage') !== null")
        sound()
        show(browser, "#/moments")
        browser.wait("moments", "return document.querySelector('.moment') !== null")
        sound()

    with check("what is written is readable in the dark, too"):
        browser.media(prefers_color_scheme="dark", prefers_reduced_motion="reduce")
        open_at(browser, world)
        browser.wait("sharp pictures", SHARP)
        browser.picture("grid-dark")
        browser.js("arguments[0].querySelector('.mark').click()", lambda: cell_of(browser, asset))
        sound("color-contrast")
        browser.click(browser.labelled("Clear selection"))
        show(browser, "#/settings")
        browser.wait("settings", "return document.querySelector('.facts.storage') !== null")
        sound("color-contrast")
        browser.picture("settings-dark")

    with check("less movement for those who ask for it"):
        show(browser, "#/library")
        moving = browser.js("""
            return [...document.querySelectorAll('*')].filter((node) => {
                const style = getComputedStyle(node);
                return [style.transitionDuration, style.animationDuration].some((text) => text.split(',').some((part) => parseFloat(part) > 0.01));
            }).length;""")
        assert moving == 0, moving
        browser.media(prefers_color_scheme="light", prefers_reduced_motion="no-preference")

    sizes = [("360", 360, 740, True), ("tablet", 820, 1180, True), ("4k", 3840, 2160, False)]
    for name, width, height, mobile in sizes:
        with check(f"fits {width} pixels"):
            browser.size(width, height, mobile)
            open_at(browser, world)
            browser.wait("cells", CELLS)
            browser.wait("sharp pictures", SHARP, patience=60)
            browser.picture(f"grid-{name}")
            columns = browser.js("return Number(document.querySelector('.grid').getAttribute('aria-colcount'))")
            assert (columns >= 2) if mobile else (columns >= 12), columns
            # At each zoom level with days, titles are side by side.
            for _ in range(3):
                over = browser.js(TITLES)
                assert over == [], over
                browser.click(browser.labelled("Smaller thumbnails"))
                browser.wait("cells", CELLS)
            browser.picture(f"grid-small-{name}")
            for _ in range(3):
                browser.click(browser.labelled("Larger thumbnails"))
            browser.wait("cells", CELLS)
            open_viewer(browser, asset)
            browser.wait("the picture", "return document.querySelector('.frame > img.main')?.naturalWidth > 0")
            browser.picture(f"viewer-{name}")
            close_viewer(browser)
            for address in ("library", "settings", "moments"):
                show(browser, f"#/{address}")
                browser.wait("the page", "return document.querySelector('.title').textContent.length > 0")
                wide = browser.js("return document.documentElement.scrollWidth")
                assert wide <= width, f"{address} is {wide} wide"
                if name == "4k" and address != "library":
                    browser.wait("what it shows", "return document.querySelectorAll('.card, .moment').length > 2")
                    browser.picture(f"{address}-4k")
            if name == "360":
                browser.picture("settings-360")
                show(browser, "#/library")
                browser.click(browser.labelled("Show sidebar"))
                browser.wait("the sidebar", "return document.querySelector('.side').getBoundingClientRect().left >= -1")
                browser.picture("sidebar-360")
    browser.size(1280, 860)

    with check("six languages, whole and with their plurals"):
        english = json.loads((WORDS / "en.json").read_text())
        for name, title in NAMES.items():
            words = json.loads((WORDS / f"{name}.json").read_text())
            assert words.keys() == english.keys(), (name, words.keys() ^ english.keys())
            for key, value in words.items():
                fields = lambda one: {
                    field
                    for text in (one.values() if isinstance(one, dict) else [one])
                    for field in re.findall(r"\{(\w+)\}", text)
                }
                assert isinstance(value, dict) == isinstance(english[key], dict), (name, key)
                assert fields(value) == fields(english[key]), (name, key)
            browser.js("localStorage.setItem('language', arguments[0])", name)
            browser.go("about:blank")
            browser.go(world.gallery.root + "/#/library")
            browser.wait(
                f"the library in {name}",
                "return document.querySelector('.title')?.textContent === arguments[0] && document.querySelectorAll('.cell').length > 0",
                title,
            )
            missing = browser.js(
                "return [...document.querySelectorAll('body *')].flatMap((node) => [node.getAttribute('aria-label'), ...[...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data)]).filter((text) => /^[a-z]+\\.[a-zA-Z.]+$/.test(text ?? ''))"
            )
            assert missing == [], (name, missing)
            if name in ("de", "ru", "zh"):
                browser.picture(f"grid-{name}")
        browser.js(FORGET)

    with check("no words are missing, and none is left over"):
        english = json.loads((WORDS / "en.json").read_text())
        scripts = "\n".join(path.read_text() for path in sorted((WORDS.parent / "script").glob("*.js")))
        texts = re.findall(r'"[^"\n]*"|`[^`]*`', scripts)
        literal = set(re.findall(r'"([^"\n]*)"', scripts))
        # A composed key has its first part in a template literal, and the rest as a name elsewhere.
        begun = tuple(
            {found for text in texts for found in re.findall(r"([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)(?:\$\{|$)", text[1:-1])}
        )
        rest = {word for text in texts for word in re.findall(r"[A-Za-z]+", text)} | set(
            re.findall(r"\b(\w+)(?=:)", scripts)
        )
        for key in english:
            if key in literal or key.startswith(TOLD):
                continue
            stem = key.removesuffix("Text")
            assert key.startswith(begun) and (stem in literal or stem.rsplit(".", 1)[-1] in rest), (
                f"{key} is used nowhere"
            )
        for key in re.findall(r"""\bt\(\s*"([^"]+[^."])\"""", scripts):
            assert key in english, f"{key} has no words"

    with check("what people write is isolated from the words around it"):
        text = "\u05e9\u05dc\u05d5\u05dd (1)"
        world.run("set", asset, "--title", text, "--caption", text, "--add-keyword", text)
        world.run("album", "create", text)
        world.run("album", "add", text, asset)
        bare = """
            const bare = [];
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                const node = walk.currentNode;
                if (/[\u0590-\u05ff]/.test(node.data) && !node.parentElement.closest('bdi, option, textarea')) bare.push(node.parentElement.outerHTML);
            }
            return bare;"""
        isolated = "return [...document.querySelectorAll('bdi')].filter((one) => /[\u0590-\u05ff]/.test(one.textContent)).length"
        open_at(browser, world)
        open_viewer(browser, asset)
        browser.key("i")
        browser.wait(
            "the panel", "return document.querySelector('.info [data-value=keywords]')?.textContent.length > 5"
        )
        assert browser.js(isolated) >= 5, browser.js(isolated)
        assert browser.js(bare) == [], browser.js(bare)
        browser.picture("isolated")
        browser.key("i")
        browser.click(browser.labelled("Edit", ".viewer"))
        browser.wait("the editor", "return document.querySelector('.editor[open] .viewer-title bdi') !== null")
        assert browser.js(bare) == [], browser.js(bare)
        browser.js("document.querySelector('.editor .viewer-bar .push').click()")
        browser.wait("the viewer", "return document.querySelector('.editor[open]') === null")
        close_viewer(browser)
        entry = lambda: side(browser, text)
        browser.js("arguments[0].click()", entry)
        browser.wait("its name", "return document.querySelector('.title bdi')?.textContent === arguments[0]", text)
        assert browser.js(bare) == [], browser.js(bare)
        assert text in browser.js("return document.title")
        browser.js("arguments[0].focus()", lambda: side(browser, text))
        browser.key("F2")
        fill_dialog(browser, text + "!")
        browser.wait(
            "the message",
            "return [...document.querySelectorAll('.toast bdi')].some((one) => one.textContent === arguments[0])",
            text + "!",
        )
        assert browser.js(bare) == [], browser.js(bare)
        world.run("undo")

    with check("an empty library says what to do"):
        library = world.folder / "Empty.photolibrary"
        world.run("create", library=library)
        gallery = world.serve(library)
        browser.go(gallery.url)
        browser.wait(
            "the hint", "return document.querySelector('.blank:not(.hidden) h2')?.textContent === 'No photos yet'"
        )
        browser.picture("empty")
        sound()
        for address in ("favorites", "recents", "deleted", "moments", "settings"):
            show(browser, f"#/{address}")
            browser.wait(
                "the page",
                "return document.querySelector('.title').textContent.length > 0 && document.querySelector('.loading-line.hidden') !== undefined",
            )
        # The page would report errors for a stopped gallery.
        browser.go(world.gallery.root)
        gallery.stop()
