// Import: dropped or chosen files, folders and archives, uploaded in chunks that survive an
// interruption, and folders and libraries of the computer on which the gallery runs.
import { add, el, icon, round } from "./dom.js";
import { get, post, putBytes, RequestError, remove } from "./api.js";
import { attempt, report } from "./dialog.js";
import { chooseSource } from "./import-source.js";
import { below, countsText, outcomeName, showLastReport, showReport } from "./import-report.js";
import { live } from "./live.js";
import { viewsOnly } from "./rights.js";
import { bytes, durationText, t } from "./text.js";

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
        this.queue = [];
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
        addEventListener("beforeunload", (event) => { if (this.isSending) event.preventDefault(); });
    }

    #build() {
        this.heading = el("h2", {}, t("import.title"));
        this.summary = el("span.import-summary", { role: "status" });
        this.pace = el("span.import-pace");
        this.bar = el("progress", { max: 1, "aria-label": t("import.title") });
        this.list = el("ul.import-list", { "aria-label": t("import.files"), tabindex: "0" });
        this.stopButton = el("button.push", { type: "button", onclick: () => this.#stop() }, t("import.stop"));
        this.retryButton = el("button.push.hidden", { type: "button", onclick: () => this.#pump() }, t("import.resume"));
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
        if (!this.session && !await this.#begin(() => this.#interrupted(), { total: files.length })) return;
        for (const { path, file } of files) {
            const row = this.#row(path, file.size);
            this.queue.push({ path, file, row });
        }
        this.#draw();
        this.#pump();
    }

    // The session of a closed page is resumed; the server still has its uploaded chunks.
    async #interrupted() {
        try {
            const session = sessionStorage.getItem("import.session");
            const state = session && await get(`/api/imports/${encodeURIComponent(session)}`);
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
        this.server = { state: body.folder ? "importing" : "receiving", dryRun: body.dryRun ?? false };
        try {
            sessionStorage.setItem("import.session", session);
        } catch {
            // Without storage, the import cannot be resumed after the page is closed.
        }
        this.rows.clear();
        this.list.replaceChildren();
        this.queue = [];
        return true;
    }

    #row(path, size) {
        const known = this.rows.get(path);
        if (known) return known;
        const row = {
            path, size, offset: 0, outcome: null,
            state: el("span.import-state", {}, t("import.waiting")),
            bar: el("progress", { max: Math.max(1, size), value: 0, "aria-label": path }),
        };
        row.node = el("li.import-row", {}, el("bdi.import-name", { title: path }, below(path, this.folder)), row.state, row.bar);
        this.rows.set(path, row);
        this.list.append(row.node);
        return row;
    }

    async #pump() {
        if (this.isSending) return;
        this.isSending = true;
        this.retryButton.classList.add("hidden");
        let broken = null;
        while (this.queue.length && this.session) {
            const entry = this.queue[0];
            try {
                await this.#sendOne(entry);
                this.queue.shift();
            } catch (error) {
                if (error instanceof RequestError && (error.status === 0 || error.status >= 500)) {
                    broken = error;
                    break;
                }
                this.#show(entry.row, { outcome: "failed", reason: error.message });
                this.queue.shift();
            }
            this.#draw();
        }
        this.isSending = false;
        if (broken) {
            report(broken);
            this.retryButton.classList.remove("hidden");
            // The server keeps the uploaded chunks, so the upload resumes where it stopped.
            setTimeout(() => { if (this.queue.length) this.#pump(); }, 4000);
        } else if (this.session) {
            const session = this.session;
            await attempt(() => post(`/api/imports/${encodeURIComponent(session)}/finish`));
            const state = await attempt(() => get(`/api/imports/${encodeURIComponent(session)}`));
            if (state) this.#heard(state);
        }
    }

    async #sendOne({ path, file, row }) {
        if (this.uploadLimit && file.size > this.uploadLimit) throw new RequestError(413, "tooLarge", t("import.tooLarge", { size: bytes(this.uploadLimit) }));
        const root = `/api/imports/${encodeURIComponent(this.session)}/files`;
        const known = await post(root, { path, size: file.size, modified: file.lastModified });
        let { offset } = known;
        row.file = known.file;
        row.state.textContent = t("import.sending");
        let first = true;
        while (offset < file.size || (first && file.size === 0)) {
            first = false;
            const piece = file.slice(offset, offset + this.chunkSize);
            let content;
            try {
                content = await piece.arrayBuffer();
            } catch {
                throw new RequestError(400, "unreadable", t("import.unreadable"));
            }
            const answer = await putBytes(`${root}/${known.file}?offset=${offset}`, content);
            offset = Math.max(answer.offset, offset + (file.size ? 1 : 0));
            row.offset = offset;
            row.bar.value = offset;
            this.#draw();
            if (!this.session) return;
        }
        row.bar.value = row.size || 1;
        if (!row.outcome) row.state.textContent = t("import.sent");
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
            this.ended = state.session;
            if (state.message) report(new Error(state.message));
            // The result of a dry run is its report.
            else if (state.dryRun) this.#showReport(state.session);
            // An event contains only changed files; the full list has the outcome of every file.
            get(`/api/imports/${encodeURIComponent(state.session)}`).then((all) => {
                for (const file of all.files ?? []) if (file.outcome) this.#show(this.#row(file.path, file.size ?? 0), file);
                this.#draw();
            }, () => {});
        }
        this.#draw();
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
        const { session } = this;
        this.queue = [];
        this.session = null;
        if (session) await attempt(() => remove(`/api/imports/${encodeURIComponent(session)}`));
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
        const state = await attempt(() => get(`/api/imports/${encodeURIComponent(this.session)}`));
        if (state) this.#heard(state);
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
