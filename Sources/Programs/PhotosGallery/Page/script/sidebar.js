// The sidebar: the library's collections, albums and folders. Albums and folders are moved by drag
// and drop or by their menus.
import { el, fill, icon, isolated, round } from "./dom.js";
import { get } from "./api.js";
import { ask, askText, dialog, isNothing, menu } from "./dialog.js";
import { change } from "./changes.js";
import { Moves } from "./moves.js";
import { drawUnpressed, latest } from "./redraw.js";
import { viewsOnly } from "./rights.js";
import { has, number, phrase, t, timeText } from "./text.js";

export const assetsType = "application/x-photos-assets";
const collectionType = "application/x-photos-collection";

const smartIcons = {
    smartAlbumVideos: "video", smartAlbumSlomoVideos: "video", smartAlbumTimelapses: "video", smartAlbumLivePhotos: "live",
    smartAlbumBursts: "burst", smartAlbumSelfPortraits: "person", smartAlbumDepthEffect: "person", smartAlbumPanoramas: "panorama",
    smartAlbumScreenshots: "program", smartAlbumScreenRecordings: "program", smartAlbumRAW: "camera", smartAlbumAnimated: "play",
    smartAlbumLongExposures: "clock", smartAlbumFavorites: "heart", smartAlbumCinematic: "video",
};

// Smart albums that have entries of their own.
const elsewhere = new Set(["smartAlbumUserLibrary", "smartAlbumFavorites", "smartAlbumRecentlyAdded", "smartAlbumAllHidden"]);

/** The title of a smart album in the user's language; if there is none, the library's title. */
const smartTitle = (album) => has("smart." + album.subtype) ? t("smart." + album.subtype) : album.title;

export class Sidebar {
    constructor({ name, go, selection }) {
        this.go = go;
        this.selection = selection;
        this.data = null;
        this.open = new Set(this.#stored());
        this.current = "library";
        this.moves = new Moves();
        this.list = el("nav.side-list", { "aria-label": t("sidebar.label") });
        this.list.addEventListener("keydown", (event) => this.#walk(event));
        const mark = el("img", { src: "/page/icon.svg", alt: "", width: 26, height: 26 });
        this.node = el("aside.side", {}, el("div.brand", {}, mark, isolated(name), viewsOnly() && el("span.view-only", {}, t("viewOnly.badge"))), this.list);
    }

    #stored() {
        try {
            return JSON.parse(localStorage.getItem("sidebar.open") ?? "[]");
        } catch {
            return [];
        }
    }

    // The arrow keys move between entries, as Tab does; Home and End move to the first and last
    // entry.
    #walk(event) {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const all = [...this.list.querySelectorAll(".side-item")];
        const at = all.indexOf(document.activeElement);
        const to = at < 0 ? undefined : { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        all[to]?.focus();
    }

    load = latest(() => {
        this.moves.asked();
        return get("/api/collections");
    }, (data) => {
        this.data = data;
        this.moves.arrived();
        drawUnpressed(this.list, () => this.draw());
    });

    choose(source) {
        this.current = source;
        for (const node of this.list.querySelectorAll("[data-entry]")) {
            if (node.dataset.entry === source) node.setAttribute("aria-current", "page");
            else node.removeAttribute("aria-current");
        }
    }

    /** Finds the album or folder with an identifier. */
    find(id, nodes = this.data?.tree ?? []) {
        for (const node of nodes) {
            if (node.id === id) return node;
            const inner = node.children && this.find(id, node.children);
            if (inner) return inner;
        }
        return null;
    }

    titleOf(source) {
        const [kind, id] = source.split("/");
        if (kind === "album") {
            const smart = this.data?.smart.find((album) => album.id === id);
            return smart ? smartTitle(smart) : this.find(id)?.title ?? t("source.moment");
        }
        if (kind === "import") {
            const found = this.data?.imports.find((entry) => entry.id === id);
            return found ? this.#importTitle(found) : t("source.imports");
        }
        return t("source." + kind);
    }

    #importTitle = (entry) => timeText(entry.date, null, { dateStyle: "medium" });

    albums(nodes = this.data?.tree ?? [], path = []) {
        return nodes.flatMap((node) => node.kind === "album"
            ? [{ id: node.id, title: [...path, node.title].join(" › ") }]
            : this.albums(node.children ?? [], [...path, node.title]));
    }

    draw() {
        const { data } = this;
        if (!data) return;
        const held = this.list.contains(document.activeElement) ? document.activeElement.dataset.entry : null;
        const top = this.list.scrollTop;
        const item = (source, name, title, count) => this.#item({ source, name, title, count });
        const smart = data.smart.filter((album) => album.count !== 0 && !elsewhere.has(album.subtype));
        fill(this.list,
            el("div.side-part", {},
                item("library", "photos", t("source.library"), data.library.count),
                item("favorites", "heart", t("source.favorites"), data.favorites.count),
                item("recents", "clock", t("source.recents"), null),
                item("moments", "moments", t("source.moments"), null)),
            this.#part("albums", t("sidebar.albums"), this.#tree(data.tree, null, 0),
                viewsOnly() ? null : this.#newButton()),
            smart.length > 0 && this.#part("smart", t("sidebar.smart"), smart
                .map((album) => item(`album/${album.id}`, smartIcons[album.subtype] ?? "smart", smartTitle(album), album.count))),
            data.imports.length > 0 && this.#part("imports", t("source.imports"), data.imports.slice(0, 12)
                .map((entry) => item(`import/${entry.id}`, "import", this.#importTitle(entry), entry.count))),
            this.#part("utilities", t("sidebar.utilities"), viewsOnly() ? [item("settings", "gear", t("source.settings"), null)] : [
                item("duplicates", "duplicates", t("source.duplicates"), data.duplicates.count),
                item("hidden", data.hidden.count === null ? "lock" : "hidden", t("source.hidden"), data.hidden.count),
                item("deleted", "trash", t("source.deleted"), data.deleted.count),
                item("settings", "gear", t("source.settings"), null),
            ]));
        this.list.scrollTop = top;
        this.choose(this.current);
        if (held) this.list.querySelector(`[data-entry="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
    }

    #newButton() {
        const button = round("plus", t("sidebar.new"), (event) => this.#newMenu(event.currentTarget, null));
        button.dataset.entry = "new";
        return button;
    }

    #part(key, title, items, extra = null) {
        const isShut = this.open.has("shut:" + key);
        const id = `side-${key}`;
        const head = el("div.side-head", {},
            el("button.side-fold", {
                type: "button", "data-entry": id, "aria-expanded": String(!isShut), "aria-controls": id,
                onclick: () => this.#flip("shut:" + key),
            }, el("h2", {}, title), icon("down")), extra);
        return el("div.side-part", {}, head, el("div", { id, class: isShut ? "hidden" : null }, isShut ? [] : items));
    }

    #flip(key) {
        if (this.open.has(key)) this.open.delete(key);
        else this.open.add(key);
        try {
            localStorage.setItem("sidebar.open", JSON.stringify([...this.open]));
        } catch {
            // Without storage, the state lasts until the page is closed.
        }
        this.draw();
    }

    #item({ source, name, title, count, depth = 0 }) {
        const node = el("button.side-item", {
            type: "button", "data-entry": source, onclick: () => this.go(source),
        }, icon(name), el("bdi.side-title", {}, title), count !== null && count !== undefined && el("span.side-count", {}, number(count)));
        if (depth) node.style.paddingInlineStart = `${10 + depth * 16}px`;
        if (!viewsOnly() && (source === "favorites" || source === "deleted" || source === "hidden")) this.#takeAssets(node, source);
        return node;
    }

    #tree(nodes, folder, depth) {
        return nodes.flatMap((node, index) => node.kind === "folder"
            ? [this.#folder(node, folder, index, depth), ...(this.open.has(node.id) ? this.#tree(node.children ?? [], node.id, depth + 1) : [])]
            : [this.#album(node, folder, index, depth)]);
    }

    #album(album, folder, index, depth) {
        const node = this.#item({ source: `album/${album.id}`, name: "album", title: album.title, count: album.count, depth });
        this.#givePlace(node, album, folder, index);
        return node;
    }

    #folder(entry, folder, index, depth) {
        const isOpen = this.open.has(entry.id);
        const node = el("button.side-item.side-folder", {
            type: "button", "data-entry": `folder/${entry.id}`, "aria-expanded": String(isOpen), onclick: () => this.#flip(entry.id),
        }, icon("folder"), el("bdi.side-title", {}, entry.title), icon("down"));
        if (depth) node.style.paddingInlineStart = `${10 + depth * 16}px`;
        this.#givePlace(node, entry, folder, index);
        return node;
    }

    // MARK: Drag and drop

    #takeAssets(node, source) {
        const actions = { favorites: ["favorite", { value: true }], deleted: ["delete", {}], hidden: ["hide", { value: true }] };
        node.addEventListener("dragover", (event) => {
            if (!event.dataTransfer.types.includes(assetsType)) return;
            event.preventDefault();
            node.classList.add("target");
        });
        node.addEventListener("dragleave", () => node.classList.remove("target"));
        node.addEventListener("drop", (event) => {
            node.classList.remove("target");
            if (!event.dataTransfer.types.includes(assetsType)) return;
            event.preventDefault();
            const [action, values] = actions[source];
            const chosen = this.selection();
            change(action, { ...chosen.body, ...values }, t(`did.${action}`, { n: chosen.count }));
        });
    }

    #givePlace(node, entry, folder, index) {
        if (viewsOnly()) return;
        node.draggable = true;
        node.addEventListener("dragstart", (event) => {
            event.dataTransfer.setData(collectionType, entry.id);
            event.dataTransfer.effectAllowed = "move";
            this.dragged = { id: entry.id, folder, index };
        });
        node.addEventListener("contextmenu", (event) => {
            event.preventDefault();
            this.#entryMenu({ x: event.clientX, y: event.clientY }, entry, folder, index);
        });
        node.addEventListener("keydown", (event) => {
            if (event.key === "F2") this.rename(entry);
            else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
                const siblings = folder ? this.find(folder)?.children ?? [] : this.data.tree;
                const by = event.key === "ArrowUp" ? -1 : 1;
                this.moves.step({ id: entry.id, index, most: siblings.length - 1, by, isRepeated: event.repeat }, (to) => this.move(entry.id, folder, to));
            } else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) this.#entryMenu(node, entry, folder, index);
            else return;
            event.preventDefault();
        });
        const zone = (event) => {
            const bounds = node.getBoundingClientRect();
            const share = (event.clientY - bounds.top) / bounds.height;
            if (entry.kind === "folder" && share > 0.25 && share < 0.75) return "into";
            return share < 0.5 ? "before" : "after";
        };
        const clear = () => node.classList.remove("target", "before", "after");
        node.addEventListener("dragover", (event) => {
            const { types } = event.dataTransfer;
            clear();
            if (types.includes(assetsType) && entry.kind === "album") node.classList.add("target");
            else if (types.includes(collectionType) && this.dragged?.id !== entry.id) {
                const where = zone(event);
                node.classList.add(where === "into" ? "target" : where);
            } else return;
            event.preventDefault();
        });
        node.addEventListener("dragleave", clear);
        node.addEventListener("drop", (event) => {
            clear();
            event.preventDefault();
            if (event.dataTransfer.types.includes(assetsType) && entry.kind === "album") {
                this.addTo(entry, this.selection());
                return;
            }
            const moved = this.dragged;
            if (!event.dataTransfer.types.includes(collectionType) || !moved || moved.id === entry.id) return;
            const where = zone(event);
            if (where === "into") {
                this.open.add(entry.id);
                this.move(moved.id, entry.id, (entry.children ?? []).filter((child) => child.id !== moved.id).length);
            } else {
                let to = index + (where === "after" ? 1 : 0);
                if (moved.folder === folder && moved.index < to) to -= 1;
                this.move(moved.id, folder, to);
            }
        });
    }

    // MARK: Actions

    addTo(album, chosen) {
        return change("add", { album: album.id, ...chosen.body }, phrase("did.add", { n: chosen.count, title: album.title }));
    }

    move(collection, folder, to) {
        return change("moveCollection", { collection, folder, to }, phrase("did.moveCollection", { title: this.find(collection)?.title ?? "" }));
    }

    /** Asks for a title, and creates an album or a folder; `choose` returns the assets of the album. */
    async create(kind, folder = null, choose = null) {
        const title = await askText(t(`new.${kind}`), t("new.title"), "", t("new.create"));
        const chosen = choose?.();
        if (!title || chosen && isNothing(chosen)) return null;
        if (folder) this.open.add(folder);
        const action = kind === "album" ? "createAlbum" : "createFolder";
        return change(action, { title, folder, ...chosen?.body }, phrase(`did.${action}`, { title }));
    }

    async rename(entry) {
        const title = await askText(t("rename"), t("new.title"), entry.title);
        if (title && title !== entry.title) change("rename", { collection: entry.id, title }, phrase("did.rename", { title }));
    }

    async delete(entry) {
        const yes = await ask(phrase("delete.collection", { title: entry.title }), t(`delete.${entry.kind}Text`), t("delete.yes"), { danger: true });
        if (yes) change("deleteCollection", { collection: entry.id }, phrase("did.deleteCollection", { title: entry.title }));
    }

    #newMenu(at, folder) {
        menu(at, [
            { label: t("new.album"), icon: "album", run: () => this.create("album", folder) },
            { label: t("new.folder"), icon: "folder", run: () => this.create("folder", folder) },
            null,
            { label: t("sort.byTitle"), icon: "down", run: () => change("sortCollections", { folder }, t("did.sort")) },
        ]);
    }

    #entryMenu(at, entry, folder, index) {
        const siblings = folder ? this.find(folder)?.children ?? [] : this.data.tree;
        menu(at, [
            { label: t("rename"), icon: "pencil", run: () => this.rename(entry) },
            entry.kind === "folder" ? { label: t("new.album"), icon: "album", run: () => this.create("album", entry.id) } : null,
            entry.kind === "folder" ? { label: t("new.folder"), icon: "folder", run: () => this.create("folder", entry.id) } : null,
            { label: t(entry.kind === "album" ? "sort.byDate" : "sort.byTitle"), icon: "moments", run: () => entry.kind === "album"
                ? change("sortAlbum", { album: entry.id }, t("did.sort")) : change("sortCollections", { folder: entry.id }, t("did.sort")) },
            { label: t("move.to"), icon: "folder", run: () => this.#moveDialog(entry, folder) },
            index > 0 ? { label: t("move.up"), icon: "left", run: () => this.move(entry.id, folder, index - 1) } : null,
            index < siblings.length - 1 ? { label: t("move.down"), icon: "right", run: () => this.move(entry.id, folder, index + 1) } : null,
            { label: t("delete.yes"), icon: "trash", danger: true, run: () => this.delete(entry) },
        ].filter(Boolean));
    }

    #folders(nodes = this.data.tree, path = []) {
        return nodes.filter((node) => node.kind === "folder").flatMap((node) => [
            { id: node.id, title: [...path, node.title].join(" › "), count: node.children?.length ?? 0 },
            ...this.#folders(node.children ?? [], [...path, node.title])]);
    }

    async #moveDialog(entry, folder) {
        const inside = new Set([entry.id, ...(entry.children ? this.#folders([entry]).map((found) => found.id) : [])]);
        const places = [{ id: null, title: t("move.top"), count: this.data.tree.length }, ...this.#folders()]
            .filter((place) => place.id !== folder && !inside.has(place.id));
        const to = await dialog(t("move.to"), (close) => el("div.sheet-body.choices", {},
            places.map((place) => el("button.choice", { type: "button", onclick: () => close(place) }, icon("folder"), el("bdi", {}, place.title)))));
        if (to) this.move(entry.id, to.id, to.count);
    }
}

/** Shows a dialog that selects or creates an album for the assets that `choose` returns. */
export async function chooseAlbum(sidebar, choose) {
    const answer = await dialog(t("album.choose"), (close) => el("div.sheet-body.choices", {},
        el("button.choice", { type: "button", onclick: () => close("new") }, icon("plus"), el("span", {}, t("new.album"))),
        sidebar.albums().map((album) => el("button.choice", { type: "button", onclick: () => close(album) }, icon("album"), el("bdi", {}, album.title)))));
    if (answer === "new") return sidebar.create("album", null, choose);
    if (!answer) return answer;
    const chosen = choose();
    return !isNothing(chosen) && sidebar.addTo(answer, chosen);
}
