"""5: import."""

import io
import json

from PIL import Image

from page import api, menu_item, open_at


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


def run(world, browser, check):
    rows = "return [...document.querySelectorAll('.import-row')].map((row) => [row.querySelector('.import-name').textContent, row.dataset.outcome ?? null, row.querySelector('.import-state').textContent])"
    done = "const rows = [...document.querySelectorAll('.import-row')]; return rows.length >= arguments[0] && rows.every((row) => row.dataset.outcome)"

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
        assert sorted(line["outcome"] for line in saved[:-1]) == ["duplicate", "failed", "imported"], saved
        assert saved[-1]["totals"]["total"] == 3, saved[-1]
        browser.key("Escape")
        browser.wait("the end of the report", "return !document.querySelector('.import-report')")
