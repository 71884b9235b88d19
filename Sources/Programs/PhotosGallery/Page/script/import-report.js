// The report of an import: its files with outcomes and remarks, totals, and a download.
import { add, el, fill, isolated } from "./dom.js";
import { ask, get, query } from "./api.js";
import { attempt, dialog, toast } from "./dialog.js";
import { has, number, t } from "./text.js";

const order = ["imported", "paired", "duplicate", "skipped", "unsupported", "missing", "failed"];
const pageSize = 200;

const outcomeName = (outcome) => has(`outcome.${outcome}`) ? t(`outcome.${outcome}`) : outcome;

/** Shows the report of the last import that began. */
export function showLastReport() {
    return attempt(async () => {
        const { imports } = await get("/api/imports");
        const last = imports.find((one) => one.state !== "receiving");
        if (last) await showReport(last.session);
        else toast(t("import.noReport"));
    });
}

/** Shows the report of an import. */
export function showReport(session) {
    const path = `/api/imports/${encodeURIComponent(session)}`;
    return dialog(t("import.reportTitle"), () => new Report(path).node, { wide: true, kind: "import-report" });
}

class Report {
    constructor(path) {
        this.path = path;
        this.outcome = "";
        this.shown = 0;
        this.asked = 0;
        this.totals = el("p.report-totals", { role: "status" });
        this.notes = el("ul.report-notes.hidden");
        this.filters = el("div.report-filters", { role: "group", "aria-label": t("import.reportFilter") });
        this.rows = el("tbody");
        this.more = el("button.push.hidden", { type: "button", onclick: () => this.#load() }, t("import.reportMore"));
        const head = el("thead", {}, el("tr", {},
            ["import.reportFile", "import.reportOutcome", "import.reportReason"].map((key) => el("th", { scope: "col" }, t(key)))));
        const table = el("table.report-table", {}, el("caption.quiet", {}, t("import.reportTitle")), head, this.rows);
        this.node = el("div.sheet-body.report-body", {}, this.totals, this.notes, this.filters,
            el("div.report-scroll", { tabindex: "0", role: "region", "aria-label": t("import.files") }, table, this.more),
            el("div.sheet-ends", {}, el("button.push", { type: "button", onclick: () => attempt(() => this.#download()) }, t("import.reportDownload"))));
        this.#choose("");
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
        const known = Object.keys(part.counts).sort((one, other) => order.indexOf(one) - order.indexOf(other));
        const words = known.map((outcome) => `${number(part.counts[outcome])} ${outcomeName(outcome)}`);
        const whole = t("import.reportTotal", { n: part.total });
        fill(this.totals, words.length ? `${whole}: ${words.join(" · ")}` : whole,
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
        }, `${outcome ? outcomeName(outcome) : t("import.reportAll")} (${number(outcome ? part.counts[outcome] : part.total)})`)));
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
        const name = item.isHidden ? t("import.reportHidden") : item.path ?? item.item ?? "";
        const inner = item.item && item.path && !item.path.endsWith(item.item) ? el("span.report-item", {}, isolated(item.item)) : null;
        const texts = [item.reason, ...item.notes.map((note) => note.text)].filter((text, index, all) => text && all.indexOf(text) === index);
        return el("tr", { "data-outcome": item.outcome },
            el("th", { scope: "row" }, isolated(name), inner),
            el("td.report-outcome", {}, outcomeName(item.outcome)),
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
