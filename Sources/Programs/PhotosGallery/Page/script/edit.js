// The editor. An edit is a recipe, which the server renders; only saving changes the library.
import { el, fill, icon, isolated, photo, round } from "./dom.js";
import { ask as asPage, assetPath, get, pictureURL, previewURL, put, query, remove } from "./api.js";
import { ask, attempt, tabs, toast } from "./dialog.js";
import { inTurn, recordUndo } from "./changes.js";
import { CropFrame } from "./crop.js";
import { isSame, mirrored, neat, sliders, turned } from "./recipe.js";
import { shortcutKey } from "./shortcut.js";
import { number, t } from "./text.js";

const ratios = [["free", null], ["original", "own"], ["1:1", 1], ["4:3", 4 / 3], ["3:2", 3 / 2], ["16:9", 16 / 9], ["3:4", 3 / 4], ["9:16", 9 / 16]];
const screenSize = () => Math.max(innerWidth, innerHeight) * Math.min(2, devicePixelRatio || 1) > 1300 ? 1600 : 1024;

export class Editor {
    constructor({ effects }) {
        this.effects = effects;
    }

    get isOpen() {
        return Boolean(this.node?.open);
    }

    /** Opens the editor for an asset unless it is open already; resolves when it is closed. */
    async open(asset) {
        if (this.isOpening || this.isOpen) return;
        this.isOpening = true;
        let state;
        try {
            // After the changes that are not answered yet, such as a rotation, which is an edit, too.
            state = await inTurn(() => get(assetPath(asset.id) + "/edit"));
        } finally {
            this.isOpening = false;
        }
        if (!state) return;
        if (!state.editable) {
            toast(state.reason ?? t("edit.refused"), { bad: true });
            return;
        }
        this.asset = { ...asset, version: state.version, adjusted: asset.adjusted || state.formatIdentifier !== null };
        this.stored = neat(state.recipe ?? {});
        this.recipe = structuredClone(this.stored);
        this.foreign = this.asset.adjusted && !state.recipe;
        this.past = [];
        this.tab = "light";
        await this.#run();
    }

    #run() {
        return new Promise((resolve) => {
            this.image = el("img.edit-image", { alt: t("edit.preview") });
            this.holder = el("div.edit-holder", {}, this.image);
            this.crop = new CropFrame((crop) => this.#set({ crop }));
            this.busy = el("progress.edit-busy.hidden", { "aria-label": t("loading") });
            this.panel = el("div.edit-panel-body");
            this.saveButton = el("button.primary", { type: "button", onclick: () => this.#save() }, t("save"));
            this.revertButton = el("button.push.danger", { type: "button", onclick: () => this.#revert() }, t("edit.revert"));
            this.undoButton = round("undo", t("undo"), () => this.#back());
            this.beforeButton = el("button.push", { type: "button", "aria-pressed": "false", title: t("edit.beforeHint") }, icon("compare"), t("edit.before"));
            this.#holdToCompare(this.beforeButton);
            this.close = async () => {
                if (!isSame(this.recipe, this.stored) && !await ask(t("edit.leave"), t("edit.leaveText"), t("edit.discard"), { danger: true })) return;
                node.close();
            };
            const bar = el("header.viewer-bar", {}, el("button.push", { type: "button", onclick: () => this.close() }, t("cancel")),
                el("div.viewer-title", {}, el("strong", {}, isolated(this.asset.title || this.asset.filename || t("edit.title")))),
                el("div.viewer-actions", {}, this.undoButton, this.beforeButton, this.revertButton, this.saveButton));
            const node = this.node = el("dialog.viewer.editor", { "aria-label": t("edit.title") },
                el("div.viewer-main", {}, bar, el("div.edit-stage", {}, this.holder, this.busy)),
                el("aside.edit-panel", { "aria-label": t("edit.tools") },
                    tabs(["light", "effects", "crop"].map((key) => ({ key, label: t(`edit.${key}`) })), this.tab, (key) => {
                        this.tab = key;
                        this.#drawPanel();
                        this.#preview();
                    }), this.panel));
            node.addEventListener("cancel", (event) => { event.preventDefault(); this.close(); });
            node.addEventListener("keydown", (event) => {
                event.stopPropagation();
                if ((event.ctrlKey || event.metaKey) && !event.shiftKey && shortcutKey(event) === "z") {
                    event.preventDefault();
                    this.#back();
                } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#save();
            });
            node.addEventListener("close", () => {
                if (this.url) URL.revokeObjectURL(this.url);
                this.asking?.abort();
                this.url = null;
                node.remove();
                resolve();
            }, { once: true });
            document.body.append(node);
            node.showModal();
            this.image.src = pictureURL(this.asset, { size: 1024 });
            this.#drawPanel();
            this.#changed();
        });
    }

    // MARK: The recipe

    #set(values, { step = true } = {}) {
        if (step) this.#remember();
        this.recipe = { ...this.recipe, ...values };
        this.#changed();
    }

    #remember() {
        this.past.push(structuredClone(this.recipe));
        if (this.past.length > 100) this.past.shift();
    }

    #back() {
        if (!this.past.length) return;
        this.recipe = this.past.pop();
        this.#drawPanel();
        this.#changed();
    }

    #changed() {
        const isClean = isSame(this.recipe, this.stored);
        this.saveButton.disabled = isClean;
        this.undoButton.disabled = this.past.length === 0;
        this.revertButton.classList.toggle("hidden", !this.asset.adjusted);
        this.#preview();
    }

    // One preview is requested at a time; of the changes made meanwhile, only the last is rendered.
    #preview() {
        clearTimeout(this.pause);
        this.wanted = neat(this.tab === "crop" ? { ...this.recipe, crop: null } : this.recipe);
        this.pause = setTimeout(() => this.#ask(), 30);
    }

    async #ask() {
        if (this.asking || !this.node.open) return;
        const recipe = this.wanted;
        const shape = this.tab;
        const control = this.asking = new AbortController();
        const slow = setTimeout(() => this.busy.classList.remove("hidden"), 250);
        try {
            const answer = await asPage(previewURL(this.asset, recipe, screenSize()), { signal: control.signal });
            if (!answer.ok) throw new Error((await answer.json().catch(() => null))?.error?.message ?? answer.statusText);
            const url = URL.createObjectURL(await answer.blob());
            const image = el("img.edit-image", { alt: t("edit.preview"), src: url });
            await image.decode();
            if (this.url) URL.revokeObjectURL(this.url);
            this.url = url;
            // Uncropped previews are displayed only in the crop tab, unless they are the same.
            const fits = (shape === "crop") === (this.tab === "crop") || JSON.stringify(recipe) === JSON.stringify(this.wanted);
            if (!this.comparing && fits) {
                this.image.replaceWith(image);
                this.image = image;
                this.shown = recipe;
                this.#fit();
            }
        } catch (error) {
            if (error.name !== "AbortError") toast(error.message, { bad: true });
        } finally {
            clearTimeout(slow);
            this.busy.classList.add("hidden");
            this.asking = null;
        }
        if (this.node.open && JSON.stringify(recipe) !== JSON.stringify(this.wanted)) this.#ask();
    }

    #fit() {
        const isCropping = this.tab === "crop" && !this.comparing;
        if (isCropping && !this.crop.node.isConnected) this.holder.append(this.crop.node);
        if (!isCropping) this.crop.node.remove();
        this.holder.classList.toggle("cropping", isCropping);
        if (isCropping) this.crop.set(this.recipe.crop);
        this.holder.style.setProperty("--ratio", String(this.image.naturalWidth / Math.max(1, this.image.naturalHeight)));
    }

    #holdToCompare(button) {
        const show = async (before) => {
            if (this.comparing === before) return;
            this.comparing = before;
            button.setAttribute("aria-pressed", String(before));
            this.node.classList.toggle("comparing", before);
            const image = el("img.edit-image", {
                alt: t(before ? "viewer.original" : "edit.preview"),
                src: before ? pictureURL(this.asset, { size: screenSize(), version: "original" }) : this.url ?? pictureURL(this.asset, { size: 1024 }),
            });
            await image.decode().catch(() => {});
            if (this.comparing !== before) return;
            this.image.replaceWith(image);
            this.image = image;
            this.#fit();
            if (!before) this.#preview();
        };
        button.addEventListener("pointerdown", () => show(true));
        button.addEventListener("pointerup", () => show(false));
        button.addEventListener("pointerleave", () => show(false));
        button.addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); show(!this.comparing); } });
    }

    // MARK: The panel

    #drawPanel() {
        fill(this.panel, this.foreign && el("p.note", {}, t("edit.foreign")), {
            light: () => this.#lightPanel(), effects: () => this.#effectsPanel(), crop: () => this.#cropPanel(),
        }[this.tab]());
    }

    #slider({ key, low, high, step }, label = t(`edit.${key}`), text = (value) => number(Math.round(value * 100))) {
        const id = `slider-${key}`;
        const shown = el("output.slider-value", { for: id });
        const input = el("input", { type: "range", id, min: low, max: high, step, "data-slider": key });
        const draw = () => {
            input.value = String(this.recipe[key] ?? 0);
            shown.textContent = text(this.recipe[key] ?? 0);
        };
        let begun = false;
        input.addEventListener("input", () => {
            if (!begun) this.#remember();
            begun = true;
            const value = Math.round(Number(input.value) / step) * step;
            this.#set({ [key]: Math.abs(value) < step / 2 ? 0 : Math.round(value * 1000) / 1000 }, { step: false });
            shown.textContent = text(this.recipe[key] ?? 0);
        });
        input.addEventListener("change", () => { begun = false; });
        const line = el("div.slider", {}, el("label", { for: id }, label), shown, input);
        line.addEventListener("dblclick", () => { this.#set({ [key]: 0 }); draw(); });
        draw();
        return line;
    }

    #lightPanel() {
        const auto = el("button.push.wide", {
            type: "button", "aria-pressed": String(Boolean(this.recipe.isAutoEnhanced)), onclick: () => this.#auto(),
        }, icon("wand"), t("edit.auto"));
        return [auto, ...Object.entries(sliders).map(([part, all]) => el("section.edit-part", {}, el("h3", {}, t(`edit.part.${part}`)),
            all.map((slider) => this.#slider(slider))))];
    }

    // Automatic values replace only the members that they set.
    #auto() {
        if (this.recipe.isAutoEnhanced) {
            this.#set({ isAutoEnhanced: false });
            this.#drawPanel();
            return;
        }
        attempt(async () => {
            const found = await get(assetPath(this.asset.id) + "/auto");
            this.#set(found);
            this.#drawPanel();
        });
    }

    #effectsPanel() {
        const base = neat({ ...this.recipe, effect: null });
        return el("div.effects", { role: "radiogroup", "aria-label": t("edit.effects") }, [null, ...this.effects].map((name) => {
            const recipe = neat({ ...base, effect: name });
            const isChosen = (this.recipe.effect ?? null) === name;
            return el("button.effect", {
                type: "button", role: "radio", "aria-checked": String(isChosen), "data-effect": name ?? "none",
                onclick: (event) => {
                    for (const node of this.panel.querySelectorAll(".effect")) node.setAttribute("aria-checked", String(node === event.currentTarget));
                    this.#set({ effect: name });
                },
            }, photo({ src: previewURL(this.asset, recipe, 200), alt: "", loading: "lazy" }),
            el("span", {}, t(`effect.${name ?? "none"}`)));
        }));
    }

    #cropPanel() {
        const redraw = (recipe) => {
            this.#set(recipe);
            if (this.ratioChosen && this.ratioChosen !== "free") this.ratioChosen = null;
            this.crop.ratio = null;
            this.#drawPanel();
        };
        const aspect = () => this.image.naturalWidth / Math.max(1, this.image.naturalHeight);
        return [
            el("div.edit-row", {},
                el("button.push", { type: "button", onclick: () => redraw(turned(this.recipe)) }, icon("rotate"), t("edit.rotate")),
                el("button.push", { type: "button", onclick: () => redraw(mirrored(this.recipe)) }, icon("flip"), t("edit.flip"))),
            el("section.edit-part", {}, this.#slider({ key: "straighten", low: -45, high: 45, step: 0.5 }, t("edit.straighten"), (value) => `${number(value, { maximumFractionDigits: 1 })}°`)),
            el("section.edit-part", {}, el("h3", {}, t("edit.ratio")), el("div.ratios", { role: "radiogroup", "aria-label": t("edit.ratio") },
                ratios.map(([name, ratio]) => el("button.push", {
                    type: "button", role: "radio", "aria-checked": String((this.ratioChosen ?? "free") === name), "data-ratio": name,
                    onclick: (event) => {
                        this.ratioChosen = name;
                        for (const node of this.panel.querySelectorAll("[data-ratio]")) node.setAttribute("aria-checked", String(node === event.currentTarget));
                        this.crop.setRatio(ratio === "own" ? aspect() : ratio, aspect());
                    },
                }, name.includes(":") ? name : t(`edit.ratio.${name}`))))),
            el("button.push.wide", { type: "button", onclick: () => redraw({ crop: null, straighten: 0, quarterTurns: 0, isFlipped: false }) }, icon("restore"), t("edit.resetCrop")),
        ];
    }

    // MARK: Saving

    // The version is that of the photo that was opened: an edit replaces no other one.
    get #path() {
        return assetPath(this.asset.id) + "/edit" + query({ version: this.asset.version });
    }

    async #save() {
        if (this.saveButton.disabled) return;
        this.saveButton.disabled = true;
        this.busy.classList.remove("hidden");
        const { node } = this;
        const recipe = neat(this.recipe);
        const isNothing = Object.keys(recipe).length === 0;
        const answer = await inTurn(async () => {
            const made = await (isNothing && this.asset.adjusted ? remove(this.#path) : put(this.#path, recipe));
            node.close();
            recordUndo(made.undo, t("did.edit"));
            return made;
        });
        this.busy.classList.add("hidden");
        if (!answer) this.saveButton.disabled = false;
    }

    async #revert() {
        const { node } = this;
        if (!await ask(t("edit.revert"), t("edit.revertText"), t("edit.revert"), { danger: true })) return;
        await inTurn(async () => {
            const made = await remove(this.#path);
            node.close();
            recordUndo(made.undo, t("did.revert"));
        });
    }
}
