// The report of an import: its files with outcomes and remarks, totals, and a download.
import { add, el, fill, icon, isolated } from "./dom.js";
import { ask, get, query } from "./api.js";
import { attempt, dialog, toast } from "./dialog.js";
import { has, number, t } from "./text.js";

const order = ["imported", "paired", "duplicate", "skipped", "unsupported", "missing", "failed"];
const pageSize = 200;

/** A path relative to the folder of the import, if it is known and has the path. */
export const below = (path, folder) => folder && path.startsWith(folder.replace(/\/?$/, "/")) ? path.slice(folder.replace(/\/?$/, "/").length) : path;

/** The name of an outcome, or of the one that an import would have. */
export function outcomeName(outcome, isPlanned = false) {
    const key = [isPlanned && `planned.${outcome}`, `outcome.${outcome}`].find((one) => one && has(one));
    return key ? t(key) : outcome;
}

const sorted = (counts) => Object.keys(counts).sort((one, other) => order.indexOf(one) - order.indexOf(other));

/** The numbers of outcomes as text; empty without any. */
export const countsText = (counts, isPlanned = false) => sorted(counts)
    .map((outcome) => `${number(counts[outcome])} ${outcomeName(outcome, isPlanned)}`).join(" · ");

/** Shows the report of the last import that began; resolves like `showReport`. */
export function showLastReport() {
    return attempt(async () => {
        const { imports } = await get("/api/imports");
        const last = imports.find((one) => one.state !== "receiving");
        if (last) return showReport(last.session);
        toast(t("import.noReport"));
        return null;
    });
}

/**
 * Shows the report of an import.
 *
 * Resolves with `{request, begins}` if the user wants to begin the import that was planned, or to
 * change its options.
 */
export function showReport(session) {
    const path = `/api/imports/${encodeURIComponent(session)}`;
    return attempt(async () => {
        const first = await get(`${path}/items` + query({ count: pageSize }));
        const title = t(first.dryRun ? "import.previewTitle" : "import.reportTitle");
        return dialog(title, (close) => new Report(path, first, title, close).node, { wide: true, kind: "import-report" });
    });
}

class Report {
    constructor(path, first, title, close) {
        this.path = path;
        this.isPlanned = first.dryRun;
        this.folder = first.request?.folder;
        this.outcome = "";
        this.shown = 0;
        this.asked = 0;
        this.totals = el("p.report-totals", { role: "status" });
        this.notes = el("ul.report-notes.hidden", { tabindex: "0", "aria-label": t("import.reportReason") });
        this.filters = el("div.report-filters", { role: "group", "aria-label": t("import.reportFilter") });
        this.rows = el("tbody");
        this.more = el("button.push.hidden", { type: "button", onclick: () => this.#load() }, t("import.reportMore"));
        const head = el("thead", {}, el("tr", {},
            ["import.reportFile", "import.reportOutcome", "import.reportReason"].map((key) => el("th", { scope: "col" }, t(key)))));
        const table = el("table.report-table", {}, el("caption.quiet", {}, title), head, this.rows);
        const follow = (begins) => close({ request: first.request, begins });
        const next = this.isPlanned && first.request && [
            el("button.push", { type: "button", onclick: () => follow(false) }, t("import.changeOptions")),
            el("button.primary", { type: "button", onclick: () => follow(true) }, t("import.title"))];
        this.node = el("div.sheet-body.report-body", {},
            this.isPlanned && el("p.report-planned", {}, icon("info"), t("import.previewText")),
            this.totals, this.notes, this.filters,
            el("div.report-scroll", { tabindex: "0", role: "region", "aria-label": t("import.files") }, table, this.more),
            el("div.sheet-ends", {}, el("button.push", { type: "button", onclick: () => attempt(() => this.#download()) }, t("import.reportDownload")), next || null));
        this.#draw(first);
    }

    #choose(outcome) {
        this.outcome = outcome;
        this.shown = 0;
        this.rows.replaceChildren();
        return this.#load();
    }

    #load() {
        const mine = this.asked += 1;
        return attempt(async () => {
            const part = await get(`${this.path}/items` + query({ outcome: this.outcome || null, from: this.shown, count: pageSize }));
            // Another filter was chosen meanwhile.
            if (mine !== this.asked) return;
            this.#draw(part);
        });
    }

    #draw(part) {
        const known = sorted(part.counts);
        const words = countsText(part.counts, this.isPlanned);
        const whole = t("import.reportTotal", { n: part.total });
        fill(this.totals, words ? `${whole}: ${words}` : whole,
            part.state === "importing" && ` ${t("import.reportRunning")}`,
            part.unlisted > 0 && ` ${t("import.reportUnlisted", { n: part.unlisted })}`);
        const notes = [part.message, ...part.notes.map((note) => note.text)].filter(Boolean);
        fill(this.notes, notes.map((text) => el("li", {}, isolated(text))));
        this.notes.classList.toggle("hidden", !notes.length);
        // The pressed button keeps the focus when the buttons are drawn again.
        const held = this.filters.contains(document.activeElement);
        fill(this.filters, ["", ...known].map((outcome) => el("button.push.report-filter", {
            type: "button", "aria-pressed": String(outcome === this.outcome), "data-outcome": outcome,
            onclick: () => this.#choose(outcome),
        }, `${outcome ? outcomeName(outcome, this.isPlanned) : t("import.reportAll")} (${number(outcome ? part.counts[outcome] : part.total)})`)));
        if (held) this.filters.querySelector('[aria-pressed="true"]')?.focus();
        const first = this.rows.childElementCount;
        for (const item of part.items) add(this.rows, this.#row(item));
        this.shown += part.items.length;
        const isHeld = document.activeElement === this.more;
        this.more.classList.toggle("hidden", this.shown >= part.matching);
        if (isHeld && this.shown >= part.matching) this.more.parentElement.focus();
        if (!first) this.more.parentElement.scrollTop = 0;
    }

    #row(item) {
        const path = item.path && below(item.path, this.folder);
        const place = item.volume?.path && t("import.reportOnVolume", { path: item.volume.path, volume: item.volume.name });
        const name = item.isHidden ? t("import.reportHidden") : path ?? place ?? item.item ?? "";
        const inner = item.item && path && !path.includes(item.item) ? el("span.report-item", {}, isolated(item.item)) : null;
        // Without a path, no folder was given for the volume.
        const advice = item.volume && !path && t("import.reportVolumeAbsent", { volume: item.volume.name });
        const texts = [advice || item.reason, ...item.notes.map((note) => note.text)].filter((text, index, all) => text && all.indexOf(text) === index);
        return el("tr", { "data-outcome": item.outcome },
            el("th", { scope: "row" }, isolated(name), inner),
            el("td.report-outcome", {}, outcomeName(item.outcome, this.isPlanned)),
            el("td", {}, texts.map((text) => el("p", {}, isolated(text)))));
    }

    // A link could not carry the page's secret.
    async #download() {
        const answer = await ask(`${this.path}/report`);
        if (!answer.ok) throw new Error(answer.statusText);
        const url = URL.createObjectURL(await answer.blob());
        el("a", { href: url, download: "import-report.jsonl" }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
}
