"""5: import."""

import io
import json
import sqlite3
import zipfile
from pathlib import Path

from PIL import Image

from page import api, menu_item, open_at

# Scripts/get-axe downloads it.
AXE = Path(__file__).parents[5] / ".build/axe/axe.min.js"


def draw(path, colour, size=(640, 480)):
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGB", size)
    image.putdata(
        [((x * colour) % 256, (y + colour) % 256, (x + y * 3) % 256) for y in range(size[1]) for x in range(size[0])]
    )
    data = io.BytesIO()
    image.save(data, "JPEG", quality=92)
    path.write_bytes(data.getvalue())
    return path


def takeout(path, photos):
    """Writes an archive of a Google Takeout: an album with photos and their descriptions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, photo in photos:
            root = "Takeout/Google Photos/Sea & sand"
            archive.writestr(f"{root}/{name}", photo.read_bytes())
            description = {
                "title": name,
                "description": f"Caption of {name}",
                "photoTakenTime": {"timestamp": "1500000000"},
                "geoData": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
            }
            archive.writestr(f"{root}/{name}.json", json.dumps(description))
        archive.writestr(f"{root}/metadata.json", json.dumps({"title": "Sea & sand", "description": "By boat"}))
    return path


def apple_library(library, photos, missing, referenced, disk):
    """Writes a library of Apple Photos with the tables that an import needs.

    One original is missing, and one is on a disk.
    """
    (library / "database").mkdir(parents=True)
    (library / "originals/A").mkdir(parents=True)
    (disk / "Pictures").mkdir(parents=True)
    database = sqlite3.connect(library / "database/Photos.sqlite")
    database.executescript("""
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (3, 'Asset', 0, 9), (30, 'Album', 0, 9), (47, 'Keyword', 0, 2);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZUUID VARCHAR, ZKIND INTEGER, ZDIRECTORY VARCHAR,
            ZFILENAME VARCHAR, ZDATECREATED TIMESTAMP, ZADDEDDATE TIMESTAMP, ZMODIFICATIONDATE TIMESTAMP,
            ZFAVORITE INTEGER, ZHIDDEN INTEGER, ZTRASHEDSTATE INTEGER, ZTRASHEDDATE TIMESTAMP, ZLATITUDE FLOAT,
            ZLONGITUDE FLOAT, ZSAVEDASSETTYPE INTEGER);
        CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER, ZORIGINALFILENAME VARCHAR);
        CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZUUID VARCHAR, ZKIND INTEGER, ZTITLE VARCHAR,
            ZPARENTFOLDER INTEGER, Z_FOK_PARENTFOLDER INTEGER, ZTRASHEDSTATE INTEGER);""")
    for index, photo in enumerate(photos):
        uuid = f"A0000000-0000-4000-8000-{index:012d}"
        (folder, kind) = ("/Volumes/Photo Disk/Pictures", 10) if index == referenced else ("A", 3)
        place = disk / "Pictures" if index == referenced else library / "originals/A"
        if index != missing:
            (place / f"{uuid}.jpeg").write_bytes(photo.read_bytes())
        database.execute(
            "INSERT INTO ZASSET VALUES (?, ?, 0, ?, ?, ?, 0, 0, 0, 0, 0, NULL, -180, -180, ?)",
            (index + 1, uuid, folder, f"{uuid}.jpeg", 700_000_000 + index, kind),
        )
        database.execute(
            "INSERT INTO ZADDITIONALASSETATTRIBUTES VALUES (?, ?, ?)", (index + 1, index + 1, f"MAC_{index:04d}.JPG")
        )
    database.commit()
    database.close()


def choose(browser, path):
    """Opens the dialog for folders of the gallery's computer, and goes to a folder."""
    browser.click(browser.labelled("Import", ".tools"))
    menu_item(browser, "From a folder on the gallery’s computer…")
    browser.wait("folders", "return document.querySelector('#folder-path')?.value.startsWith('/')")
    browser.js(
        "const field = document.querySelector('#folder-path'); field.value = arguments[0]; field.dispatchEvent(new Event('change'));",
        str(path),
    )


def run(world, browser, check):
    rows = "return [...document.querySelectorAll('.import-row')].map((row) => [row.querySelector('.import-name').textContent, row.dataset.outcome ?? null, row.querySelector('.import-state').textContent])"
    done = "const rows = [...document.querySelectorAll('.import-row')]; return rows.length >= arguments[0] && rows.every((row) => row.dataset.outcome)"

    def sound(picture):
        """Takes a picture when animations are over, and expects that axe finds nothing serious."""
        browser.wait("the end of animations", "return document.getAnimations().length === 0")
        browser.picture(picture)
        if not AXE.exists():
            check.note("left out, as Scripts/get-axe has not got axe", str(AXE))
            return
        found = browser.axe(AXE.read_text())
        assert not found, json.dumps(found, indent=1)

    with check("files and folders are dropped, each with its outcome"):
        open_at(browser, world)
        browser.wait("cells", "return document.querySelectorAll('.cell').length > 0")
        folder = world.folder / "drop"
        draw(folder / "one.jpg", 3)
        draw(folder / "inner/two <b>.jpg", 5)
        (folder / "inner/notes.txt").write_text("no photo")
        twin = next(path for path in sorted(world.samples.rglob("*.JPG")))
        before = len(world.run("list", "--json"))
        browser.drop([folder, twin], 700, 500)
        browser.wait("the outcomes", done, 4, patience=60)
        found = {name.split("/")[-1]: outcome for name, outcome, _ in browser.js(rows)}
        assert found["one.jpg"] == found["two <b>.jpg"] == "imported", found
        assert found["notes.txt"] == "unsupported" and found[twin.name] == "duplicate", found
        browser.picture("import")
        assert len(world.run("list", "--json")) == before + 2
        browser.wait(
            "them in the grid",
            "return [...document.querySelectorAll('.cell')].some((cell) => cell.cell.asset?.filename === 'one.jpg')",
        )
        browser.click(browser.labelled("Close", ".import-panel"))

    with check("an import that broke off goes on where it stopped", "Failed to load resource", "ERR_"):
        open_at(browser, world)
        path = draw(world.folder / "again/large.jpg", 7, (2400, 1800))
        # The second piece never arrives.
        browser.js("""
            const fetched = window.fetch;
            window.sent = [];
            window.broken = 0;
            window.fetch = (url, options) => {
                if (options?.method === 'PUT' && String(url).includes('/files/')) {
                    const offset = Number(new URL(url, location).searchParams.get('offset'));
                    if (offset > 0 && window.broken < 1) {
                        window.broken += 1;
                        return Promise.reject(new TypeError('broken'));
                    }
                    window.sent.push([offset, options.body.byteLength]);
                }
                return fetched(url, options);
            };""")
        chunk = api(browser, "/api/state")[1]["chunkSize"]
        size = path.stat().st_size
        if size <= chunk:
            with path.open("ab") as file:
                # Bytes after a JPEG's end do not belong to the picture and do no harm.
                file.write(b"\0" * (chunk + 1000 - size))
        size = path.stat().st_size
        browser.all("input[type=file]")[0].send_keys(str(path))
        browser.wait("the break", "return window.broken === 1", patience=60)
        # It continues by itself after a while, and immediately on request.
        browser.js(
            "[...document.querySelectorAll('.import-panel .push')].find((one) => one.textContent === 'Resume').click()"
        )
        browser.wait("the outcome", done, 1, patience=90)
        assert browser.js(rows)[0][1] == "imported", browser.js(rows)
        sent = browser.js("return window.sent")
        assert sum(part[1] for part in sent) == size, (sent, size)
        browser.click(browser.labelled("Close", ".import-panel"))

    with check("an upload goes on where the gallery says, also if that is further than it was told", "409 (Conflict)"):
        open_at(browser, world)
        path = draw(world.folder / "unanswered/unanswered.jpg", 81)
        # The gallery receives the file, but its answer is lost, and the next announcement does not count the file's bytes.
        browser.js("""
            const fetched = window.fetch;
            window.pieces = 0;
            window.fetch = async (url, options) => {
                const answer = await fetched(url, options);
                if (options?.method === 'PUT' && String(url).includes('/files/') && (window.pieces += 1) === 1) throw new TypeError('broken');
                if (options?.method !== 'POST' || !String(url).endsWith('/files')) return answer;
                return new Response(JSON.stringify({...await answer.json(), offset: 0}), {status: 200});
            };""")
        browser.drop([path], 700, 500)
        browser.wait("the outcome", done, 1, patience=60)
        assert browser.js(rows)[0][1] == "imported", browser.js(rows)
        assert browser.js("return window.pieces") == 2
        browser.click(browser.labelled("Close", ".import-panel"))

    # Delays requests; `window.release()` lets the delayed and all later ones pass.
    delay = """
        const fetched = window.fetch;
        window.delayed = 0;
        const wait = new Promise((done) => { window.release = done; });
        window.fetch = async (url, options) => {
            const isDelayed = options?.method === arguments[0] && new RegExp(arguments[1]).test(url);
            if (isDelayed) {
                window.delayed += 1;
                if (!arguments[2]) await wait;
            }
            const answer = await fetched(url, options);
            if (isDelayed && arguments[2]) await wait;
            return answer;
        };"""
    filenames = lambda: {asset["originalFilename"] for asset in world.run("list", "--json")}

    with check("files that are dropped after an upload was stopped are all imported"):
        open_at(browser, world)
        first = draw(world.folder / "stopped/first.jpg", 61)
        later = [draw(world.folder / f"after/{number}.jpg", 62 + number) for number in range(3)]
        browser.js(delay, "PUT", "/files/", True)
        browser.drop([first], 700, 500)
        browser.wait("the upload", "return window.delayed === 1")
        browser.js(
            "[...document.querySelectorAll('.import-panel .push')].find((one) => one.textContent === 'Stop').click()"
        )
        browser.drop(later, 700, 500)
        browser.wait("the next upload", "return window.delayed === 2")
        browser.js("window.release()")
        browser.wait("the outcomes", done, 3)
        assert {name: outcome for name, outcome, _ in browser.js(rows)} == {path.name: "imported" for path in later}
        assert {path.name for path in later} <= filenames() and first.name not in filenames(), filenames()
        browser.click(browser.labelled("Close", ".import-panel"))

    with check("what is chosen before the import has a name belongs to it"):
        open_at(browser, world)
        both = [draw(world.folder / f"twice/{number}-at-once.jpg", 66 + number) for number in range(2)]
        browser.js(delay, "POST", "/api/imports$", False)
        for path in both:
            browser.all("input[type=file]")[0].send_keys(str(path))
        browser.wait("the import", "return window.delayed > 0")
        browser.js("window.release()")
        browser.wait("the outcomes", done, 2)
        assert browser.js("return window.delayed") == 1
        assert {path.name for path in both} <= filenames(), filenames()
        browser.click(browser.labelled("Close", ".import-panel"))

    with check("files that are dropped while an import runs are the next import"):
        open_at(browser, world)
        running = draw(world.folder / "running/running.jpg", 71)
        second = draw(world.folder / "running/second.jpg", 72)
        # The import has begun, and the page does not know its end yet.
        browser.js("""
            const { addEventListener } = EventSource.prototype;
            window.isDeaf = true;
            window.hasBegun = false;
            EventSource.prototype.addEventListener = function (kind, listen) {
                addEventListener.call(this, kind, (event) => {
                    if (kind === 'import' && window.isDeaf) return;
                    listen(event);
                    if (kind === 'begin') window.hasBegun = true;
                });
            };
            dispatchEvent(new Event('pagehide'));
            document.dispatchEvent(new Event('visibilitychange'));""")
        # At the beginning of an event stream, the page asks for the import's state.
        browser.wait("the event stream", "return window.hasBegun")
        browser.js(delay, "POST", "/finish$", True)
        browser.drop([running], 700, 500)
        browser.wait("the import", "return window.delayed === 1")
        browser.drop([second], 700, 500)
        browser.wait("the second file", "return document.querySelectorAll('.import-row').length === 2")
        assert browser.js(rows)[1][1] is None, browser.js(rows)
        world.until("the first file", lambda: running.name in filenames())
        browser.js("window.isDeaf = false; window.release()")
        browser.wait(
            "the outcome",
            f"{rows.replace('return', 'const all =', 1)}; return all.length === 1 && all[0][0] === 'second.jpg' && all[0][1] === 'imported'",
        )
        assert second.name in filenames(), filenames()
        browser.click(browser.labelled("Close", ".import-panel"))

    with check("from a folder of the machine"):
        open_at(browser, world)
        draw(world.folder / "machine/three.jpg", 11)
        browser.click(browser.labelled("Import", ".tools"))
        menu_item(browser, "From a folder on the gallery’s computer…")
        browser.wait("folders", "return document.querySelector('#folder-path')?.value.startsWith('/')")
        browser.js(
            "const field = document.querySelector('#folder-path'); field.value = arguments[0]; field.dispatchEvent(new Event('change'));",
            str(world.folder / "machine"),
        )
        browser.wait(
            "its files",
            "return document.querySelector('#folder-path').value.endsWith('machine') && document.querySelector('.sheet-ends .soft').textContent.startsWith('1')",
        )
        browser.picture("import-machine")
        browser.js("document.querySelector('dialog.sheet .primary').click()")
        browser.wait("the outcome", done, 1, patience=60)
        assert browser.js(rows)[0][1] == "imported", browser.js(rows)
        assert any(asset["originalFilename"] == "three.jpg" for asset in world.run("list", "--json"))

    with check("the report of the last import has each file with its outcome"):
        open_at(browser, world)
        folder = world.folder / "report"
        draw(folder / "good.jpg", 13)
        twin = folder / "twin.jpg"
        twin.write_bytes(next(path for path in sorted(world.samples.rglob("*.JPG"))).read_bytes())
        (folder / "broken.jpg").write_bytes(b"")
        browser.drop([folder], 700, 500)
        browser.wait("the outcomes", done, 3, patience=60)
        browser.wait(
            "the button of the report",
            "return [...document.querySelectorAll('.import-panel .push')].some((one) => one.textContent === 'Report' && !one.classList.contains('hidden'))",
        )
        browser.click(browser.labelled("Close", ".import-panel"))
        browser.click(browser.labelled("Import", ".tools"))
        menu_item(browser, "Report of the last import…")
        lines = "return [...document.querySelectorAll('.report-table tbody tr')].map((row) => [row.querySelector('th').textContent, row.dataset.outcome, row.cells[2].textContent])"
        browser.wait("the report", "return document.querySelectorAll('.report-table tbody tr').length === 3")
        found = {name.split("/")[-1]: (outcome, reason) for name, outcome, reason in browser.js(lines)}
        assert found["good.jpg"][0] == "imported" and found["twin.jpg"][0] == "duplicate", found
        assert found["broken.jpg"][0] == "failed" and found["broken.jpg"][1], found
        totals = browser.js("return document.querySelector('.report-totals').textContent")
        assert totals == "3 files: 1 imported · 1 already in the library · 1 failed", totals
        browser.picture("import-report")
        # With the keyboard alone: the filter of failed files, which keeps the focus.
        browser.js("document.querySelector('.report-filter[data-outcome=failed]').focus()")
        browser.key(" ")
        browser.wait("one file", "return document.querySelectorAll('.report-table tbody tr').length === 1")
        assert browser.js("return document.activeElement.dataset.outcome") == "failed"
        assert browser.js("return document.activeElement.getAttribute('aria-pressed')") == "true"
        assert browser.js(lines)[0][1] == "failed", browser.js(lines)
        # The file is what the server has.
        browser.js("""
            window.saved = null;
            const made = URL.createObjectURL;
            URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return made.call(URL, blob); };
            HTMLAnchorElement.prototype.click = () => {};
            [...document.querySelectorAll('.import-report .push')].find((one) => one.textContent === 'Download as JSON Lines').click();""")
        browser.wait("the file", "return window.saved !== null")
        saved = [json.loads(line) for line in browser.js("return window.saved").splitlines()]
        # The files were sent by the browser, so that they have no path on this machine.
        assert saved[0] == {"sources": [{"kind": "files", "path": None}], "dryRun": False}, saved[0]
        assert sorted(line["outcome"] for line in saved[1:-1]) == ["duplicate", "failed", "imported"], saved
        assert saved[-1]["totals"]["files"] == 3 and saved[-1]["totals"]["addsUp"], saved[-1]
        browser.key("Escape")
        browser.wait("the end of the report", "return !document.querySelector('.import-report')")

    ended = "return document.querySelector('.import-panel') && [...document.querySelectorAll('.import-panel .push')].some((one) => one.textContent === 'Report' && !one.classList.contains('hidden'))"
    # What the panel shows of a running import, once per change.
    watch = """
        window.shown = [];
        const panel = document.querySelector('.import-panel');
        new MutationObserver(() => window.shown.push([panel.querySelector('.import-summary').textContent,
            panel.querySelector('.import-pace').textContent, panel.querySelector(':scope > progress').getAttribute('value')]))
            .observe(panel, {subtree: true, childList: true, characterData: true, attributes: true});"""

    with check("the archives of a Google Takeout are dropped"):
        open_at(browser, world)
        photos = [(f"SEA_{number}.jpg", draw(world.folder / f"sea/{number}.jpg", 20 + number)) for number in range(4)]
        archives = [
            takeout(world.folder / f"takeout/takeout-20240131T101112Z-00{part + 1}.zip", photos[part::2])
            for part in range(2)
        ]
        before = len(world.run("list", "--json"))
        browser.drop(archives, 700, 500)
        browser.wait("the end of the import", ended, patience=60)
        browser.wait("the outcomes", done, 2)
        found = {name: outcome for name, outcome, _ in browser.js(rows)}
        assert found == {path.name: "imported" for path in archives}, found
        reasons = browser.js("return [...document.querySelectorAll('.import-reason')].map((one) => one.textContent)")
        assert all("2 imported" in reason for reason in reasons) and len(reasons) == 2, reasons
        browser.picture("import-takeout")
        assets = world.run("list", "--json")
        assert len(assets) == before + 4
        captions = {asset["caption"] for asset in assets if asset["originalFilename"].startswith("SEA_")}
        assert captions == {f"Caption of {name}" for name, _ in photos}, captions
        browser.click(".import-panel .push:not(.hidden)")
        browser.wait("the report", "return document.querySelectorAll('.report-table tbody tr').length >= 9")
        remarks = browser.js("return document.querySelector('.report-table').textContent")
        assert "By boat" in remarks, remarks
        browser.key("Escape")
        browser.click(browser.labelled("Close", ".import-panel"))

    library = world.folder / "Mac/Photos Library.photoslibrary"
    disk = world.folder / "disk"
    apple_library(library, [draw(world.folder / f"mac/{number}.jpg", 40 + number) for number in range(5)], 1, 2, disk)

    with check("the preview of a library of Apple Photos names what is missing, and changes nothing"):
        open_at(browser, world)
        before = world.run("list", "--json")
        state = sorted((str(path), path.stat().st_mtime_ns) for path in library.rglob("*"))
        choose(browser, library)
        browser.wait("the options", "return !document.querySelector('.source-options').classList.contains('hidden')")
        assert browser.js("return document.querySelector('.source-kind strong').textContent") == (
            "Library of Apple Photos or iPhoto"
        )
        sound("import-library")
        # With the keyboard alone: a disk is added and removed, each field has a label, and the preview begins.
        browser.js("document.querySelector('.source-part > button').focus()")
        browser.key("Enter")
        labels = browser.js("return document.activeElement.labels[0].textContent")
        assert labels == "Name of the disk", labels
        browser.js("document.querySelector('.source-volume button').focus()")
        browser.key("Enter")
        assert browser.js("return document.querySelectorAll('.source-volume').length") == 0
        assert browser.js("return document.activeElement.textContent") == "Add disk"
        browser.key("Tab")
        assert browser.js("return document.activeElement.textContent") == "Preview import"
        browser.key("Enter")
        browser.wait("the preview", "return document.querySelectorAll('.report-table tbody tr').length === 5")
        assert browser.js("return document.querySelector('dialog.import-report h2').textContent") == "Import preview"
        found = browser.js("return document.querySelector('.report-totals').textContent")
        assert found == "5 files: 3 to be imported · 2 missing", found
        browser.click(".report-filter[data-outcome=missing]")
        browser.wait("the missing ones", "return document.querySelectorAll('.report-table tbody tr').length === 2")
        missing = browser.js("return document.querySelector('.report-table tbody').textContent")
        assert "MAC_0001.JPG" in missing, missing
        assert "Pictures/A0000000-0000-4000-8000-000000000002.jpeg on the disk “Photo Disk”" in missing, missing
        assert "Import again with the disk under “Originals on other disks”." in missing, missing
        sound("import-preview")
        assert world.run("list", "--json") == before
        assert sorted((str(path), path.stat().st_mtime_ns) for path in library.rglob("*")) == state

    with check("the options of a previewed import are changed, and the import shows its progress", "404"):
        browser.js(
            "[...document.querySelectorAll('.import-report .push')].find((one) => one.textContent === 'Options…').click()"
        )
        browser.wait(
            "the library again",
            "return document.querySelector('#folder-path')?.value === arguments[0] && !document.querySelector('.source-options').classList.contains('hidden')",
            str(library),
        )
        browser.click(".source-part > button")
        browser.js(
            "const fields = document.querySelectorAll('.source-volume input'); fields[0].value = 'Photo Disk'; fields[1].value = arguments[0];",
            str(disk) + "-which-is-not-there",
        )
        browser.js(watch)
        browser.click("dialog.import-source .primary")
        browser.wait("the error", "return document.querySelector('.toast.bad')?.textContent.includes('Photo Disk')")

        choose(browser, library)
        browser.wait("the former disk", "return document.querySelectorAll('.source-volume').length === 1")
        browser.js("document.querySelectorAll('.source-volume input')[1].value = arguments[0]", str(disk))
        browser.wait("the options", "return !document.querySelector('.source-options').classList.contains('hidden')")
        browser.click("dialog.import-source .primary")
        browser.wait(
            "the end of the import",
            "return document.querySelector('.import-summary').textContent === '4 imported · 1 missing'",
            patience=60,
        )
        shown = browser.js("return window.shown")
        assert any(text == "5 of 5 photos" and value == "1" for text, _, value in shown), shown
        browser.picture("import-progress")
        names = {asset["originalFilename"] for asset in world.run("list", "--json")}
        assert {f"MAC_{number:04d}.JPG" for number in (0, 2, 3, 4)} <= names, names
        browser.click(browser.labelled("Close", ".import-panel"))

    with check("the rate and the time left are drawn as the gallery states them"):
        open_at(browser, world)
        # An import that is far too large for a test: the gallery never receives the request.
        browser.js("""
            const fetched = window.fetch;
            const state = window.state = {session: 'large', state: 'importing', files: [], counts: {imported: 250}, unit: 'photos', dryRun: false,
                total: 1000, done: 250, fraction: 0.25, rate: 12500000, secondsLeft: 95, message: null};
            const answer = (object) => new Response(JSON.stringify(object), {status: 200, headers: {'Content-Type': 'application/json'}});
            const isFirst = (url, options) => options?.method === 'POST' && String(url).endsWith('/api/imports') && !window.isBegun;
            window.fetch = (url, options) => isFirst(url, options) ? (window.isBegun = true, Promise.resolve(answer({session: 'large'})))
                : String(url).endsWith('/api/imports/large') ? Promise.resolve(answer(state)) : fetched(url, options);""")
        choose(browser, world.folder / "machine")
        browser.wait("its files", "return document.querySelector('#folder-path').value.endsWith('machine')")
        browser.click("dialog.import-source .primary")
        browser.wait(
            "the numbers", "return document.querySelector('.import-summary').textContent === '250 of 1,000 photos'"
        )
        assert browser.js("return document.querySelector('.import-pace').textContent") == "13 MB/s · 1:35 left"
        assert browser.js("return document.querySelector('.import-panel > progress').value") == 0.25
        browser.picture("import-pace")

    with check("files that are dropped while a folder is imported are the next import"):
        browser.drop([draw(world.folder / "large/next.jpg", 73)], 700, 500)
        browser.wait("the file", "return document.querySelectorAll('.import-row').length === 1")
        # Its end was announced while the page had no event stream.
        browser.js("""
            window.state.state = 'done';
            dispatchEvent(new Event('pagehide'));
            document.dispatchEvent(new Event('visibilitychange'));""")
        browser.wait("the outcome", done, 1)
        assert browser.js(rows)[0][:2] == ["next.jpg", "imported"], browser.js(rows)
        assert "next.jpg" in filenames(), filenames()
