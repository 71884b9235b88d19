// The actions on assets: on the grid's selection, or on the asset in the viewer.
import { ask, askText, attempt, menu } from "./dialog.js";
import { change } from "./changes.js";
import { changeDate } from "./dates.js";
import { idsIn, saveOriginals } from "./download.js";
import { viewsOnly } from "./rights.js";
import { chooseAlbum } from "./sidebar.js";
import { t } from "./text.js";

export class Actions {
    constructor({ grid, sidebar, source }) {
        this.grid = grid;
        this.sidebar = sidebar;
        this.source = source;
    }

    /**
     * The assets to act on, as a request body: one asset, or ranges of the displayed list. The
     * server remembers ranges for a few changes only, so they are taken after any dialog.
     */
    chosen(asset = null) {
        if (asset) return { count: 1, body: { ids: [asset.id] }, asset };
        const { list, selection } = this.grid;
        const places = [...selection.list];
        if (selection.count <= 60) {
            const known = [...selection.places()].map((place) => list.at(place)?.id);
            if (known.every(Boolean)) return { count: known.length, body: { ids: known }, asset: known.length === 1 ? list.at(places[0][0]) : null };
        }
        return { count: selection.count, body: { snapshot: list.snapshot, ranges: places }, asset: null };
    }

    // For a dialog: returns a function that returns the assets that were selected when it was opened.
    // Identifiers stay valid, also if the list is loaded again meanwhile.
    #choice(asset) {
        const before = this.chosen(asset);
        return () => (before.body.ids ? before : this.chosen(asset));
    }

    async #run(asset, action, values = {}) {
        const chosen = this.chosen(asset);
        if (!chosen.count) return;
        const answer = await change(action, { ...chosen.body, ...values }, t(`did.${action}`, { n: chosen.count }));
        if (answer && !asset) this.grid.setSelecting(false);
    }

    favorite(asset = null) {
        const { list, selection } = this.grid;
        const all = asset ? [asset] : [...selection.places()].slice(0, 200).map((place) => list.at(place)).filter(Boolean);
        const value = !all.every((one) => one.favorite);
        const chosen = this.chosen(asset);
        if (chosen.count) change("favorite", { ...chosen.body, value }, t(value ? "did.favorite" : "did.unfavorite", { n: chosen.count }));
    }

    async delete(asset = null) {
        if (this.source() === "deleted") {
            const chosen = this.chosen(asset);
            if (!chosen.count) return;
            const yes = await ask(t("purge.title", { n: chosen.count }), t("purge.text"), t("purge.yes"), { danger: true });
            if (yes) await this.#run(asset, "purge", { confirm: true });
            return;
        }
        await this.#run(asset, "delete");
    }

    restore(asset = null) {
        return this.#run(asset, "restore");
    }

    async hide(asset = null, value = this.source() !== "hidden") {
        const chosen = this.chosen(asset);
        if (!chosen.count) return;
        const answer = await change("hide", { ...chosen.body, value }, t(value ? "did.hide" : "did.unhide", { n: chosen.count }));
        if (answer && !asset) this.grid.setSelecting(false);
    }

    async addToAlbum(asset = null) {
        const chosen = this.chosen(asset);
        if (chosen.count && await chooseAlbum(this.sidebar, this.#choice(asset)) && !asset) this.grid.setSelecting(false);
    }

    /** Downloads the files of the selection, one after the other. */
    download(asset = null) {
        return attempt(async () => {
            const { list, selection } = this.grid;
            await saveOriginals(asset ? [asset.id] : await idsIn(list, [...selection.list]));
        });
    }

    #date(asset) {
        return attempt(async () => {
            const chosen = this.chosen(asset);
            if (!chosen.count) return;
            const choose = this.#choice(asset);
            const answer = await changeDate(chosen.asset ?? await this.#firstDated(), choose);
            if (answer && !asset) this.grid.setSelecting(false);
        });
    }

    // The first selected asset that has a date; if none has one, the first selected asset.
    async #firstDated() {
        const { list, selection } = this.grid;
        let first = null;
        let left = 500;
        for (const place of selection.places()) {
            const asset = await list.one(place);
            first ??= asset;
            if (asset?.date) return asset;
            if ((left -= 1) === 0) break;
        }
        return first;
    }

    /** Rotates photos clockwise by quarter turns. Changes run one after the other, so turns add up. */
    rotate(asset = null, turns = 1) {
        const chosen = this.chosen(asset);
        if (!chosen.count || asset && asset.type !== "image") return;
        change("rotate", { ...chosen.body, value: turns }, t("did.rotate", { n: chosen.count }));
    }

    async #title(asset) {
        const value = await askText(t("info.title"), t("info.title"), asset?.title ?? "", t("save"));
        if (value) await this.#run(asset, "title", { value });
    }

    #canOrder() {
        const [kind, id] = this.source().split("/");
        return !viewsOnly() && kind === "album" && Boolean(this.sidebar.find(id));
    }

    /** Shows a menu of all actions. */
    more(asset, at) {
        const source = this.source();
        const chosen = this.chosen(asset);
        const [, albumID] = source.split("/");
        if (viewsOnly()) {
            menu(at, [{ label: t("action.download"), icon: "download", run: () => this.download(asset) }]);
            return;
        }
        if (source === "deleted") {
            menu(at, [
                { label: t("action.restore"), icon: "restore", run: () => this.restore(asset) },
                { label: t("action.purge"), icon: "trash", danger: true, run: () => this.delete(asset) },
            ]);
            return;
        }
        menu(at, [
            { label: t("action.addToAlbum"), icon: "album", run: () => this.addToAlbum(asset) },
            { label: t("action.newAlbum"), icon: "plus", run: () => this.sidebar.create("album", null, this.#choice(asset)) },
            this.#canOrder() && { label: t("action.removeFromAlbum"), icon: "minus", run: () => this.#run(asset, "remove", { album: albumID }) },
            { label: t("action.title"), icon: "pencil", run: () => this.#title(asset ?? chosen.asset) },
            { label: t("action.date"), icon: "clock", run: () => this.#date(asset) },
            (!asset || asset.type === "image") && { label: t("edit.rotate"), icon: "rotate", run: () => this.rotate(asset) },
            { label: t("action.download"), icon: "download", run: () => this.download(asset) },
            { label: t(source === "hidden" ? "action.unhide" : "action.hide"), icon: "hidden", run: () => this.hide(asset) },
            { label: t("action.delete"), icon: "trash", danger: true, run: () => this.delete(asset) },
        ].filter(Boolean));
    }

    /** Keeps one of a group of duplicates and moves the others to Recently Deleted. */
    async keepOnly(place) {
        const { list, layout } = this.grid;
        const section = layout.sections[layout.sectionOf(place)];
        const kept = await list.one(place);
        const others = [];
        for (let other = section.start; other < section.start + section.count; other += 1) if (other !== place) others.push((await list.one(other)).id);
        await change("keepDuplicate", { id: kept.id, remove: others }, t("did.keepDuplicate", { n: others.length }));
    }

    get canOrder() {
        return this.#canOrder();
    }
}
