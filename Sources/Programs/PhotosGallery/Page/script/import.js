// Import: dropped or chosen files, folders and archives, uploaded in chunks that survive an
// interruption, and folders and libraries of the computer on which the gallery runs.
import { add, el, icon, round } from "./dom.js";
import { get, post, remove } from "./api.js";
import { attempt, report } from "./dialog.js";
import { chooseSource } from "./import-source.js";
import { below, countsText, outcomeName, showLastReport, showReport } from "./import-report.js";
import { live } from "./live.js";
import { viewsOnly } from "./rights.js";
import { bytes, durationText, t } from "./text.js";
import { importPath, isInterruption, Upload } from "./upload.js";

/** All dropped files, including those in folders: `[{path, file}]`. */
async function filesOf(transfer) {
    const entries = [...transfer.items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
    const found = [];
    const walk = async (entry, path) => {
        if (entry instanceof File) found.push({ path: entry.name, file: entry });
        else if (entry.isFile) {
            const file = await new Promise((done, failed) => entry.file(done, failed));
            found.push({ path: path + entry.name, file });
        } else if (entry.isDirectory) {
            const reader = entry.createReader();
            for (;;) {
                // A reader returns batches of entries, and an empty one at the end.
                const some = await new Promise((done, failed) => reader.readEntries(done, failed));
                if (!some.length) break;
                for (const inner of some) await walk(inner, `${path}${entry.name}/`);
            }
        }
    };
    for (const entry of entries) if (entry) await walk(entry, "");
    return found;
}

export class Importer {
    constructor({ chunkSize, uploadLimit, isRemote, go }) {
        this.chunkSize = chunkSize || 4 << 20;
        this.uploadLimit = uploadLimit;
        this.isRemote = isRemote;
        this.go = go;
        this.session = null;
        this.server = { state: "receiving" };
        this.chosen = null;
        this.rows = new Map();
        this.upload = null;
        // The uploads whose import has not begun, which includes those that are not displayed.
        this.unfinished = new Set();
        // Files that were added after the displayed import had begun. They are the next import.
        this.held = [];
        this.input = el("input.hidden", { type: "file", multiple: true, accept: "image/*,video/*,.heic,.heif,.dng,.aae,.mov,.xmp,.zip,.tgz,.gz,.json", "aria-hidden": "true", tabindex: "-1" });
        this.folderInput = el("input.hidden", { type: "file", multiple: true, webkitdirectory: true, "aria-hidden": "true", tabindex: "-1" });
        for (const input of [this.input, this.folderInput]) {
            input.addEventListener("change", () => {
                this.send([...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
                input.value = "";
            });
        }
        this.#build();
        if (!viewsOnly()) this.#takeDrops();
        live.on("import", (detail) => this.#heard(detail));
        // The end of an import may have been announced while there was no event stream.
        live.on("begin", () => { if (this.session && !this.upload?.isSending) this.#refresh(this.session); });
        addEventListener("beforeunload", (event) => { if (this.unfinished.size || this.held.length) event.preventDefault(); });
    }

    #build() {
        this.heading = el("h2", {}, t("import.title"));
        this.summary = el("span.import-summary", { role: "status" });
        this.pace = el("span.import-pace");
        this.bar = el("progress", { max: 1, "aria-label": t("import.title") });
        this.list = el("ul.import-list", { "aria-label": t("import.files"), tabindex: "0" });
        this.stopButton = el("button.push", { type: "button", onclick: () => this.#stop() }, t("import.stop"));
        this.retryButton = el("button.push.hidden", { type: "button", onclick: () => this.#pump(this.upload) }, t("import.resume"));
        this.reportButton = el("button.push.hidden", { type: "button", onclick: () => this.#showReport(this.ended) }, t("import.report"));
        this.node = el("section.import-panel.hidden", { "aria-label": t("import.title") },
            el("header.sheet-head", {}, this.heading, round("close", t("close"), () => this.node.classList.add("hidden"))),
            el("div.import-now", {}, this.summary, this.pace), this.bar, this.list, el("div.sheet-ends", {}, this.retryButton, this.reportButton, this.stopButton));
        this.veil = el("div.drop-veil.hidden", { "aria-hidden": "true" }, el("div.drop-text", {}, icon("import"), el("strong", {}, t("import.drop"))));
        this.nodes = [this.input, this.folderInput, this.node, this.veil];
    }

    #takeDrops() {
        let depth = 0;
        const isFiles = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
        addEventListener("dragenter", (event) => {
            if (!isFiles(event)) return;
            depth += 1;
            this.veil.classList.remove("hidden");
        });
        addEventListener("dragleave", (event) => {
            if (!isFiles(event)) return;
            depth -= 1;
            if (depth <= 0) this.veil.classList.add("hidden");
        });
        addEventListener("dragover", (event) => {
            if (!isFiles(event)) return;
            event.preventDefault();
            event.dataTransfer.dropEffect = "copy";
        });
        addEventListener("drop", async (event) => {
            if (!isFiles(event)) return;
            event.preventDefault();
            depth = 0;
            this.veil.classList.add("hidden");
            attempt(async () => this.send(await filesOf(event.dataTransfer)));
        });
    }

    chooseFiles() {
        this.input.click();
    }

    chooseFolder() {
        this.folderInput.click();
    }

    // MARK: Uploading

    /** Uploads files to the session that is still receiving files, or to a new one. */
    async send(files) {
        if (!files.length) return;
        this.node.classList.remove("hidden");
        if (this.session && !this.#isReceiving) {
            this.held.push(...files);
            for (const { path, file } of files) this.#newRow(path, file.size);
            return;
        }
        if (!this.session) {
            // Files that are added before the session is known belong to it.
            this.beginning ??= this.#begin(() => this.#interrupted(), { total: files.length }).finally(() => { this.beginning = null; });
            if (!await this.beginning) return;
        }
        const { upload } = this;
        if (!this.#isReceiving) {
            await this.send(files);
            return;
        }
        upload.add(files.map(({ path, file }) => ({ path, file, row: this.#row(path, file.size) })));
        this.#draw();
        this.#pump(upload);
    }

    get #isReceiving() {
        return Boolean(this.upload && !this.upload.isClosed);
    }

    // The session of a closed page is resumed; the server still has its uploaded chunks.
    async #interrupted() {
        try {
            const session = sessionStorage.getItem("import.session");
            const state = session && await get(importPath(session));
            return state?.state === "receiving" ? session : null;
        } catch {
            return null;
        }
    }

    async #begin(known, body) {
        const session = await known() ?? (await attempt(() => post("/api/imports", body)))?.session;
        if (!session) return false;
        this.session = session;
        this.folder = body.folder;
        this.upload = body.folder ? null : new Upload(session, {
            chunkSize: this.chunkSize, limit: this.uploadLimit, advanced: () => this.#draw(),
            failed: (row, error) => this.#show(row, { outcome: "failed", reason: error.message }),
        });
        if (this.upload) this.unfinished.add(this.upload);
        this.server = { state: body.folder ? "importing" : "receiving", dryRun: body.dryRun ?? false };
        try {
            sessionStorage.setItem("import.session", session);
        } catch {
            // Without storage, the import cannot be resumed after the page is closed.
        }
        this.rows.clear();
        this.list.replaceChildren();
        this.retryButton.classList.add("hidden");
        for (const { path, file } of this.held) this.#newRow(path, file.size);
        return true;
    }

    #row(path, size) {
        const known = this.rows.get(path);
        if (known) return known;
        const row = this.#newRow(path, size);
        this.rows.set(path, row);
        return row;
    }

    #newRow(path, size) {
        const row = {
            path, size, offset: 0, outcome: null,
            state: el("span.import-state", {}, t("import.waiting")),
            bar: el("progress", { max: Math.max(1, size), value: 0, "aria-label": path }),
        };
        row.node = el("li.import-row", {}, el("bdi.import-name", { title: path }, below(path, this.folder)), row.state, row.bar);
        this.list.append(row.node);
        return row;
    }

    // Sends the files of an upload, which continues if another import is displayed meanwhile.
    async #pump(upload) {
        if (!upload || upload.isSending) return;
        if (this.upload === upload) this.retryButton.classList.add("hidden");
        try {
            if (await upload.send()) await post(`${importPath(upload.session)}/finish`);
        } catch (error) {
            if (!this.unfinished.has(upload)) return;
            report(error);
            if (isInterruption(error)) {
                if (this.upload === upload) this.retryButton.classList.remove("hidden");
                // The server keeps the uploaded chunks, so the upload resumes where it stopped.
                setTimeout(() => { if (this.unfinished.has(upload)) this.#pump(upload); }, 4000);
                return;
            }
        }
        if (this.unfinished.delete(upload)) await this.#refresh(upload.session);
    }

    async #refresh(session) {
        try {
            this.#heard(await get(importPath(session)));
        } catch (error) {
            // A gallery that was restarted no longer knows the import.
            if (error.status === 404) this.#heard({ session, state: "failed", message: error.message });
            else report(error);
        }
    }

    /** Shows what the server says about a file. */
    #show(row, { outcome, reason, contents }) {
        if (outcome) {
            row.outcome = outcome;
            row.bar.remove();
            row.node.dataset.outcome = outcome;
            // The outcomes of the files in an archive say more than the one of the archive.
            row.state.textContent = contents && !reason ? "" : outcomeName(outcome, this.server.dryRun);
        }
        const texts = [reason, contents && countsText(contents)].filter(Boolean);
        row.node.querySelector(".import-reason")?.remove();
        if (texts.length) add(row.node, el("span.import-reason", {}, texts.join(" ")));
    }

    #heard(state) {
        if (state.session !== this.session) return;
        for (const file of state.files ?? []) {
            const row = this.#row(file.path, file.size ?? 0);
            if (file.outcome || file.contents) this.#show(row, file);
        }
        this.server = state;
        if (state.state === "done" || state.state === "failed") {
            this.session = null;
            this.upload = null;
            this.ended = state.session;
            if (state.message) report(new Error(state.message));
            // The result of a dry run is its report.
            else if (state.dryRun) this.#showReport(state.session);
            // An event contains only changed files; the full list has the outcome of every file.
            get(importPath(state.session)).then((all) => {
                if (this.session || this.ended !== state.session) return;
                for (const file of all.files ?? []) if (file.outcome) this.#show(this.#row(file.path, file.size ?? 0), file);
                this.#draw();
            }, () => {});
        }
        this.#draw();
        if (!this.session) this.send(this.held.splice(0));
    }

    #draw() {
        const { dryRun, fraction, rate, secondsLeft, unit } = this.server;
        const isDone = !this.session;
        const isReceiving = this.server.state === "receiving";
        const all = [...this.rows.values()];
        this.heading.textContent = t(dryRun ? "import.previewTitle" : "import.title");
        this.bar.classList.toggle("hidden", isDone);
        this.stopButton.classList.toggle("hidden", isDone);
        this.reportButton.classList.toggle("hidden", !isDone || !this.ended);
        const pace = [];
        if (isDone) {
            const counts = this.server.counts ?? {};
            this.summary.textContent = countsText(counts, dryRun) || t("import.nothing");
        } else if (isReceiving) {
            const sent = all.reduce((sum, row) => sum + (row.outcome ? row.size : row.offset), 0);
            const total = all.reduce((sum, row) => sum + row.size, 0);
            this.#advance(total ? sent / total : 0);
            const done = all.filter((row) => row.outcome || row.offset >= row.size).length;
            this.summary.textContent = t("import.sendingProgress", { done, n: all.length });
        } else {
            this.#advance(fraction ?? null);
            const values = { done: this.server.done ?? 0, n: this.server.total ?? 0 };
            this.summary.textContent = values.n === 0 ? t(dryRun ? "import.previewing" : "import.reading")
                : t(unit === "photos" ? "import.photosProgress" : "import.progress", values);
            if (rate) pace.push(t("import.rate", { size: bytes(rate) }));
            if (typeof secondsLeft === "number" && secondsLeft > 0) pace.push(t("import.left", { time: durationText(secondsLeft) }));
        }
        this.pace.textContent = pace.join(" · ");
    }

    /** Draws a part of the whole; null for a bar without an end. */
    #advance(share) {
        if (share === null) this.bar.removeAttribute("value");
        else this.bar.value = share;
    }

    async #stop() {
        const { session, upload } = this;
        upload?.stop();
        this.unfinished.delete(upload);
        this.held = [];
        this.session = null;
        this.upload = null;
        try {
            // Otherwise the next files would resume it if they are faster than the request.
            sessionStorage.removeItem("import.session");
        } catch {
            // Without storage, nothing is resumed.
        }
        if (session) await attempt(() => remove(importPath(session)));
        this.#draw();
    }

    // MARK: Folders of the gallery's computer

    async chooseMachineFolder() {
        const chosen = await chooseSource(this.chosen);
        if (!chosen) return;
        this.chosen = chosen;
        await this.#importFolder(chosen);
    }

    async #importFolder(request) {
        if (!await this.#begin(async () => null, request)) return;
        this.ended = null;
        this.node.classList.remove("hidden");
        this.#draw();
        await this.#refresh(this.session);
    }

    // MARK: Reports

    /** Shows the report of the last import. */
    showLastReport() {
        return this.#follow(showLastReport());
    }

    #showReport(session) {
        return this.#follow(showReport(session));
    }

    // The report of a dry run leads to the import, or back to its options.
    async #follow(shown) {
        const next = await shown;
        if (!next) return;
        this.chosen = next.request;
        if (next.begins) await this.#importFolder({ ...next.request, dryRun: false });
        else await this.chooseMachineFolder();
    }
}
