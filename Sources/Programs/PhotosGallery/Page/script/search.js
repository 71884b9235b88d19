// Search. Words and the fields of the advanced search become a predicate, which is displayed and
// can be edited.
import { el, fill, icon, isolated, round } from "./dom.js";
import { get, query } from "./api.js";
import { attempt } from "./dialog.js";
import { has, number, t } from "./text.js";

const subtypes = { panorama: 1, hdr: 2, screenshot: 4, live: 8, portrait: 16, slomo: 1 << 17, timelapse: 1 << 18 };

const dayAfter = (day) => new Date(Date.parse(day + "T12:00:00Z") + 86_400_000).toISOString().slice(0, 10);

/** The predicate of the advanced search's fields, or null. */
export function built({ kind, favorite, from, to }) {
    const parts = [];
    if (kind === "image") parts.push("mediaType == 1");
    else if (kind === "video") parts.push("mediaType == 2");
    else if (subtypes[kind]) parts.push(`(mediaSubtypes & ${subtypes[kind]}) != 0`);
    if (favorite) parts.push("favorite == YES");
    if (from) parts.push(`creationDate >= CAST('${from}', 'NSDate')`);
    if (to) parts.push(`creationDate < CAST('${dayAfter(to)}', 'NSDate')`);
    return parts.length ? parts.join(" AND ") : null;
}

export class Search {
    /**
     * @param run shows the results of a predicate: `run(predicate, text)`, null for none
     * @param leave moves the focus to the results
     */
    constructor(run, leave) {
        this.run = run;
        this.leave = leave;
        this.fields = {};
        this.input = el("input.search-input", {
            type: "search", placeholder: t("search.placeholder"), "aria-label": t("search.label"), autocomplete: "off", spellcheck: "false",
            "aria-expanded": "false", "aria-controls": "search-panel", role: "combobox",
        });
        this.predicate = el("textarea.code.search-predicate", { rows: 2, spellcheck: "false", id: "search-predicate", "aria-describedby": "search-problem" });
        this.problem = el("p.problem", { id: "search-problem", role: "alert" });
        this.terms = el("div.chips");
        this.panel = el("div.search-panel.hidden", { id: "search-panel", role: "group", "aria-label": t("search.builder") });
        this.box = el("div.search-box", { role: "search" }, icon("search"), this.input, round("down", t("search.builder"), () => this.#toggle(), { class: "round search-more" }));
        this.node = el("div.search", {}, this.box, this.panel);
        this.input.addEventListener("input", () => {
            clearTimeout(this.wait);
            this.wait = setTimeout(() => this.#text(), 220);
        });
        this.input.addEventListener("keydown", (event) => {
            event.stopPropagation();
            if (event.key === "Enter") {
                clearTimeout(this.wait);
                this.#text();
                this.input.blur();
                this.leave();
            } else if (event.key === "Escape") {
                if (!this.panel.classList.contains("hidden")) this.#toggle(false);
                else this.clear();
            } else if (event.key === "ArrowDown") this.#toggle(true);
        });
        this.panel.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            this.#toggle(false);
            this.input.focus();
        });
        addEventListener("pointerdown", (event) => { if (!this.node.contains(event.target)) this.#toggle(false); });
        this.#build();
    }

    get text() {
        return this.input.value;
    }

    /** Shows a search without running it again. */
    set({ text = "", predicate = null }) {
        if (document.activeElement !== this.input) this.input.value = text;
        this.predicate.value = predicate ?? "";
        this.node.classList.toggle("active", Boolean(predicate));
        if (!predicate) {
            this.problem.textContent = "";
            fill(this.terms);
        }
    }

    clear() {
        this.input.value = "";
        this.form.reset();
        this.set({});
        this.run(null, "");
    }

    /** Shows why a predicate was rejected. */
    refuse(error) {
        this.problem.textContent = error.message;
        this.#toggle(true);
    }

    #toggle(open = this.panel.classList.contains("hidden")) {
        this.panel.classList.toggle("hidden", !open);
        this.input.setAttribute("aria-expanded", String(open));
        if (open && !this.facets) this.#loadFacets();
    }

    #build() {
        const labelled = (key, input) => el("label.search-field", {}, el("span", {}, t(`search.${key}`)), input);
        const kind = el("select", { name: "kind" }, ["", "image", "video", ...Object.keys(subtypes)].map((name) => el("option", { value: name }, t(`search.kind.${name || "any"}`))));
        this.year = el("select", { name: "year" }, el("option", { value: "" }, t("search.kind.any")));
        // Filled from the library when the panel first opens.
        this.places = Object.fromEntries(["camera", "place"].map((key) => [key, el("select", { name: key }, el("option", { value: "" }, t("search.kind.any")))]));
        this.form = el("form.search-form", { onsubmit: (event) => event.preventDefault(), onchange: () => this.#fields() },
            labelled("kindLabel", kind),
            labelled("year", this.year),
            ...Object.entries(this.places).map(([key, select]) => labelled(key, select)),
            labelled("from", el("input", { type: "date", name: "from" })),
            labelled("to", el("input", { type: "date", name: "to" })),
            el("label.search-check", {}, el("input", { type: "checkbox", name: "favorite" }), el("span", {}, t("search.favorite"))));
        const own = el("form.search-own", {
            onsubmit: (event) => { event.preventDefault(); this.run(this.predicate.value.trim() || null, this.input.value); },
        }, el("label", { for: "search-predicate" }, t("search.predicate")), this.predicate, this.problem,
        el("div.sheet-ends", {}, el("button.push", { type: "button", onclick: () => this.clear() }, t("search.clear")),
            el("button.primary", { type: "submit" }, t("search.run"))));
        this.predicate.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && !event.shiftKey) {
                event.preventDefault();
                own.requestSubmit();
            }
        });
        fill(this.panel, this.terms, this.form, own);
    }

    async #loadFacets() {
        const facets = this.facets = await attempt(() => get("/api/search/facets"));
        if (!facets) return;
        for (const [key, list] of [["camera", facets.cameras], ["place", facets.places]]) {
            this.places[key].closest("label").classList.toggle("hidden", !list?.length);
            for (const { name, predicate, count } of list ?? []) this.places[key].append(el("option", { value: predicate }, count === undefined ? name : `${name} (${number(count)})`));
        }
        for (const entry of facets.years ?? []) {
            const year = entry.year ?? entry;
            this.year.append(el("option", { value: String(year) }, String(year) + (entry.count === undefined ? "" : ` (${number(entry.count)})`)));
        }
    }

    #toPredicate(text) {
        return get("/api/search" + query({ text }));
    }

    async #text() {
        const own = this.asked = {};
        const text = this.input.value.trim();
        if (!text && !this.#isBuilt()) {
            this.clear();
            return;
        }
        const predicate = await this.#whole(text);
        if (this.asked === own) this.#use(predicate, text);
    }

    #isBuilt = () => [...new FormData(this.form).values()].some(Boolean);

    async #fields() {
        const own = this.asked = {};
        const text = this.input.value.trim();
        const predicate = await this.#whole(text);
        if (this.asked === own) this.#use(predicate, text);
    }

    #use(predicate, text) {
        this.problem.textContent = "";
        this.predicate.value = predicate ?? "";
        this.run(predicate, text);
    }

    // The conjunction of the words and the fields.
    async #whole(text) {
        const values = Object.fromEntries(new FormData(this.form));
        const parts = [];
        const terms = [];
        const words = async (what) => {
            const answer = await attempt(() => this.#toPredicate(what));
            if (answer?.predicate) parts.push(answer.predicate);
            terms.push(...(answer?.terms ?? []));
        };
        if (text) await words(text);
        let { from, to } = values;
        if (values.year) {
            from ||= `${values.year}-01-01`;
            to ||= `${values.year}-12-31`;
        }
        const rest = built({ kind: values.kind, favorite: values.favorite, from, to });
        if (rest) parts.push(rest);
        for (const key of ["camera", "place"]) if (values[key]) parts.push(values[key]);
        fill(this.terms, terms.map((term) => el("span.chip", { title: term.predicate ?? "" }, has("term." + term.kind) ? t("term." + term.kind) + ": " : "", isolated(term.text))));
        if (parts.length === 0) return null;
        return parts.length === 1 ? parts[0] : parts.map((part) => `(${part})`).join(" AND ");
    }
}
