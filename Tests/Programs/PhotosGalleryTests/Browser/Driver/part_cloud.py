"""9: photos, movies and animated images that are only in the cloud."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from page import api, cell_of, close_viewer, open_at, open_viewer, toast
from world import Gallery

MAIN = "return document.querySelector('.frame > img.main')?.naturalWidth > 0"
LINE = "return (document.querySelector('.frame > .converting')?.textContent ?? '')"
PLAYS = "const film = document.querySelector('video.main'); return film && film.readyState >= 2 && film.currentTime > 0"


class Computer:
    """A second computer of a cloud library, with a daemon whose network can be held back."""

    def __init__(self, world):
        self.world = world
        self.folder = world.folder / "cloud"
        self.runtime = Path(tempfile.mkdtemp(prefix="c", dir="/tmp"))
        self.runtime.chmod(0o700)
        self.held = self.folder / "held"
        self.blobs = self.folder / "store/blob"
        self.library = self.folder / "Second.photolibrary"
        (self.folder / "store").mkdir(parents=True)
        program = self.folder / "photos-cloud"
        real = Path(world.photos).parent / "photos-cloud"
        program.write_text(f'#!/bin/sh\nwhile [ -e "{self.held}" ]; do sleep 0.05; done\nexec "{real}" "$@"\n')
        program.chmod(0o755)
        self.environment = world.environment | {
            "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "PHOTOS_CLOUD": str(program),
            "PHOTOS_LIBRARY": str(self.library),
        }
        self.environment.pop("PHOTOS_DAEMON", None)
        self.daemon = None

    def close(self):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
        shutil.rmtree(self.runtime, ignore_errors=True)

    def run(self, library, *arguments):
        command = [self.world.photos, "--library", str(library), *map(str, arguments)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
        return done.stdout

    def join(self, source):
        """Puts photos into a cloud library, of which this computer gets everything but the files."""
        first = self.folder / "First.photolibrary"
        store = f"file://{self.folder}/store"
        for library in (first, self.library):
            self.run(library, "create")
        self.run(first, "import", source)
        code = self.run(first, "cloud", "create", store, "--name", "First", "--json").split('"recoveryCode":"')[1]
        secret = self.folder / "code"
        secret.write_text(code.split('"')[0])
        self.run(self.library, "cloud", "join", store, "--name", "Second", "--passphrase-file", secret)
        self.run(first, "cloud", "sync", "--once")
        self.hide()
        self.run(self.library, "cloud", "sync", "--once")

    def start(self):
        self.daemon = subprocess.Popen(
            [Path(self.world.photos).parent / "photolibraryd", "--io-pressure", "/none", "--power-supplies", "/none"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.environment,
        )
        self.world.until("the daemon", self.listens)
        # The first session finds no files, and the next one is minutes away.
        self.run(self.library, "cloud", "sync", "--once")
        self.show()

    def listens(self):
        """Whether the daemon accepts connections; its socket exists a moment before."""
        lines = Path("/proc/net/unix").read_text().splitlines()
        path = str(self.runtime / "photolibraryd/socket")
        return any(line.split()[3] == "00010000" and line.endswith(path) for line in lines[1:])

    def hide(self):
        self.blobs.rename(self.folder / "aside")

    def show(self):
        shutil.rmtree(self.blobs, ignore_errors=True)
        (self.folder / "aside").rename(self.blobs)

    def hold(self):
        """Lets downloads wait: the program with the network ends, and does not start."""
        self.held.touch()
        tasks = Path(f"/proc/{self.daemon.pid}/task").glob("*/children")
        children = [child for task in tasks for child in task.read_text().split()]
        for child in children:
            if "photos-cloud" in arguments(child):
                os.kill(int(child), signal.SIGKILL)
        # The end is noticed when the process is collected.
        for child in children:
            while "photos-cloud" in arguments(child):
                time.sleep(0.01)

    def go_on(self):
        self.held.unlink()


def arguments(process):
    """The command line of a process, empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def animation(path):
    from PIL import Image

    frames = [Image.new("P", (120, 90), color) for color in (30, 90, 150)]
    frames[0].putpalette([value for value in range(256) for _ in range(3)])
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100, loop=0)


def run(world, browser, check):
    from PIL import Image

    source = world.folder / "cloud-source"
    source.mkdir()
    films = [asset for asset in world.assets if asset["mediaType"] == "video"]
    originals = {path.name: path for path in Path(world.samples).rglob("*") if path.is_file()}
    film = world.name_of(films[0])
    shutil.copy(originals[film], source / film)
    shutil.copy(originals[film], source / "Other.mp4")
    # Other bytes, so that it is another movie.
    with (source / "Other.mp4").open("ab") as other:
        other.write(b"\0\0\0\x08free")
    animation(source / "Moves.gif")
    for index, name in enumerate(("Hills", "Lake", "Town", "Wood")):
        Image.radial_gradient("L").resize((1600 + index, 1200)).save(source / f"{name}.jpg")

    computer = Computer(world)
    try:
        computer.join(source)
        computer.start()
        gallery = Gallery(world.photos, computer.library, computer.environment | {"PHOTOS_DAEMON": "1"})
        world.galleries.append(gallery)
        browser.go(gallery.url)
        open_at(browser, world, gallery=gallery)
        snapshot = api(browser, "/api/timeline")[1]["snapshot"]
        assets = api(browser, f"/api/assets?snapshot={snapshot}&offset=0&count=100")[1]["assets"]
        ids = {asset["filename"]: asset["id"] for asset in assets}
        away = "status of 502"

        with check("the grid says which photos are only in the cloud", away):
            assert len(ids) == 7 and all(asset["cloud"] == "away" for asset in assets), assets
            label = browser.js("return arguments[0].getAttribute('aria-label')", lambda: cell_of(browser, ids[film]))
            assert "only in the cloud" in label, label

        with check("a movie is downloaded, with its progress, and plays", away):
            computer.hold()
            open_viewer(browser, ids[film])
            browser.wait("the progress", LINE + ".startsWith('Downloading')")
            browser.picture("viewer-downloading")
            computer.go_on()
            browser.wait("the movie to play", PLAYS)
            assert not browser.js(LINE), browser.js(LINE)
            close_viewer(browser)
            label = browser.js("return arguments[0].getAttribute('aria-label')", lambda: cell_of(browser, ids[film]))
            assert "only in the cloud" not in label, label

        with check("a photo is downloaded, with its progress", away):
            computer.hold()
            open_viewer(browser, ids["Hills.jpg"])
            browser.wait("the progress", LINE + ".startsWith('Downloading')")
            computer.go_on()
            browser.wait("the picture", MAIN)
            assert not browser.js(LINE), browser.js(LINE)
            close_viewer(browser)

        with check("an animated image is downloaded, and moves", away):
            open_viewer(browser, ids["Moves.gif"])
            browser.wait("the image", MAIN)
            kind = browser.js("""
                return fetch(document.querySelector('.frame > img.main').src).then((one) => one.headers.get('Content-Type'))""")
            assert kind == "image/gif", kind
            close_viewer(browser)

        with check("the original is downloaded for a link to it", away):
            size = browser.later(
                """
                const [id, done] = arguments;
                import("/page/script/api.js").then(({resourceURL}) => fetch(resourceURL({id}, 0)))
                    .then((one) => one.blob()).then((one) => done(one.size), (error) => done(String(error)));""",
                ids["Lake.jpg"],
            )
            assert size == (source / "Lake.jpg").stat().st_size, size

        with check("what cannot be downloaded says so", away):
            computer.hide()
            open_viewer(browser, ids["Wood.jpg"])
            browser.wait(
                "the reason",
                "return document.querySelector('.unshowable')?.textContent.includes('could not be downloaded')",
            )
            close_viewer(browser)
            open_viewer(browser, ids["Other.mp4"])
            toast(browser, "could not be downloaded")
            close_viewer(browser)
            computer.show()

        with check("a movie whose viewer was closed is not waited for", away):
            computer.hold()
            open_viewer(browser, ids["Other.mp4"])
            browser.wait("the progress", LINE + ".startsWith('Downloading')")
            close_viewer(browser)
            open_viewer(browser, ids["Hills.jpg"])
            browser.wait("the picture", MAIN)
            assert browser.js("return document.querySelector('video') === null")
            computer.go_on()
            close_viewer(browser)
            open_viewer(browser, ids["Other.mp4"])
            browser.wait("the movie to play", PLAYS)
            close_viewer(browser)
    finally:
        computer.close()
        open_at(browser, world)
