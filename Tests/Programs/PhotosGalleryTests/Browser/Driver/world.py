"""A library with photos, the command, and the gallery that it serves."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import urllib.parse
from pathlib import Path


class Gallery:
    """A `photos serve` process, from its start to its end."""

    def __init__(self, photos, library, environment, arguments=()):
        self.process = subprocess.Popen(
            [photos, "--library", str(library), "serve", "--port", "0", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.photos, self.library, self.environment = photos, library, environment
        self.printed = None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            found = re.search(r"http://\S+", line)
            if found:
                self.printed = found.group(0)
                break
        if not self.printed:
            raise AssertionError("photos serve gave no link: " + "".join(lines) + self.process.stderr.read())
        self.root = "http://" + urllib.parse.urlparse(self.printed).netloc
        self.port = urllib.parse.urlparse(self.printed).port

    @property
    def url(self):
        """Returns an unused link."""
        if self.printed:
            link, self.printed = self.printed, None
            return link
        return self.new_link()

    def new_link(self):
        """Returns another link, as the command prints it."""
        command = [self.photos, "--library", str(self.library), "serve", "--new-link", "--port", str(self.port)]
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment, check=True
        ).stdout.strip()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("photos serve did not end within 20 s of being asked to") from None


class World:
    def __init__(self, photos, samples, pictures):
        self.photos = str(photos)
        self.samples = Path(samples)
        self.pictures = pictures
        self.folder = Path(tempfile.mkdtemp(prefix="photos-browser-"))
        self.environment = dict(os.environ)
        for name in ("STATE", "CACHE", "CONFIG", "DATA"):
            self.environment[f"XDG_{name}_HOME"] = str(self.folder / name.lower())
        self.environment["PHOTOS_LIBRARY"] = str(self.folder / "Trips.photolibrary")
        self.environment["TZ"] = "Europe/Berlin"
        self.galleries = []

    def close(self):
        for gallery in self.galleries:
            if gallery.process.poll() is None:
                gallery.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def library(self):
        return Path(self.environment["PHOTOS_LIBRARY"])

    def run(self, *arguments, library=None, status=0):
        """Runs the command, and returns its output with lines of JSON decoded."""
        command = [self.photos, "--library", str(library or self.library), *map(str, arguments)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment)
        if done.returncode != status:
            raise AssertionError(f"{' '.join(command)}: {done.returncode}: {done.stderr}")
        if "--json" in arguments:
            return [json.loads(line) for line in done.stdout.splitlines()]
        return done.stdout

    def serve(self, library=None, *arguments):
        gallery = Gallery(self.photos, library or self.library, self.environment, arguments)
        self.galleries.append(gallery)
        return gallery

    def fill(self):
        """Creates the library from the samples."""
        self.run("create")
        self.run("import", self.samples)
        self.assets = self.run("list", "--json", "--sort", "creationDate:desc")

    def name_of(self, asset):
        return asset["originalFilename"]

    def large(self, count, pictures=3000):
        """Creates a library with a number of rows; the newest have renditions, none has a file."""
        library = self.folder / "Large.photolibrary"
        self.run("create", library=library)
        database = sqlite3.connect(library / "database/library.sqlite", timeout=20)
        # 12 photos per day, the last ones in autumn 2025; dates are relative to 2001, as in the store.
        database.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO asset (uuid, mediaType, mediaSubtypes, playbackStyle, sourceType, pixelWidth,
                pixelHeight, duration, creationDate, modificationDate, addedDate, isFavorite, isHidden,
                burstSelectionTypes, representsBurst, isBurstHidden, hasAdjustments, originalFilename,
                contentType, keywords, rating, contentVersion, isVisible)
            SELECT printf('%08X-0000-4000-8000-%012d', i, i), 1, 0, 1, 1, 4032, 3024, 0,
                780000000.0 - (? - i) * 7200.0, 780000000.0, 780000000.0, i % 50 = 0, 0, 0, 0, 0, 0,
                printf('IMG_%06d.JPG', i), 'public.jpeg', '[]', 0, 1, 1
            FROM n""",
            (count, count),
        )
        database.execute("""
            INSERT INTO resource (uuid, assetId, type, originalFilename, contentType, path, size, sha256, pixelWidth, pixelHeight)
            SELECT printf('%08X-0000-4000-9000-%012d', id, id), id, 1, originalFilename, contentType,
                printf('originals/%02x/%s.jpg', id % 256, uuid), 3000000, randomblob(32), 4032, 3024 FROM asset""")
        database.execute("INSERT INTO journalVersion (version, time, author) VALUES (1, 0, 'tests')")
        database.commit()
        database.close()
        # The first request creates the rendition file.
        first = self.run("list", "--json", "--limit", "1", library=library)[0]
        self.environment_run(
            "image", first["localIdentifier"], "--size", "64x64", "-o", self.folder / "none.jpg", library=library
        )
        renditions = library / "database/renditions.sqlite"
        if renditions.exists():
            store = sqlite3.connect(renditions, timeout=20)
            jpegs = self.small_pictures()
            store.execute("ATTACH ? AS library", (str(library / "database/library.sqlite"),))
            for index, jpeg in enumerate(jpegs):
                store.execute(
                    """
                    INSERT OR REPLACE INTO rendition (assetUUID, sizeClass, contentVersion, origin, width, height, jpeg)
                    SELECT uuid, 256, 1, 2, 256, 192, ? FROM library.asset WHERE id > ? AND id % ? = ?""",
                    (jpeg, count - pictures, len(jpegs), index),
                )
            store.commit()
            store.close()
        return library

    def environment_run(self, *arguments, library=None):
        subprocess.run(
            [self.photos, "--library", str(library), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self.environment,
        )

    def small_pictures(self):
        import io

        from PIL import Image

        pictures = []
        for colours in ((40, 90, 160), (190, 120, 60), (60, 130, 70), (130, 70, 140)):
            image = Image.new("RGB", (256, 192))
            image.putdata(
                [tuple(min(255, part + (x + y) // 8) for part in colours) for y in range(192) for x in range(256)]
            )
            data = io.BytesIO()
            image.save(data, "JPEG", quality=80)
            pictures.append(data.getvalue())
        return pictures

    def until(self, what, test, patience=30):
        end = time.monotonic() + patience
        while True:
            found = test()
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {patience} s")
            time.sleep(0.05)
