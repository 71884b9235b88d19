// The gallery's page: connects its parts and follows the address.
import { add, el, fill, icon, isolated, isTyping, round } from "./dom.js";
import { door, get, post, query, RequestError } from "./api.js";
import { Actions } from "./actions.js";
import { isOwnPage, placeIn } from "./address.js";
import { canRedo, canUndo, change, redo, stepKey, steps, undo } from "./changes.js";
import { ask, askText, attempt, dialog, menu, messageOf, report, toast } from "./dialog.js";
import { forgetEarly } from "./early.js";
import { Editor } from "./edit.js";
import { exchange, isLink } from "./entering.js";
import { Grid } from "./grid.js";
import { attachGridInput } from "./grid-input.js";
import { Importer } from "./import.js";
import { forget, secret } from "./keys.js";
import { levels } from "./layout.js";
import { AssetList } from "./list.js";
import { live } from "./live.js";
import { Moments } from "./moments.js";
import { Moves } from "./moves.js";
import { setViewsOnly, viewsOnly } from "./rights.js";
import { Scrubber } from "./scrubber.js";
import { Search } from "./search.js";
import { applyTheme, Settings } from "./settings.js";
import { shortcutKey } from "./shortcut.js";
import { assetsType, Sidebar } from "./sidebar.js";
import { loadWords, t } from "./text.js";
import { Unlocked } from "./unlocked.js";
import { Viewer } from "./viewer.js";

class Page {
    constructor(state) {
        this.state = state;
        this.source = "library";
        this.predicate = null;
        this.order = null;
        this.moves = new Moves();
        this.grid = new Grid();
        this.sidebar = new Sidebar({ name: state.libraryName, go: (source) => this.go(source), selection: () => this.actions.chosen(this.dragged) });
        this.actions = new Actions({ grid: this.grid, sidebar: this.sidebar, source: () => this.source });
        this.editor = new Editor({ effects: state.effects.map((name) => name.toLowerCase()) });
        this.viewer = new Viewer({ grid: this.grid, go: (source) => this.go(source), actions: this.actions, edit: (asset) => this.edit(asset), near: (place) => this.#near(place) });
        this.settings = new Settings({ state, sidebar: this.sidebar, unlock: () => this.#confirmHidden(), keys: () => this.#keysHelp() });
        this.moments = new Moments({ go: (source) => this.go(source) });
        this.importer = new Importer({ chunkSize: state.chunkSize, uploadLimit: state.uploadLimit, isRemote: state.lan, go: (source) => this.go(source) });
        this.search = new Search((predicate, text) => this.searchFor(predicate, text), () => this.grid.box.focus());
        this.scrubber = new Scrubber(this.grid);
        this.grid.emptyView = (list) => this.#emptyView(list);
        this.unlocked = new Unlocked({ changed: (isOpen) => { state.hiddenUnlocked = isOpen; }, cleared: () => this.#clear() });
        this.#build();
        this.#listen();
        this.unlocked.set(state.hiddenSeconds);
    }

    // MARK: Frame

    #build() {
        this.title = el("h1.title", {}, "");
        this.subtitle = el("span.subtitle", { "aria-live": "polite" });
        this.menuButton = round("menu", t("sidebar.show"), () => this.#showSide(), { class: "round only-narrow", "aria-expanded": "false" });
        this.smaller = round("minus", t("grid.smaller"), () => this.grid.setLevel(this.grid.level - 1));
        this.larger = round("plus", t("grid.larger"), () => this.grid.setLevel(this.grid.level + 1));
        this.fitButton = round("square", t("grid.fit"), () => this.#flipFit(), { "aria-pressed": "false" });
        this.selectButton = el("button.push.select-button", { type: "button", "aria-label": t("select"), onclick: () => this.grid.setSelecting(true) },
            icon("check"), el("span", {}, t("select")));
        this.importButton = round("import", t("import.title"), (event) => this.#importMenu(event.currentTarget));
        this.keepButton = el("button.push.hidden", { type: "button", onclick: () => this.#keepOne() }, t("duplicates.keep"));
        this.findButton = el("button.push.hidden", { type: "button", onclick: () => this.#findDuplicates() }, t("duplicates.find"));
        this.undoButton = round("undo", t("undo"), () => undo(), { class: "round only-wide" });
        this.redoButton = round("redo", t("redo"), () => redo(), { class: "round only-wide" });
        this.zoomTools = el("div.zoom-tools", { role: "group", "aria-label": t("grid.zoom") }, this.smaller, this.larger, this.fitButton);
        this.bar = el("header.bar", {}, this.menuButton, el("div.titles", {}, this.title, this.subtitle), this.search.node,
            el("div.tools", {}, ...viewsOnly() ? [this.zoomTools, this.selectButton]
                : [this.findButton, this.undoButton, this.redoButton, this.zoomTools, this.selectButton, this.importButton]));
        this.selectionCount = el("strong", { role: "status" });
        this.favoriteButton = round("heart", t("action.favorite"), () => this.actions.favorite());
        this.albumButton = round("album", t("action.addToAlbum"), () => this.actions.addToAlbum());
        this.hideButton = round("hidden", t("action.hide"), () => this.actions.hide());
        this.restoreButton = round("restore", t("action.restore"), () => this.actions.restore());
        this.deleteButton = round("trash", t("action.delete"), () => this.actions.delete());
        this.moreButton = round("more", t("more"), (event) => this.actions.more(null, event.currentTarget));
        this.selectionBar = el("div.selection-bar.hidden", { role: "toolbar", "aria-label": t("selection.label") },
            round("close", t("selection.clear"), () => { this.grid.setSelecting(false); this.grid.clearSelection(); }), this.selectionCount,
            el("button.push", { type: "button", onclick: () => this.grid.selectAll() }, t("selection.all")), el("span.spread"),
            ...viewsOnly() ? [] : [this.keepButton, this.favoriteButton, this.albumButton, this.hideButton, this.restoreButton, this.deleteButton],
            this.moreButton);
        this.progress = el("div.loading-line.hidden", { "aria-hidden": "true" });
        this.main = el("main.main", {}, this.progress, this.grid.node);
        add(this.grid.node, this.scrubber.node);
        this.veil = el("div.side-veil", { onclick: () => this.#hideSide() });
        this.offline = el("p.offline.hidden", { role: "status" }, t("error.unreachable"));
        fill(document.body, el("a.skip", { href: "#grid", onclick: (event) => { event.preventDefault(); if (this.list?.count) this.grid.focus(this.grid.firstVisible()); } }, t("skip")),
            el("div.shell", {}, this.sidebar.node, this.veil, el("div.page", {}, this.bar, this.selectionBar, this.unlocked.node, this.offline, this.main)), this.importer.nodes);
        this.#drawFit();
        this.#drawSteps();
    }

    #drawSteps() {
        this.undoButton.disabled = !canUndo();
        this.redoButton.disabled = !canRedo();
    }

    #showSide() {
        document.body.classList.add("side-open");
        this.menuButton.setAttribute("aria-expanded", "true");
        this.sidebar.node.querySelector("[aria-current]")?.focus();
    }

    #hideSide() {
        document.body.classList.remove("side-open");
        this.menuButton.setAttribute("aria-expanded", "false");
    }

    #flipFit() {
        this.grid.setFit(this.grid.fit === "fill" ? "fit" : "fill");
        this.#drawFit();
    }

    #drawFit() {
        const isWhole = this.grid.fit === "fit";
        fill(this.fitButton, icon(isWhole ? "fit" : "square"));
        this.fitButton.setAttribute("aria-pressed", String(isWhole));
        this.smaller.disabled = this.grid.level === 0;
        this.larger.disabled = this.grid.level === levels.length - 1;
    }

    #importMenu(at) {
        menu(at, [
            { label: t("import.chooseFiles"), icon: "photos", run: () => this.importer.chooseFiles() },
            { label: t("import.chooseFolder"), icon: "folder", run: () => this.importer.chooseFolder() },
            !this.state.lan && { label: t("import.machine"), icon: "disk", run: () => this.importer.chooseMachineFolder() },
            null,
            { label: t("import.lastReport"), icon: "info", run: () => this.importer.showLastReport() },
        ].filter((item) => item !== false));
    }

    // MARK: Navigation

    #address({ source = this.source, predicate = this.predicate, text = this.search.text, view = null } = {}) {
        const parts = new URLSearchParams();
        if (predicate) parts.set("q", predicate);
        if (predicate && text) parts.set("text", text);
        if (view) parts.set("view", view);
        const tail = parts.toString();
        return `#/${source}${tail ? "?" + tail : ""}`;
    }

    go(source) {
        this.#hideSide();
        const address = this.#address({ source, predicate: null });
        if (location.hash === address) this.#arrive();
        else location.hash = address;
    }

    searchFor(predicate, text) {
        const isList = !["settings", "moments"].includes(this.source);
        const address = this.#address({ source: isList ? this.source : "library", predicate, text });
        if (location.hash !== address) {
            history.replaceState(null, "", address);
            this.#arrive();
        }
    }

    async #arrive() {
        const { source, predicate, text, view } = placeIn(location.hash);
        const isNew = source !== this.source || predicate !== this.predicate || !this.list;
        this.source = source;
        this.predicate = predicate;
        this.search.set({ text, predicate });
        this.sidebar.choose(source);
        const isPage = isOwnPage(source);
        this.#showPart(source === "settings" ? this.settings : source === "moments" ? this.moments : null);
        if (!view && this.viewer.isOpen) this.viewer.close();
        if (isPage) {
            this.list = null;
            this.title.textContent = t(`source.${source}`);
            this.subtitle.textContent = "";
            live.start();
            return;
        }
        if (isNew) await this.#open(view);
        else if (view && !this.viewer.isOpen) await this.#openViewer(view);
    }

    #showPart(part) {
        if (this.part === part && part === null) return;
        this.settings.hide();
        this.part = part;
        this.bar.classList.toggle("plain", Boolean(part));
        if (part) {
            fill(this.main, part.node);
            part.show();
        } else {
            fill(this.main, this.progress, this.grid.node);
        }
    }

    async #open(view = null, { keep = false } = {}) {
        const own = this.opening = {};
        const held = keep ? this.grid.hold() : null;
        const viewed = keep && this.viewer.isOpen ? this.viewer.asset?.id : null;
        if (this.source === "hidden" && !this.state.hiddenUnlocked) {
            this.#lockedView();
            return;
        }
        const list = new AssetList(this.source, { predicate: this.predicate, order: this.order });
        this.progress.classList.remove("hidden");
        try {
            await list.load();
        } catch (error) {
            if (this.opening !== own) return;
            if (error.code === "hiddenLocked") {
                this.state.hiddenUnlocked = false;
                this.#lockedView();
                return;
            }
            const isRefused = error instanceof RequestError && error.status === 400 && this.predicate;
            if (isRefused) this.search.refuse(error);
            // The displayed list stays only if it is the requested one.
            if (this.list?.source === this.source && this.list.predicate === this.predicate) report(error);
            else this.#failedView(error, view);
            return;
        } finally {
            if (this.opening === own) this.progress.classList.add("hidden");
        }
        if (this.opening !== own) return;
        this.failed = null;
        // The displayed asset may be at another position of the list by now.
        if (held?.id) held.place = await this.#placeOf(held.id, list) ?? held.place;
        const viewedPlace = viewed ? await this.#placeOf(viewed, list) : null;
        if (this.opening !== own) return;
        list.forgotten = () => this.#again();
        this.list = list;
        this.moves.forget();
        this.grid.show(list, { held });
        this.#drawTitle();
        this.#drawSelection();
        live.snapshot = () => this.list?.snapshot ?? null;
        live.start();
        if (view) await this.#openViewer(view);
        else if (this.viewer.isOpen) this.viewer.listChanged(() => viewedPlace);
    }

    async #placeOf(id, list) {
        try {
            const answer = await get("/api/assets/index" + query({ snapshot: list.snapshot, id }));
            return answer?.index ?? null;
        } catch {
            return null;
        }
    }

    // Reloads the list and keeps the scroll position.
    #again() {
        return this.#open(null, { keep: true });
    }

    #drawTitle() {
        const name = this.sidebar.titleOf(this.source);
        fill(this.title, isolated(this.predicate ? t("search.results") : name));
        this.subtitle.textContent = t("count.assets", { n: this.list?.count ?? 0 });
        // First strong isolate and pop directional isolate: the equivalent of <bdi> in plain text.
        document.title = [name, this.state.libraryName].map((text) => `\u2068${text}\u2069`).join(" – ");
        this.findButton.classList.toggle("hidden", this.source !== "duplicates" || !this.list?.count);
        this.bar.classList.toggle("empty", !this.list?.count);
    }

    #emptyView(list) {
        const kind = list.source.split("/")[0];
        const key = list.predicate ? "empty.search" : ["library", "favorites", "deleted", "album", "duplicates", "hidden"].includes(kind) ? `empty.${kind}` : "empty.other";
        // Before a search for duplicates, it is unknown whether there are any.
        const unknown = key === "empty.duplicates" && this.sidebar.data?.duplicates.count === null;
        return [icon({ favorites: "heart", deleted: "trash", duplicates: "duplicates", hidden: "hidden" }[kind] ?? (list.predicate ? "search" : "photos")),
            el("h2", {}, unknown ? t("source.duplicates") : t(key)), el("p.soft", {}, t(`${key}Text`)),
            list.predicate ? el("button.primary", { type: "button", onclick: () => this.search.clear() }, t("search.clear"))
                : viewsOnly() ? null : kind === "library" ? el("button.primary", { type: "button", onclick: () => this.importer.chooseFiles() }, t("import.chooseFiles"))
                    : kind === "duplicates" ? el("button.primary", { type: "button", onclick: () => this.#findDuplicates() }, t("duplicates.find")) : null];
    }

    #lockedView() {
        this.#showInstead(icon("lock"), el("h2", {}, t("hidden.locked")), el("p.soft", {}, t(viewsOnly() ? "viewOnly.refused" : "hidden.lockedText")),
            !viewsOnly() && el("button.primary", { type: "button", "data-action": "unlock", onclick: () => this.#unlock() }, t("hidden.show")));
    }

    // If a list cannot be loaded, the previous list is removed as well.
    #failedView(error, view) {
        this.#showInstead(icon("photos"), el("h2", {}, t("error.list")), el("p.soft", { role: "alert" }, messageOf(error)),
            el("button.primary", { type: "button", "data-action": "again", onclick: () => this.#open(view) }, t("error.again")));
        this.failed = { view };
    }

    #showInstead(...content) {
        this.failed = null;
        this.list = null;
        this.viewer.close();
        this.grid.showInstead(...content);
        this.scrubber.draw();
        this.#drawTitle();
        this.subtitle.textContent = "";
        this.findButton.classList.add("hidden");
    }

    /** Asks for confirmation before hidden photos are shown; resolves with whether they are. */
    async #confirmHidden() {
        if (this.state.hiddenUnlocked) return true;
        let password;
        if (this.state.lan) {
            password = await askText(t("hidden.show"), t("password"), "", t("hidden.show"), { type: "password" });
            if (!password) return false;
        } else if (!await ask(t("hidden.ask"), t("hidden.askText"), t("hidden.show"))) return false;
        const answer = await attempt(() => post("/api/hidden", { unlock: true, password }));
        if (!answer?.hiddenUnlocked) return false;
        this.unlocked.set(answer.hiddenSeconds);
        this.sidebar.load();
        return true;
    }

    // Removes all hidden photos from the screen and from the page's memory.
    #clear() {
        document.body.replaceChildren();
        location.hash = "#/library";
        location.reload();
    }

    // Removes everything that the session displayed.
    #ended() {
        if (this.isOver) return;
        this.isOver = true;
        live.stop();
        live.start = () => {};
        forget();
        for (const one of document.querySelectorAll("dialog[open]")) one.close();
        document.title = t("ended.title");
        fill(document.body, el("main.gate-note.ended", {}, el("h1", {}, t("ended.title")), el("p", {}, t("ended.text")),
            el("p", {}, el("a.primary", { href: "/door" }, t("ended.again")))));
    }

    async #unlock() {
        if (await this.#confirmHidden()) this.#open();
    }

    async #findDuplicates() {
        const answer = await attempt(() => post("/api/duplicates", { action: "find" }));
        if (answer) toast(t("duplicates.looking"));
    }

    async #keepOne() {
        const [place] = this.grid.selection.places();
        await this.actions.keepOnly(place);
        this.grid.setSelecting(false);
    }

    // MARK: Viewer and editor

    openAt(place) {
        const asset = this.list.at(place);
        this.viewer.open(place);
        if (asset) history.pushState({ viewer: true }, "", this.#address({ view: asset.id }));
    }

    async #openViewer(id) {
        const place = await this.#placeOf(id, this.list);
        if (place !== null) await this.viewer.open(place);
        else history.replaceState(null, "", this.#address());
    }

    // Searches for photos taken within a few kilometers; the search can be edited.
    async #near({ latitude, longitude }) {
        const text = `near:${latitude.toFixed(5)},${longitude.toFixed(5)}`;
        const answer = await attempt(() => get("/api/search" + query({ text })));
        if (!answer?.predicate) return;
        const parts = new URLSearchParams({ q: answer.predicate, text });
        location.hash = `#/library?${parts}`;
    }

    async edit(asset) {
        if (!asset || asset.type !== "image" || viewsOnly()) return;
        await this.editor.open(asset);
    }

    // MARK: Events

    #listen() {
        const { grid, viewer, actions } = this;
        // Opening a new link in this window changes only the fragment.
        addEventListener("hashchange", () => isLink() ? location.reload() : this.#arrive());
        // If another window signed in again, this one continues with its session.
        live.on("ended", () => get("/api/state").then(() => live.start(), () => {}));
        door.addEventListener("out", () => this.#ended());
        grid.addEventListener("selection", () => this.#drawSelection());
        grid.addEventListener("level", () => this.#drawFit());
        viewer.addEventListener("closed", (event) => {
            if (location.hash.includes("view=")) {
                if (history.state?.viewer) history.back();
                else history.replaceState(null, "", this.#address());
            }
            const { place } = event.detail;
            if (this.list?.count && place !== null) grid.focus(Math.min(place, this.list.count - 1));
        });
        viewer.addEventListener("shown", (event) => {
            if (location.hash.includes("view=")) history.replaceState(history.state, "", this.#address({ view: event.detail.asset.id }));
        });
        attachGridInput(grid, {
            open: (place) => this.openAt(place),
            isBusy: () => Boolean(document.querySelector("dialog[open]")),
            order: (step, isRepeated) => this.#order(step, isRepeated),
        });
        addEventListener("keydown", (event) => this.#key(event));
        // Outside of text fields, the browser's undo would change the last edited field.
        addEventListener("keydown", (event) => {
            if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(shortcutKey(event)) && !isTyping(event)) event.preventDefault();
        }, true);
        steps.addEventListener("changed", () => this.#drawSteps());
        this.#dragAssets();
        grid.box.addEventListener("contextmenu", (event) => {
            const place = grid.placeUnder(event.clientX, event.clientY);
            if (place === null || event.pointerType === "touch") return;
            event.preventDefault();
            const asset = this.list.at(place);
            actions.more(grid.selection.has(place) && grid.selection.count > 1 ? null : asset, { x: event.clientX, y: event.clientY });
        });
        live.on("changes", (details) => this.#changed(details));
        live.on("collections", () => {
            clearTimeout(this.collecting);
            this.collecting = setTimeout(() => this.sidebar.load().then(() => { if (this.list) this.#drawTitle(); }), 120);
        });
        // A change between two streams, or before the first one, was announced to none of them.
        live.on("begin", ({ missed }) => {
            if (missed) viewer.assetsChanged(null);
            this.#refreshSidebar();
        });
        live.on("asset", ({ ids }) => viewer.assetsChanged(ids));
        live.on("duplicates", (detail) => {
            if (this.source !== "duplicates") return;
            if (detail.remaining) this.subtitle.textContent = t("duplicates.remaining", { n: detail.remaining });
            if (detail.state === "done" || detail.state === "idle") this.#again();
        });
        live.on("hidden", ({ unlocked, seconds }) => {
            if (!unlocked) this.unlocked.clear();
            else if (!this.unlocked.isOpen) {
                this.unlocked.set(seconds);
                if (this.list) this.#again();
            }
        });
        // Photos may have been locked in another window while this one received no events.
        document.addEventListener("visibilitychange", async () => {
            if (document.hidden || !this.unlocked.isOpen) return;
            const state = await attempt(() => get("/api/state"));
            if (state && !state.hiddenUnlocked) this.unlocked.clear();
        });
        live.addEventListener("broken", () => {
            this.offline.classList.remove("hidden");
            this.#ask();
        });
        live.addEventListener("again", () => {
            this.offline.classList.add("hidden");
            this.sidebar.load();
            if (this.failed && !this.part) this.#open(this.failed.view);
        });
    }

    // Reloads the sidebar if it was loaded before the last change.
    #refreshSidebar() {
        const { data } = this.sidebar;
        if (data && live.version !== null && data.version !== live.version) this.sidebar.load();
    }

    // A list that the server no longer knows sends no events, so it is reloaded.
    async #ask() {
        const list = this.list;
        try {
            // Without a list, checks the session after the stream has failed more than once.
            if (list?.snapshot) await get("/api/assets" + query({ snapshot: list.snapshot, offset: 0, count: 0 }));
            else if (live.wait > 500) await get("/api/state");
        } catch (error) {
            if (error.code === "gone" && list && list === this.list) this.#again();
        }
    }

    #changed(details) {
        if (!this.list || details.snapshot === this.list.snapshot) return;
        this.moves.asked();
        this.moves.arrived();
        const shift = this.grid.apply(details);
        if (!shift) {
            this.#again();
            return;
        }
        this.#drawTitle();
        this.viewer.listChanged(shift);
    }

    #drawSelection() {
        const { selection, selecting } = this.grid;
        const n = selection.count;
        const isShown = n > 0 || selecting;
        this.selectionBar.classList.toggle("hidden", !isShown);
        this.bar.classList.toggle("hidden", isShown);
        this.selectionCount.textContent = n ? t("selection.count", { n }) : t("selection.none");
        const isDeleted = this.source === "deleted";
        for (const button of [this.favoriteButton, this.albumButton, this.hideButton, this.moreButton]) button.classList.toggle("hidden", isDeleted);
        this.restoreButton.classList.toggle("hidden", !isDeleted);
        this.keepButton.classList.toggle("hidden", !(this.source === "duplicates" && n === 1));
        const label = t(this.source === "hidden" ? "action.unhide" : "action.hide");
        this.hideButton.setAttribute("aria-label", label);
        this.hideButton.title = label;
        for (const button of this.selectionBar.querySelectorAll("button")) if (button !== this.selectionBar.firstChild) button.disabled = n === 0 && button !== this.selectionBar.children[2];
    }

    #dragAssets() {
        const { grid } = this;
        grid.box.addEventListener("dragstart", (event) => {
            const cell = event.target.closest?.(".cell")?.cell;
            if (!cell?.asset) return;
            this.dragged = grid.selection.has(cell.place) ? null : cell.asset;
            this.draggedPlace = cell.place;
            event.dataTransfer.setData(assetsType, cell.asset.id);
            event.dataTransfer.effectAllowed = "copyMove";
            const n = this.dragged ? 1 : grid.selection.count;
            if (n > 1) {
                const ghost = el("div.ghost", {}, t("selection.count", { n }));
                document.body.append(ghost);
                event.dataTransfer.setDragImage(ghost, 20, 20);
                setTimeout(() => ghost.remove());
            } else if (cell.picture) event.dataTransfer.setDragImage(cell.picture, 40, 40);
        });
        grid.box.addEventListener("dragend", () => {
            this.#mark(null);
            this.dragged = null;
        });
        grid.box.addEventListener("dragover", (event) => {
            if (!event.dataTransfer.types.includes(assetsType) || !this.actions.canOrder) return;
            event.preventDefault();
            this.#mark(event.target.closest?.(".cell"), event);
        });
        grid.box.addEventListener("drop", (event) => {
            if (!event.dataTransfer.types.includes(assetsType) || !this.actions.canOrder) return;
            event.preventDefault();
            const node = event.target.closest?.(".cell");
            const after = node && this.#isAfter(node, event);
            this.#mark(null);
            if (!node?.cell) return;
            const chosen = this.actions.chosen(this.dragged);
            let to = node.cell.place + (after ? 1 : 0);
            const places = this.dragged ? [this.draggedPlace] : [...grid.selection.places()];
            // The target position does not count the moved assets.
            to -= places.filter((place) => place < to).length;
            change("move", { album: this.source.split("/")[1], ...chosen.body, to }, t("did.move", { n: chosen.count }));
        });
    }

    // Moves the selection, or the focused asset, within an album.
    #order(by, isRepeated) {
        const { grid, actions, list } = this;
        if (!actions.canOrder) return false;
        const places = grid.selection.isEmpty ? [grid.focused] : [...grid.selection.places()];
        const asset = grid.selection.isEmpty ? list.at(grid.focused) : null;
        if (places[0] === null || grid.selection.isEmpty && !asset) return false;
        const first = list.at(places[0])?.id;
        this.moves.step({
            id: first, index: places[0], most: list.count - places.length, by, isRepeated,
            isSpread: places.at(-1) - places[0] !== places.length - 1,
            isDisplayed: (to) => this.list?.at(to)?.id === first,
        }, (to) => {
            const chosen = actions.chosen(asset);
            return change("move", { album: this.source.split("/")[1], ...chosen.body, to }, t("did.move", { n: chosen.count }));
        });
        return true;
    }

    #isAfter(node, event) {
        const bounds = node.getBoundingClientRect();
        return event.clientX > bounds.left + bounds.width / 2;
    }

    #mark(node, event = null) {
        if (this.marked && this.marked !== node) this.marked.classList.remove("drop-before", "drop-after");
        this.marked = node;
        if (!node) return;
        const after = this.#isAfter(node, event);
        node.classList.toggle("drop-after", after);
        node.classList.toggle("drop-before", !after);
    }

    #key(event) {
        if (isTyping(event) || document.querySelector("dialog[open]") || stepKey(event)) return;
        const { grid, actions } = this;
        const hasSelection = !grid.selection.isEmpty;
        const focused = () => hasSelection || grid.focused === null ? null : this.list?.at(grid.focused);
        const command = event.ctrlKey || event.metaKey;
        const key = shortcutKey(event);
        const run = command ? !event.shiftKey && {
            a: () => this.list?.count && grid.selectAll(),
            f: () => this.search.input.focus(),
        }[key] : {
            "/": () => this.search.input.focus(),
            "+": () => grid.setLevel(grid.level + 1),
            "=": () => grid.setLevel(grid.level + 1),
            "-": () => grid.setLevel(grid.level - 1),
            Escape: () => { grid.setSelecting(false); grid.clearSelection(); this.#hideSide(); },
            f: () => (hasSelection || focused()) && actions.favorite(focused()),
            ".": () => (hasSelection || focused()) && actions.favorite(focused()),
            Delete: () => (hasSelection || focused()) && actions.delete(focused()),
            Backspace: () => (hasSelection || focused()) && actions.delete(focused()),
            e: () => focused() && this.edit(focused()),
            r: () => (hasSelection || focused()) && actions.rotate(focused(), event.shiftKey ? -1 : 1),
            "?": () => this.#keysHelp(),
        }[key];
        if (!run) return;
        event.preventDefault();
        run();
    }

    #keysHelp() {
        dialog(t("keys.title"), (close) => el("div.sheet-body", {},
            el("dl.keys", {}, t("keys.text").split(" · ").flatMap((line) => {
                const [, key, what] = line.match(/^(.+?)[:：]\s*(.+)$/s) ?? [null, line, ""];
                return [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)];
            })), el("div.sheet-ends", {}, el("button.primary", { type: "button", autofocus: true, onclick: () => close() }, t("done")))));
    }

    async start() {
        // Names of other lists are in the sidebar; the library's photos need not wait for it.
        const isLibrary = placeIn(location.hash).source === "library";
        if (!isLibrary) await this.sidebar.load();
        await this.#arrive();
        forgetEarly();
        if (isLibrary) await this.sidebar.load();
        this.#refreshSidebar();
    }
}

async function begin() {
    try {
        applyTheme();
    } catch {
        // Without storage, the system's theme is used.
    }
    let state;
    const words = loadWords();
    try {
        // A used link has no effect in a browser that is signed in.
        await exchange().catch(() => {});
        if (secret()) state = await get("/api/state");
        await words;
    } catch (error) {
        await words;
        if (error.status === 401) forget();
        else fill(document.body, el("main.gate-note", {}, el("h1", {}, t("error.start")), el("p", {}, error.message || t("error.unreachable"))));
        if (error.status !== 401) return;
    }
    // The cookie alone grants no access.
    if (!state) {
        location.replace("/door" + location.hash);
        return;
    }
    setViewsOnly(state.viewOnly);
    const page = new Page(state);
    await page.start();
    document.documentElement.dataset.ready = "true";
}

begin();
