#!/usr/bin/python3
"""Measures a running gallery for `photos-benchmarks gallery`. Prints a JSON object.

measure.py LINK
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

from browser import Browser  # noqa: E402
from page import READY, SHARP  # noqa: E402

# Examines each frame; times are relative to the start of the navigation.
WATCH = (
    """
    window.measured = {};
    const sharp = () => {%s};
    const look = () => {
        const now = performance.now();
        if (!measured.first && document.querySelector('.cell > img')) measured.first = now;
        try { if (!measured.sharp && document.querySelector('.grid') && sharp()) measured.sharp = now; } catch {}
        if (!measured.sharp) requestAnimationFrame(look);
    };
    if (location.pathname === '/' && !location.search) requestAnimationFrame(look);"""
    % SHARP
)

ENTER = """
    const [token, done] = arguments;
    fetch('/api/session', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Photos-Gallery': '1'}, body: JSON.stringify({token})})
        .then(async (answer) => done(localStorage.setItem('photos.session', await answer.text())), done);"""

SCROLL = """
    const [step, frames, done] = arguments;
    const box = document.querySelector('.grid');
    const times = [];
    let last = performance.now();
    const begun = last;
    const move = (now) => {
        times.push(now - last);
        last = now;
        box.scrollTop += step;
        if (times.length < frames && now - begun < 30_000) requestAnimationFrame(move);
        else done({frames: times.slice(1), cells: document.querySelectorAll('.cell').length});
    };
    requestAnimationFrame(move);"""


def main():
    link = sys.argv[1]
    browser = Browser()
    try:
        browser.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        # Sign in first, to measure the page without the exchange of the token for a session.
        root, token = link.split("#token=")
        browser.go(root + "page/none")
        browser.later(ENTER, token)
        browser.go(root)
        browser.wait("the page", READY)
        browser.wait("a sharp screen", "return Boolean(window.measured?.sharp)")
        seen = browser.js("return window.measured")
        browser.command("Performance.enable", timeDomain="threadTicks")
        before = work(browser)
        scrolled = browser.later(SCROLL, 110, 300)
        spent = work(browser) - before
        print(
            json.dumps(
                {
                    "firstPicture": seen["first"],
                    "sharpScreen": seen["sharp"],
                    "frames": scrolled["frames"],
                    "work": spent * 1000 / len(scrolled["frames"]),
                    "cells": scrolled["cells"],
                }
            )
        )
    finally:
        browser.close()


def work(browser):
    return {one["name"]: one["value"] for one in browser.command("Performance.getMetrics")["metrics"]}["TaskDuration"]


if __name__ == "__main__":
    main()
