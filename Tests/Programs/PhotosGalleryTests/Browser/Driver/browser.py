"""A headless Chromium, and the actions of tests on its page."""

import json
import os
import time
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

# The time limit of a step in seconds, generous for a busy machine; a page that works does not use it up.
PATIENCE = float(os.environ.get("PHOTOS_BROWSER_PATIENCE", "60"))


class Session:
    """A browser, and the window that currently receives commands."""

    def __init__(self, driver):
        self.driver = driver
        self.shown = driver.current_window_handle


class Browser:
    """One window of a browser; `errors` returns the errors of its console since the last call."""

    def __init__(self, width=1280, height=860, language="en-GB", pictures=None, arguments=()):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--mute-audio",
            "--autoplay-policy=no-user-gesture-required",
            "--force-color-profile=srgb",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-extensions",
            f"--lang={language}",
            f"--window-size={width},{height}",
            *arguments,
        ):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.session = Session(webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options))
        self.handle = self.session.shown
        self.driver.set_script_timeout(PATIENCE * 2)
        self.pictures = pictures
        self.size(width, height)

    @property
    def driver(self):
        if self.session.shown != self.handle:
            self.session.driver.switch_to.window(self.handle)
            self.session.shown = self.handle
        return self.session.driver

    def window(self, width, height):
        """Opens another window with the same session; both are visible."""
        other = object.__new__(Browser)
        other.session = self.session
        other.pictures = self.pictures
        other.handle = self.command(
            "Target.createTarget", url="about:blank", newWindow=True, width=width, height=height
        )["targetId"]
        other.size(width, height)
        return other

    def close(self):
        """Closes this window, and quits the browser if it is the last one."""
        if len(self.session.driver.window_handles) == 1:
            self.session.driver.quit()
            return
        self.driver.close()
        self.session.shown = None

    # Appearance

    def size(self, width, height, mobile=False, scale=1):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile
        )

    def media(self, **features):
        values = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.command("Emulation.setEmulatedMedia", features=values)

    def language(self, name):
        self.command(
            "Emulation.setUserAgentOverride", userAgent=self.js("return navigator.userAgent"), acceptLanguage=name
        )

    def picture(self, name):
        if self.pictures:
            self.driver.save_screenshot(str(Path(self.pictures) / f"{name}.png"))

    # Actions

    def command(self, name, **values):
        return self.driver.execute_cdp_cmd(name, values)

    def go(self, url):
        self.driver.get(url)

    def js(self, script, *values):
        """Runs a script. Values that are functions find elements, again if the page was redrawn in between."""
        while True:
            try:
                return self.driver.execute_script(script, *(value() if callable(value) else value for value in values))
            except StaleElementReferenceException:
                # The script did not start.
                if not any(callable(value) for value in values):
                    raise

    def later(self, script, *values):
        """Runs a script that calls its last argument when it is done."""
        return self.driver.execute_async_script(script, *values)

    def wait(self, what, script, *values, patience=PATIENCE):
        """Waits until a script's result is true, and returns it."""
        end = time.monotonic() + patience
        result = None
        while True:
            try:
                result = self.js(script, *values)
            except WebDriverException as error:
                if "stale" not in str(error) and "Cannot read" not in str(error):
                    raise
            if result:
                return result
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {patience:.0f} s (last answer: {result!r})")
            time.sleep(0.03)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        self.wait(f"an element {selector}", "return document.querySelector(arguments[0]) !== null", selector)
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector):
        """Clicks an element after waiting until it is visible and not covered, as a user would."""
        x, y = self.wait(
            f"{selector} to be clicked",
            """
            const node = document.querySelector(arguments[0]);
            if (!node || node.disabled) return null;
            node.scrollIntoView({block: "nearest"});
            const box = node.getBoundingClientRect();
            const x = box.left + box.width / 2, y = box.top + box.height / 2;
            return box.width > 0 && node.contains(document.elementFromPoint(x, y)) ? [x, y] : null;""",
            selector,
        )
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def labelled(self, label, inside=""):
        return f'{inside} button[aria-label="{label}"]'.strip()

    def key(self, name, *modifiers):
        """Presses a key, as the user's keyboard would."""
        bits = sum({"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}[modifier] for modifier in modifiers)
        codes = {
            "ArrowDown": 40,
            "ArrowUp": 38,
            "ArrowLeft": 37,
            "ArrowRight": 39,
            "Enter": 13,
            "Escape": 27,
            "Delete": 46,
            "Home": 36,
            "End": 35,
            "PageDown": 34,
            "PageUp": 33,
            "Tab": 9,
            " ": 32,
        }
        code = codes.get(name, ord(name.upper()[0]))
        event = {"key": name, "modifiers": bits, "windowsVirtualKeyCode": code}
        text = {"Enter": "\r"}.get(name, name if len(name) == 1 and not bits & 6 else None)
        if text:
            event["text"] = text
        self.command("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        self.command("Input.dispatchKeyEvent", type="keyUp", **event)

    def drop(self, paths, x, y):
        """Drags files of this machine into the page."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.command("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def drag(self, source, target, share=(0.5, 0.5)):
        """Drags one element of the page onto another; both are functions that find it."""
        return self.js(
            """
            const [source, target, share] = arguments;
            const data = new DataTransfer();
            const at = (node, parts) => {
                const box = node.getBoundingClientRect();
                return {clientX: box.left + box.width * parts[0], clientY: box.top + box.height * parts[1]};
            };
            const fire = (node, kind, parts) => node.dispatchEvent(new DragEvent(kind,
                {bubbles: true, cancelable: true, composed: true, dataTransfer: data, ...at(node, parts)}));
            fire(source, "dragstart", [0.5, 0.5]);
            fire(target, "dragenter", share);
            const taken = !fire(target, "dragover", share);
            if (taken) fire(target, "drop", share);
            fire(source, "dragend", [0.5, 0.5]);
            return taken;""",
            source,
            target,
            list(share),
        )

    # Errors

    def errors(self, allowed=()):
        """Returns the errors of the console, except the expected ones."""
        found = []
        for entry in self.driver.get_log("browser"):
            message = entry["message"]
            if entry["level"] == "SEVERE" and not any(part in message for part in allowed):
                found.append(message)
        return found

    def axe(self, script, rules=()):
        """Returns the serious findings of axe in the current page, by all rules for the web or by some."""
        if not self.js("return typeof axe === 'object'"):
            self.js(script)
        result = self.later(
            """
            const [rules, done] = arguments;
            axe.run(document, {resultTypes: ["violations"],
                runOnly: rules.length ? rules : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]})
                .then((found) => done(JSON.stringify(found.violations
                    .filter((one) => one.impact === "serious" || one.impact === "critical")
                    .map((one) => ({id: one.id, help: one.help, nodes: one.nodes.slice(0, 4).map((node) => node.html.slice(0, 160) + " | " + node.failureSummary)})))),
                    (error) => done(JSON.stringify([{id: "axe", help: String(error), nodes: []}])));""",
            list(rules),
        )
        return json.loads(result)
