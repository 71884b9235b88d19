"""8b: the ways to sign in, the list of sessions, and the limits of another user's server that has a cookie."""

import http.client
import http.server
import json
import os
import pty
import re
import subprocess
import threading
import urllib.parse

from browser import Browser
from page import CELLS, READY, api, open_at

DOOR = "return document.querySelector('.gate #door-title') !== null && location.pathname === '/door'"
PROBLEM = "const one = document.querySelector('#problem'); return one && !one.hidden && one.textContent"
ENDED = "return document.querySelector('.ended h1')?.textContent"
ROWS = "return [...document.querySelectorAll('.session')].map((one) => one.dataset.current)"


class Spy:
    """Another user's server on another port of the same host."""

    def __init__(self):
        seen = self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append({name.lower(): value for name, value in self.headers.items()} | {"path": self.path})
                body = b"<!doctype html><title>spy</title><p>spy</p>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/spy"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def ask(port, path, method="GET", body=None, **headers):
    """Sends a request like a program that is free to send any headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read(4096).decode("utf-8", "replace"), answer.headers
    finally:
        connection.close()


def run(world, browser, check):
    gallery = world.serve()
    spy = Spy()
    keys = "return JSON.parse(localStorage.getItem('photos.session'))"
    try:
        with check("a link works once, and does not stay in the address"):
            link = gallery.printed
            assert "/#token=" in link, link
            browser.go(gallery.url)
            browser.wait("the page to begin", READY)
            assert "token" not in browser.js("return location.href"), browser.js("return location.href")
            browser.go(f"{gallery.root}/door")
            browser.wait("the page, since the browser is in", READY)

        with check("another browser is told that it was used, and comes in by a new one", "401 (Unauthorized)"):
            other = Browser()
            try:
                other.go(link)
                text = other.wait("the reason", PROBLEM)
                assert "already been used" in text, text
                assert "--new-link" in other.js("return document.querySelector('#door-again').textContent")
                other.picture("door-used")
                other.go(gallery.url)
                other.wait("the page to begin", READY)
                assert "token" not in other.js("return location.href")
            finally:
                other.close()

        with check(
            "another server of this host gets the cookie, and nothing by it",
            "404 (Not Found)",
            "403 (Forbidden)",
            "ERR_",
            "Cross-Origin",
            "CORS",
        ):
            open_at(browser, world, gallery=gallery)
            browser.wait("pictures", "return document.querySelector('.cell img') !== null")
            picture = browser.js("return document.querySelector('.cell img').src")
            known = browser.js(keys)
            secrets = [known["secret"], *known["keys"].values()]
            browser.go(spy.url)
            cookie = spy.seen[-1].get("cookie", "")
            assert f"photos-{gallery.port}=" in cookie, spy.seen[-1]
            bare = urllib.parse.urlparse(picture).path
            asset = bare.split("/")[3]
            for path in (
                "/api/state",
                "/api/timeline",
                "/api/collections",
                "/api/sessions",
                "/api/events",
                bare,
                bare + "?size=64&key=0",
                f"/api/assets/{asset}",
                f"/api/assets/{asset}/resources/0",
                f"/api/assets/{asset}/movie",
                "//api/state",
                "/%61pi/state",
                "/page/../api/state",
            ):
                status, text, _ = ask(gallery.port, path, Cookie=cookie)
                assert status in (400, 401, 404), (path, status, text)
            forged = {
                "Cookie": cookie,
                "Origin": gallery.root,
                "X_Photos_Gallery": "1",
                "Content_Type": "application/json",
            }
            for path, body in (
                ("/api/changes", {"action": "createAlbum", "title": "Forged"}),
                ("/api/hidden", {"unlock": True}),
                ("/api/undo", {}),
                ("/api/imports", {"folder": "/etc"}),
            ):
                status, text, _ = ask(gallery.port, path, "POST", json.dumps(body), **forged)
                assert status == 401, (path, status, text)
            for path in ("/", "/door", "/page/script/main.js", "/page/script/keys.js"):
                status, text, headers = ask(gallery.port, path, Cookie=cookie)
                assert status == 200 and not any(one in text + str(headers) for one in secrets), path
            # Its page cannot read responses either, although the browser sends the cookie with its requests.
            found = browser.later(
                """
                const [picture, root, done] = arguments;
                const image = new Image();
                const loaded = new Promise((resolve) => { image.onload = () => resolve(true); image.onerror = () => resolve(false); });
                image.src = picture;
                Promise.all([loaded, fetch(root + '/api/state', {credentials: 'include'}).then((answer) => answer.text(), () => null),
                    fetch(root + '/', {credentials: 'include'}).then((answer) => answer.text(), () => null)]).then(done);""",
                picture,
                gallery.root,
            )
            assert found == [False, None, None], found
            browser.go(gallery.root)
            browser.wait("the page to begin", READY)

        with check("no address with a key goes to anybody else", "Content Security Policy"):
            browser.wait("pictures", "return document.querySelector('.cell img') !== null")
            leave = "const a = document.createElement('a'); a.href = arguments[0]; document.body.append(a); a.click()"
            for start in (gallery.root + "/", picture):
                browser.go("about:blank")
                browser.go(start)
                if start == picture:
                    assert browser.js("return document.querySelector('img')?.naturalWidth > 0")
                before = len(spy.seen)
                browser.js(leave, spy.url)
                browser.wait("the other server", "return document.title === 'spy'")
                for request in spy.seen[before:]:
                    assert str(gallery.port) not in request.get("referer", ""), request
            assert not any(one in str(spy.seen) for one in secrets)

        # A request of the first window may see the new cookie before the second one has stored its secret. It is sent
        # again with it.
        with check("reloading and a second tab need no link", "401 (Unauthorized)"):
            browser.go(gallery.root)
            browser.wait("the page to begin", READY)
            browser.driver.refresh()
            browser.wait("the page to begin again", READY)
            second = browser.window(900, 700)
            try:
                second.go(gallery.root + "/#/favorites")
                second.wait("the page to begin", READY)
                # A new link in one window does not end another window's session.
                second.go("about:blank")
                second.go(gallery.url)
                second.wait("the page to begin", READY)
                world.run("album", "create", "After the new link")
                browser.wait(
                    "the first window to follow",
                    "return [...document.querySelectorAll('.side-title')].some((one) => one.textContent === 'After the new link')",
                )
                assert browser.js(CELLS) > 0
            finally:
                second.close()

        with check("the cookie without the secret leads to the door, in the browser's language", "401 (Unauthorized)"):
            browser.js("localStorage.removeItem('photos.session'); localStorage.setItem('language', 'de')")
            browser.go("about:blank")
            browser.go(gallery.root + "/#/favorites")
            browser.wait("the door", DOOR)
            browser.wait("German", "return document.querySelector('#door-again').textContent.includes('Eingabetaste')")
            assert browser.js("return document.querySelectorAll('img').length") == 1
            assert browser.js("return location.hash") == "#/favorites"
            browser.picture("door-german")
            browser.js("localStorage.removeItem('language')")
            browser.go(gallery.url)
            browser.wait("the page to begin", READY)
            # The secret without the cookie does not work either.
            browser.command("Network.clearBrowserCookies")
            browser.go("about:blank")
            browser.go(gallery.root)
            browser.wait(
                "the door to forget what is worth nothing",
                "return document.querySelector('#door-title') !== null && localStorage.getItem('photos.session') === null",
            )
            browser.go("about:blank")
            browser.go(gallery.url)
            browser.wait("the page to begin", READY)

        with check("a link in a file leads in", "401 (Unauthorized)"):
            file = world.folder / "open.html"
            file.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={gallery.url}">')
            other = Browser()
            try:
                other.go(file.as_uri())
                other.wait("the page to begin", READY)
                # This also works if the browser is already signed in, and the link sends no cookie.
                other.go(file.as_uri())
                other.wait("the page to begin again", READY)
                assert "token" not in other.js("return location.href")
            finally:
                other.close()

        with check("Return prints another link"):
            mine, theirs = pty.openpty()
            process = subprocess.Popen(
                [world.photos, "--library", str(world.library), "serve"],
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=world.environment,
                start_new_session=True,
                preexec_fn=lambda: __import__("fcntl").ioctl(theirs, __import__("termios").TIOCSCTTY, 0),
            )
            try:
                links = [process.stdout.readline().strip()]
                for _ in range(2):
                    os.write(mine, b"\n")
                    links.append(process.stdout.readline().strip())
                assert len(set(links)) == 3 and all(
                    re.fullmatch(r"http://127\.0\.0\.1:\d+/#token=[0-9a-f]{64}", one) for one in links
                ), links
                port = urllib.parse.urlparse(links[0]).port
                enter = {
                    "Origin": f"http://127.0.0.1:{port}",
                    "X_Photos_Gallery": "1",
                    "Content_Type": "application/json",
                }
                for one, wanted in ((links[2], 200), (links[0], 200), (links[2], 401), (links[1], 200)):
                    status, text, _ = ask(
                        port, "/api/session", "POST", json.dumps({"token": one.split("=")[1]}), **enter
                    )
                    assert status == wanted, (one, status, text)
            finally:
                process.terminate()
                process.wait(20)
                os.close(mine)
                os.close(theirs)

        with check("sessions are listed, and end", "401 (Unauthorized)"):
            other = Browser(pictures=world.pictures)
            try:
                other.go(gallery.url)
                other.wait("cells", CELLS)
                open_at(browser, world, "#/settings", gallery)
                api(browser, "/api/sessions", "DELETE")
                other.wait("the end", ENDED)
                assert other.js("return document.querySelectorAll('img, .cell').length") == 0
                other.picture("session-ended")
                other.click(".ended a")
                other.wait("the door", DOOR)
                browser.wait("one row", f"{ROWS}.join() === 'true'")
                other.go(gallery.url)
                other.wait("cells again", CELLS)
                browser.wait("two rows", f"{ROWS}.join() === 'true,false'")
                text = browser.js("return document.querySelector('.session[data-current=true]').textContent")
                assert "This browser" in text and "Chrome · Linux" in text and "The gallery’s computer" in text, text
                browser.picture("settings-sessions")
                browser.click(".session[data-current=false] [data-action=end]")
                other.wait("the end again", ENDED)
                browser.wait("one row again", f"{ROWS}.join() === 'true'")
                browser.click(".session[data-current=true] [data-action=end]")
                title = browser.wait("the end of this one", ENDED)
                assert title == "This session has ended", title
                assert browser.js("return localStorage.getItem('photos.session')") is None
            finally:
                other.close()
    finally:
        # The cookies of all galleries are gone. The page would report errors for a stopped gallery.
        browser.go(world.gallery.url)
        browser.wait("the page to begin", READY)
        spy.stop()
        gallery.stop()
