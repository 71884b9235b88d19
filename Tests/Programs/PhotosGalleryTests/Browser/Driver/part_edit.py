"""4: the editor."""

from page import agree, api, open_at, open_viewer, toast, act_on_toast

RED = """
    const [selector, done] = arguments;
    const image = document.querySelector(selector);
    const canvas = Object.assign(document.createElement('canvas'), {width: 32, height: 32});
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, 32, 32);
    const data = context.getImageData(0, 0, 32, 32).data;
    let colour = 0, light = 0;
    for (let at = 0; at < data.length; at += 4) {
        colour += Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]);
        light += data[at] + data[at + 1] + data[at + 2];
    }
    done([colour / 1024, light / 3072, image.naturalWidth / image.naturalHeight]);"""


def run(world, browser, check):
    asset = next(
        asset
        for asset in world.assets
        if asset["contentType"] == "public.jpeg" and not asset["mediaSubtypes"] and not asset["burstIdentifier"]
    )
    identifier = asset["localIdentifier"]

    def look(selector=".edit-image"):
        return browser.later(RED, selector)

    def begin():
        open_viewer(browser, identifier)
        browser.wait("the picture", "return document.querySelector('.frame > img.main')?.naturalWidth > 0")
        browser.click(browser.labelled("Edit", ".viewer"))
        browser.wait("the editor", "return document.querySelector('.editor[open]') !== null")
        browser.wait(
            "a preview",
            "return document.querySelector('.edit-image').src.startsWith('blob:') && document.querySelector('.edit-image').naturalWidth > 0",
        )

    def tab(index):
        browser.js("document.querySelectorAll('.editor .tab')[arguments[0]].click()", index)

    def slide(key, value):
        browser.js(
            """
            const slider = document.querySelector(`[data-slider=${arguments[0]}]`);
            slider.value = arguments[1];
            slider.dispatchEvent(new Event('input', {bubbles: true}));
            slider.dispatchEvent(new Event('change', {bubbles: true}));""",
            key,
            value,
        )

    def preview_after(action):
        before = browser.js("return document.querySelector('.edit-image').src")
        action()
        browser.wait(
            "another preview",
            "const image = document.querySelector('.edit-image'); return image.src !== arguments[0] && image.src.startsWith('blob:') && image.naturalWidth > 0",
            before,
        )

    with check("sliders change the picture as they move"):
        open_at(browser, world)
        begin()
        plain = look()
        preview_after(lambda: slide("exposure", 1.5))
        browser.wait("the last preview", "return document.querySelector('.edit-busy').classList.contains('hidden')")
        assert look()[1] > plain[1] + 8, (look(), plain)
        preview_after(lambda: slide("saturation", -1))
        browser.picture("edit-light")
        browser.click(browser.labelled("Undo", ".editor"))

    with check("eight effects with live previews"):
        tab(1)
        effects = browser.wait("effects", "return document.querySelectorAll('.effect').length")
        assert effects == 9, effects
        browser.wait(
            "their previews",
            "return [...document.querySelectorAll('.effect img')].every((one) => one.naturalWidth > 0)",
            patience=60,
        )
        preview_after(lambda: browser.js("document.querySelector('[data-effect=noir]').click()"))
        assert look()[0] < 6, look()
        browser.picture("edit-effects")

    with check("crop, straighten, rotate and flip"):
        tab(2)
        browser.wait("the frame", "return document.querySelector('.crop-box') !== null")
        aspect = look()[2]
        preview_after(lambda: browser.js("document.querySelector('.edit-row .push').click()"))
        assert abs(look()[2] - 1 / aspect) < 0.05, (look(), aspect)
        browser.js("document.querySelector('[data-ratio=\"1:1\"]').click()")
        box = browser.js(
            "const box = document.querySelector('.crop-box').getBoundingClientRect(); return [box.width, box.height]"
        )
        assert abs(box[0] - box[1]) < 3, box
        preview_after(lambda: slide("straighten", 5))
        browser.picture("edit-crop")

    with check("saving keeps the original and can be undone"):
        browser.js("document.querySelector('.editor .primary').click()")
        browser.wait("the viewer", "return document.querySelector('.editor[open]') === null", patience=60)
        known = world.run("show", "--json", identifier)[0]
        assert known["hasAdjustments"] and known["adjustmentFormatIdentifier"] == "org.swift-photos.adjustments", known[
            "adjustmentFormatIdentifier"
        ]
        assert known["pixelWidth"] == known["pixelHeight"], (known["pixelWidth"], known["pixelHeight"])
        assert any(one["type"] == "photo" and one["sha256"] for one in known["resources"])
        browser.wait(
            "the edit",
            "const image = document.querySelector('.frame > img.main'); return image && image.naturalWidth > 0 && Math.abs(image.naturalWidth / image.naturalHeight - 1) < 0.02",
        )
        browser.picture("edit-saved")

    with check("the viewer compares with the original"):
        browser.click(browser.labelled("Compare with the original"))
        browser.wait(
            "the original",
            "const image = document.querySelector('.frame > img.main'); return document.querySelector('.original') !== null && Math.abs(image.naturalWidth / image.naturalHeight - arguments[0]) < 0.05",
            aspect,
        )
        browser.picture("edit-compare")
        browser.click(browser.labelled("Compare with the original"))
        browser.wait("the edit", "return document.querySelector('.original') === null")

    with check("an edit is gone on with"):
        browser.click(browser.labelled("Edit", ".viewer"))
        browser.wait("the editor", "return document.querySelector('.editor[open] [data-slider=exposure]') !== null")
        assert browser.js("return Number(document.querySelector('[data-slider=exposure]').value)") == 1.5
        tab(1)
        browser.wait(
            "its effect", "return document.querySelector('[data-effect=noir]')?.getAttribute('aria-checked') === 'true'"
        )

    with check("before and after"):
        browser.wait("a preview", "return document.querySelector('.edit-image').src.startsWith('blob:')")
        button = ".editor .viewer-actions .push[aria-pressed]"
        browser.js(
            "document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))",
            button,
        )
        browser.wait("the original", "return document.querySelector('.edit-image').src.includes('version=original')")
        assert look()[0] > 6, look()
        browser.js(
            "document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerup', {bubbles: true}))", button
        )
        browser.wait("the edit", "return document.querySelector('.edit-image').src.startsWith('blob:')")

    with check("revert brings the original back"):
        browser.js("document.querySelector('.editor .push.danger').click()")
        agree(browser)
        browser.wait("the viewer", "return document.querySelector('.editor[open]') === null")
        assert not world.run("show", "--json", identifier)[0]["hasAdjustments"]
        toast(browser, "original")
        act_on_toast(browser)
        world.until("the edit again", lambda: world.run("show", "--json", identifier)[0]["hasAdjustments"])
        world.run("undo")

    with check("auto enhances"):
        open_at(browser, world)
        begin()
        preview_after(lambda: browser.js("document.querySelector('.edit-panel .push.wide').click()"))
        browser.wait(
            "it to be on",
            "return document.querySelector('.edit-panel .push.wide').getAttribute('aria-pressed') === 'true' || !document.querySelector('.editor .primary').disabled",
        )
        browser.js("document.querySelector('.editor .viewer-bar .push').click()")
        agree(browser)
        browser.wait("the viewer", "return document.querySelector('.editor[open]') === null")

    with check("a key that is pressed twice opens one editor"):
        browser.js("""
            const plain = window.fetch;
            window.asked = 0;
            window.fetch = (url, options) => {
                window.asked += String(url).endsWith('/edit');
                return plain(url, options);
            };
            for (let time = 0; time < 2; time += 1) document.activeElement.dispatchEvent(
                new KeyboardEvent('keydown', {key: 'e', code: 'KeyE', bubbles: true, cancelable: true}));""")
        browser.wait("a preview", "return document.querySelector('.editor[open] .edit-image')?.src.startsWith('blob:')")
        assert browser.js("return window.asked") == 1
        assert len(browser.all(".editor")) == 1
        browser.js("document.querySelector('.editor .viewer-bar .push').click()")
        browser.wait("the viewer", "return document.querySelector('.editor') === null")

    address = f"/api/assets/{identifier.split('/')[0]}/edit"
    recipe = lambda: api(browser, address)[1]["recipe"]

    with check("an editor that is opened before a rotation is answered begins with it"):
        open_at(browser, world)
        open_viewer(browser, identifier)
        browser.wait("the picture", "return document.querySelector('.frame > img.main')?.naturalWidth > 0")
        browser.js("""
            for (const [key, code] of [['r', 'KeyR'], ['e', 'KeyE']]) document.activeElement.dispatchEvent(
                new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true}));""")
        browser.wait("the editor", "return document.querySelector('.editor[open] [data-slider=exposure]') !== null")
        slide("exposure", 1)
        browser.js("document.querySelector('.editor .primary').click()")
        browser.wait("the viewer", "return document.querySelector('.editor[open]') === null", patience=60)
        assert recipe() == {"exposure": 1, "quarterTurns": 1}, recipe()
        world.run("undo")
        world.run("undo")
        assert recipe() is None, recipe()

    with check("an edit that was made elsewhere meanwhile is not replaced", "409 (Conflict)"):
        open_at(browser, world)
        begin()
        version = api(browser, address)[1]["version"]
        status, answer = api(browser, f"{address}?version={version}", "PUT", {"contrast": 0.25})
        assert status == 200, answer
        slide("exposure", 1)
        browser.js("document.querySelector('.editor .primary').click()")
        toast(browser, "edited elsewhere")
        assert recipe() == {"contrast": 0.25}, recipe()
        browser.js("document.querySelector('.editor .viewer-bar .push').click()")
        agree(browser)
        browser.wait("the viewer", "return document.querySelector('.editor') === null")
        world.run("undo")
