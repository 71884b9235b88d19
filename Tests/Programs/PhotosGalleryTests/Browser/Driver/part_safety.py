"""8: no text of a photo or an album becomes markup of the page."""

import socket
import subprocess
import urllib.parse

from page import READY, open_at, open_viewer, show, sign_in

SCRIPT = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'


def run(world, browser, check):
    asset = next(
        asset
        for asset in world.assets
        if asset["contentType"] == "public.jpeg" and not asset["mediaSubtypes"] and not asset["burstIdentifier"]
    )
    identifier = asset["localIdentifier"]

    with check("script in every field of metadata is shown as text"):
        source = next(path for path in sorted(world.samples.rglob("*.jpg")))
        hostile = world.folder / "hostile" / "<img src=x onerror=hurt=1>.jpg"
        hostile.parent.mkdir()
        hostile.write_bytes(source.read_bytes())
        tags = [
            "Make",
            "Model",
            "Software",
            "Artist",
            "Copyright",
            "ImageDescription",
            "UserComment",
            "XPTitle",
            "XPComment",
            "LensModel",
            "LensMake",
            "OwnerName",
            "IPTC:Headline",
            "IPTC:Caption-Abstract",
            "IPTC:Keywords",
            "IPTC:City",
            "XMP-dc:Title",
            "XMP-dc:Description",
            "XMP-dc:Subject",
            "XMP-photoshop:City",
            "XMP-dc:Creator",
        ]
        subprocess.run(
            ["exiftool", "-q", "-overwrite_original", *[f"-{tag}={SCRIPT}" for tag in tags], str(hostile)], check=True
        )
        outcome = world.run("import", "--json", hostile)[0]
        assert outcome["outcome"] == "imported", outcome
        bad = outcome["localIdentifier"]
        world.run("set", bad, "--title", SCRIPT)
        world.run("album", "create", SCRIPT)
        world.run("folder", "create", "<b>folder</b>")
        open_at(browser, world)
        open_viewer(browser, bad)
        browser.key("i")
        text = browser.wait(
            "the panel", "return document.querySelector('.info dl') && document.querySelector('.info').textContent"
        )
        assert text.count("<script>window.hurt=1</script>") >= 4, text
        browser.picture("safety")
        browser.key("Escape")
        browser.wait(
            "the album's name as text",
            "return [...document.querySelectorAll('.side-title')].some((one) => one.textContent === arguments[0])",
            SCRIPT,
        )
        show(browser, "#/recents")
        browser.wait("cells", "return document.querySelectorAll('.cell').length > 0")
        assert browser.js("return window.hurt") is None
        assert browser.js("return document.querySelectorAll('main script, .info img, .side-title *').length") == 0

    with check("the policy lets nothing in from elsewhere", "Content Security Policy", "Refused to", "Failed to load"):
        answer = browser.later("""
            const done = arguments[0];
            window.reports = [];
            addEventListener('securitypolicyviolation', (event) => window.reports.push(event.effectiveDirective));
            const script = document.createElement('script');
            script.textContent = 'window.hurt = 2';
            document.body.append(script);
            const image = new Image();
            image.src = 'https://example.org/x.png';
            const style = document.createElement('style');
            style.textContent = 'body { display: none }';
            document.head.append(style);
            // Later, as what the driver runs itself may do what a page may not.
            setTimeout(() => { try { new Function('window.hurt = 3')(); } catch { window.reports.push('eval'); } });
            setTimeout(() => done([window.hurt ?? null, [...new Set(window.reports)].sort(), getComputedStyle(document.body).display]), 300);""")
        assert answer[0] is None and answer[2] != "none", answer
        assert (
            {"eval", "img-src"} <= set(answer[1])
            and any(part.startswith("script-src") for part in answer[1])
            and any(part.startswith("style-src") for part in answer[1])
        ), answer

    with check("without the link there is only a note", "401 (Unauthorized)"):
        browser.go("about:blank")
        browser.driver.delete_all_cookies()
        browser.command("Network.clearBrowserCookies")
        browser.size(700, 500)
        try:
            browser.go(world.gallery.root + "/")
            browser.wait("the note", "return document.querySelector('.gate h1') !== null")
            browser.picture("denied")
            status = browser.later(
                "const done = arguments[0]; fetch('/api/state').then((answer) => done(answer.status))"
            )
            assert status == 401, status
        finally:
            browser.size(1280, 860)
            browser.go(world.gallery.url)
            browser.wait("the page to begin", READY)
        world.run("show", identifier)

    with check("other machines come in by the password", "Cross-Origin-Opener-Policy"):
        world.environment["PHOTOS_GALLERY_PASSWORD"] = "correct horse"
        gallery = world.serve(None, "--lan", "--name", "localhost.localdomain")
        port = urllib.parse.urlparse(gallery.root).port
        for host in ("127.0.0.1", "localhost", socket.gethostname()):
            sign_in(browser, f"http://{host}:{port}", "correct horse")
        browser.go(world.gallery.root)
        browser.wait("the page to begin", READY)
        gallery.stop()
        del world.environment["PHOTOS_GALLERY_PASSWORD"]
