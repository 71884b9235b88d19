// Settings: app permissions, sessions, verification, storage, thumbnails and appearance.
import { add, el, fill, icon, isolated } from "./dom.js";
import { get, post, put, query, remove } from "./api.js";
import { ask, attempt, dialog, toast } from "./dialog.js";
import { live } from "./live.js";
import { drawUnpressed, latest } from "./redraw.js";
import { viewsOnly } from "./rights.js";
import { SessionList } from "./sessions.js";
import { bytes, chooseLanguage, has, language, languages, number, phrase, t } from "./text.js";

const choices = ["authorized", "limited", "denied", "notDetermined"];

/** Applies and stores the theme: dark, light or that of the system. */
export function applyTheme(theme = localStorage.getItem("theme") ?? "auto") {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
}

export class Settings {
    constructor({ state, sidebar, unlock, keys }) {
        this.state = state;
        this.sidebar = sidebar;
        this.unlock = unlock;
        this.keys = keys;
        this.node = el("div.settings", { tabindex: "-1" });
        this.parts = {
            access: el("div"), check: el("div"), storage: el("div"), renditions: el("div"),
        };
        this.sessions = new SessionList();
        live.on("access", () => this.isShown && this.#drawAccess());
        // Counts events, because an event that arrives during a request is newer than its answer.
        this.told = { check: 0, renditions: 0 };
        live.on("check", (detail) => {
            this.told.check += 1;
            if (this.isShown) this.#showCheck(detail);
        });
        live.on("renditions", (detail) => {
            this.told.renditions += 1;
            if (this.isShown) this.#showRenditions(detail);
        });
    }

    show() {
        this.isShown = true;
        if (viewsOnly()) {
            fill(this.node,
                this.#card("person", t("settings.sessions"), t("viewOnly.session"), this.sessions.node),
                this.#card("sun", t("settings.look"), null, this.#look()),
                this.#about());
            this.sessions.show();
            return;
        }
        fill(this.node,
            this.#card("program", t("settings.access"), t("settings.accessText"), this.parts.access),
            this.#card("person", t("settings.sessions"), t("settings.sessionsText"), this.sessions.node),
            this.#card("shield", t("settings.check"), t("settings.checkText"), this.parts.check),
            this.#card("disk", t("settings.storage"), this.state.libraryPath, this.parts.storage),
            this.#card("photos", t("settings.renditions"), t("settings.renditionsText"), this.parts.renditions),
            this.#card("sun", t("settings.look"), null, this.#look()),
            this.#about());
        this.#drawAccess();
        this.sessions.show();
        this.#newest("check", () => get("/api/check"), (check) => this.#showCheck(check));
        this.#drawStorage();
        this.#newest("renditions", () => get("/api/renditions"), (status) => this.#showRenditions(status));
    }

    #about() {
        return el("p.soft.about", {}, t("settings.about", { version: this.state.version }));
    }

    hide() {
        this.isShown = false;
        this.sessions.hide();
    }

    #newest(kind, ask, show) {
        return attempt(async () => {
            const before = this.told[kind];
            const answer = await ask();
            if (answer && this.told[kind] === before) show(answer);
        });
    }

    #card(name, title, text, body) {
        return el("section.card", {}, el("header.card-head", {}, icon(name), el("div", {}, el("h2", {}, title), text && el("p.soft", {}, isolated(text)))), body);
    }

    // MARK: Permissions

    #drawAccess = latest(() => get("/api/access"), (answer) => {
        // Redraws only if something changed, so that controls in use are not replaced.
        const text = JSON.stringify(answer);
        if (this.access === text && this.parts.access.childElementCount) return;
        this.access = text;
        const held = document.activeElement?.dataset?.access && [document.activeElement.dataset.program, document.activeElement.dataset.access];
        const saveChoice = (program, values, choice) => attempt(async () => {
            try {
                await put("/api/access", { program: program.id, ...values });
                toast(phrase("did.access", { name: program.name, choice }));
            } finally {
                this.access = null;
                this.#drawAccess();
            }
        });
        const choose = (program, key) => {
            const select = el("select", {
                "aria-label": `${program.name}: ${t(`settings.${key}`)}`, "data-program": program.id, "data-access": key,
                onchange: async () => {
                    const choice = t(`access.${select.value}`);
                    if (select.value !== "limited") {
                        saveChoice(program, { [key]: select.value }, choice);
                        return;
                    }
                    const ids = await this.#choosePhotos(program);
                    if (ids) saveChoice(program, { readWrite: "limited", ids }, choice);
                    else select.value = program[key];
                },
            }, choices.filter((choice) => key === "readWrite" || choice !== "limited" || program[key] === "limited")
                .map((choice) => el("option", { value: choice }, t(`access.${choice}`))));
            if (!choices.includes(program[key]) && program[key]) add(select, el("option", { value: program[key] }, has(`access.${program[key]}`) ? t(`access.${program[key]}`) : program[key]));
            select.value = program[key] ?? "notDetermined";
            return el("label.access-choice", {}, el("span", {}, t(`settings.${key}`)), select);
        };
        const hidden = (program) => {
            const box = el("input", {
                type: "checkbox", checked: program.includesHidden, "data-program": program.id, "data-access": "includesHidden",
                onchange: async () => {
                    if (box.checked && !await this.unlock()) box.checked = false;
                    else saveChoice(program, { includesHidden: box.checked }, t(box.checked ? "access.hidden" : "access.notHidden"));
                },
            });
            return el("label.access-hidden", {}, box, el("span", {}, t("access.hidden")));
        };
        const seesSome = (program) => program.readWrite === "authorized" || program.readWrite === "limited";
        drawUnpressed(this.parts.access, () => {
            fill(this.parts.access, answer.programs.length === 0 ? el("p.soft", {}, t("settings.noPrograms"))
                : el("div.programs", {}, answer.programs.map((program) => el("div.program", {},
                    el("div.program-name", {}, el("strong", {}, isolated(program.name)), program.name !== program.id && el("div.code.soft", {}, isolated(program.id)),
                        program.readWrite === "limited" && el("div.soft", {}, t("access.sees", { n: program.selectedAssetCount })),
                        seesSome(program) && hidden(program)),
                    choose(program, "readWrite"), choose(program, "addOnly")))));
            if (held) this.parts.access.querySelector(`[data-program="${CSS.escape(held[0])}"][data-access="${held[1]}"]`)?.focus();
        });
    });

    // Selects the photos of a program with limited access: the favorites, an album, or none for
    // now.
    async #choosePhotos(program) {
        const places = [
            { source: null, name: "hidden", title: t("access.none") },
            { source: "favorites", name: "heart", title: t("source.favorites") },
            ...this.sidebar.albums().map(({ id, title }) => ({ source: `album/${id}`, name: "album", title })),
        ];
        const place = await dialog(phrase("access.choose", { name: program.name }), (close) => el("div.sheet-body.choices", {},
            places.map((one) => el("button.choice", { type: "button", onclick: () => close(one) }, icon(one.name), el("bdi", {}, one.title)))));
        if (!place) return null;
        if (!place.source) return [];
        return attempt(async () => {
            const { snapshot, count } = await get("/api/timeline" + query({ source: place.source }));
            const ids = [];
            for (let from = 0; from < count; from += 10_000) ids.push(...(await get("/api/ids" + query({ snapshot, from, to: Math.min(count, from + 10_000) }))).ids);
            // An asset that was deleted or hidden meanwhile has no identifier.
            return ids.filter(Boolean);
        });
    }

    // MARK: Verification

    #showCheck(check) {
        const full = el("input", { type: "checkbox", id: "check-full" });
        const run = (repair) => this.#newest("check", () => post("/api/check", { full: full.checked, repair }), (answer) => this.#showCheck(answer));
        const findings = check.findings ?? [];
        const progress = typeof check.progress === "number" ? check.progress : check.progress?.total ? check.progress.done / check.progress.total : null;
        drawUnpressed(this.parts.check, () => fill(this.parts.check,
            check.running ? el("div.run", {}, el("progress", { "aria-label": t("settings.check"), ...(progress === null ? {} : { value: progress, max: 1 }) }),
                el("button.push", { type: "button", onclick: () => attempt(() => remove("/api/check")) }, t("import.stop")))
                : el("div.run", {},
                    el("button.primary", { type: "button", "data-run": "check", onclick: () => run(false) }, t("settings.checkNow")),
                    findings.some((finding) => !finding.repaired) && el("button.push", { type: "button", onclick: () => run(true) }, t("settings.repair")),
                    el("span.check-option", {}, full, el("label", { for: "check-full" }, t("settings.checkFull")))),
            !check.running && (check.finished || findings.length > 0) && el("p.verdict", { role: "status", "data-damages": String(check.damages ?? 0) },
                check.damages ? t("settings.damages", { n: check.damages }) : t("settings.whole")),
            check.message && el("p.problem", { role: "alert" }, check.message),
            findings.length > 0 && el("ul.findings", {}, findings.map((finding) => el(`li.finding.${finding.severity === "damage" ? "damage" : "remark"}`, {},
                el("strong", {}, t(`severity.${finding.severity === "damage" ? "damage" : "note"}`)), " ", isolated(finding.message ?? finding.text ?? ""),
                finding.path && el("div.code.soft", {}, isolated(finding.path)), finding.advice && el("div.soft", {}, finding.advice),
                finding.repaired && el("div.good", {}, t("settings.repaired")))))));
    }

    // MARK: Storage and renditions

    #drawStorage = latest(() => get("/api/storage"), (storage) => {
        const parts = ["originals", "edits", "renditions", "database", "staging"].filter((key) => storage[key] !== undefined && storage[key] !== null);
        const total = parts.reduce((sum, key) => sum + storage[key], 0);
        const bar = el("div.storage-bar", { "aria-hidden": "true" }, parts.map((key) => {
            const part = el(`span.part-${key}`);
            part.style.flexGrow = String(storage[key] / Math.max(1, total));
            return part;
        }));
        fill(this.parts.storage, bar, el("dl.facts.storage", {}, parts.flatMap((key) => [
            el("dt", {}, el(`span.dot.part-${key}`, { "aria-hidden": "true" }), t(`storage.${key}`)), el("dd", {}, bytes(storage[key]))]),
        el("dt", {}, t("storage.total")), el("dd", {}, bytes(total)),
        storage.free !== undefined && storage.free !== null && [el("dt", {}, t("storage.free")), el("dd", {}, bytes(storage.free))],
        storage.counts?.assets !== undefined && [el("dt", {}, t("storage.assets")), el("dd", {}, number(storage.counts.assets))]));
    });

    #showRenditions(status) {
        const run = async (action) => {
            await this.#newest("renditions", () => post("/api/renditions", { action }), (answer) => this.#showRenditions(answer));
            this.#drawStorage();
        };
        const drop = async () => {
            if (await ask(t("settings.drop"), t("settings.dropText"), t("settings.drop"), { danger: true })) run("drop");
        };
        drawUnpressed(this.parts.renditions, () => fill(this.parts.renditions,
            el("p", { role: "status" }, t("settings.renditionsCount", { made: status.made ?? status.built ?? 0, n: status.missing ?? 0 })),
            status.running && el("progress", { "aria-label": t("settings.renditions"), ...(status.total ? { value: status.done ?? 0, max: status.total } : {}) }),
            el("div.run", {}, status.running
                ? el("button.push", { type: "button", onclick: () => run("stop") }, t("import.stop"))
                : el("button.primary", { type: "button", onclick: () => run("build"), disabled: status.missing === 0 }, t("settings.build")),
            el("button.push.danger", { type: "button", onclick: drop }, t("settings.drop")))));
    }

    // MARK: Appearance

    #look() {
        const theme = el("select", { id: "theme", onchange: () => applyTheme(theme.value) },
            ["auto", "light", "dark"].map((name) => el("option", { value: name }, t(`theme.${name}`))));
        theme.value = localStorage.getItem("theme") ?? "auto";
        const words = el("select", { id: "language", onchange: () => chooseLanguage(words.value) },
            Object.entries(languages).map(([name, title]) => el("option", { value: name, lang: name }, title)));
        words.value = language();
        return el("div.look", {}, el("label", { for: "theme" }, t("settings.theme")), theme, el("label", { for: "language" }, t("settings.language")), words,
            el("button.push", { type: "button", onclick: () => this.keys() }, icon("keyboard"), t("keys.title")));
    }
}
