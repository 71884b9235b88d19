// The viewer: one asset across the whole window.
import { add, el, fill, icon, isolated, isTyping, round } from "./dom.js";
import { ask as asPage, assetPath, get, movieURL, pictureURL, remove, RequestError, resourceURL } from "./api.js";
import { assetLabel } from "./cell.js";
import { burstPicker, InfoPanel } from "./info.js";
import { stepKey } from "./changes.js";
import { live } from "./live.js";
import { toast } from "./dialog.js";
import { viewsOnly } from "./rights.js";
import { shortcutKey } from "./shortcut.js";
import { clockOffset, t, timeText } from "./text.js";
import { Zoom } from "./zoom.js";

const large = () => {
    const wanted = Math.max(innerWidth, innerHeight) * Math.min(2, devicePixelRatio || 1);
    return [1024, 2048, 4096].find((size) => size >= wanted * 0.9) ?? 4096;
};

export class Viewer extends EventTarget {
    constructor({ grid, go, actions, edit, near }) {
        super();
        this.grid = grid;
        this.actions = actions;
        this.edit = edit;
        this.place = null;
        this.asset = null;
        this.showsInfo = false;
        this.info = new InfoPanel({ go: (source) => { this.close(); go(source); }, near: (place) => { this.close(); near(place); } });
        this.#build();
    }

    #build() {
        const { actions } = this;
        this.title = el("div.viewer-title", { role: "status" });
        this.buttons = {
            favorite: round("heart", t("action.favorite"), () => actions.favorite(this.asset)),
            compare: round("compare", t("viewer.compare"), () => this.#compare(this.compared ? false : true), { "aria-pressed": "false" }),
            burst: round("burst", t("viewer.burst"), () => burstPicker(this.asset, { picture: (asset, size) => pictureURL(asset, { size }) })),
            edit: round("edit", t("viewer.edit"), () => this.edit(this.asset)),
            delete: round("trash", t("action.delete"), () => actions.delete(this.asset)),
            info: round("info", t("viewer.info"), () => this.toggleInfo(), { "aria-pressed": "false" }),
            more: round("more", t("more"), (event) => actions.more(this.asset, event.currentTarget)),
        };
        const bar = el("header.viewer-bar", {}, round("back", t("viewer.close"), () => this.close()), this.title,
            el("div.viewer-actions", {}, this.buttons.compare,
                ...viewsOnly() ? [] : [this.buttons.burst, this.buttons.edit, this.buttons.favorite, this.buttons.delete],
                this.buttons.info, this.buttons.more));
        this.picture = el("div.picture");
        this.stage = el("div.stage", { tabindex: "-1", autofocus: true }, this.picture,
            this.before = el("button.round.step.step-before", { type: "button", "aria-label": t("viewer.previous"), onclick: () => this.step(-1) }, icon("left")),
            this.after = el("button.round.step.step-after", { type: "button", "aria-label": t("viewer.next"), onclick: () => this.step(1) }, icon("right")));
        this.liveBadge = el("button.live-badge.hidden", { type: "button", "aria-label": t("viewer.playLive") }, icon("live"), t("kind.liveShort"));
        add(this.stage, this.liveBadge);
        this.node = el("dialog.viewer", { "aria-label": t("viewer.label") }, el("div.viewer-main", {}, bar, this.stage), this.info.node);
        this.info.node.classList.add("hidden");
        this.zoom = new Zoom(this.stage, {
            swiped: (way) => way === "down" ? this.close() : this.step(way === "next" ? 1 : -1),
            tapped: () => this.node.classList.toggle("bare"),
            changed: (scale) => { if (scale > 1.6) this.#sharpen(); },
        });
        this.liveBadge.addEventListener("click", () => this.#playLive());
        this.liveBadge.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") this.#playLive(); });
        this.node.addEventListener("keydown", (event) => this.#key(event));
        this.node.addEventListener("cancel", (event) => { event.preventDefault(); this.close(); });
        this.node.addEventListener("pointermove", () => this.#wake());
        live.on("movie", (detail) => this.#movieChanged(detail));
        live.on("download", (detail) => this.#downloading(detail));
    }

    get isOpen() {
        return this.node.open;
    }

    async open(place) {
        if (!this.isOpen) {
            document.body.append(this.node);
            this.node.showModal();
            this.node.classList.toggle("with-info", this.showsInfo);
        }
        await this.#show(place);
        this.#wake();
    }

    close() {
        if (!this.isOpen) return;
        this.#silence();
        this.#waitNoLonger();
        this.node.close();
        const { place } = this;
        this.node.remove();
        this.asset = null;
        this.dispatchEvent(new CustomEvent("closed", { detail: { place } }));
    }

    async step(by) {
        const to = this.place + by;
        if (to < 0 || to >= this.grid.list.count) return;
        await this.#show(to);
    }

    async #show(place) {
        this.place = place;
        const own = this.showing = {};
        const { list } = this.grid;
        const asset = list.at(place) ?? await list.one(place);
        if (this.showing !== own || !this.isOpen) return;
        // The list changed meanwhile, and the asset may have another position. A list that is gone
        // is loaded again, which shows an asset of the new list.
        if (asset === undefined || this.place !== place) {
            if (!list.isGone) await this.#show(this.place);
            return;
        }
        if (!asset) {
            this.close();
            return;
        }
        this.#present(asset);
        for (const next of [place + 1, place - 1]) {
            list.one(next).then((near) => {
                if (near && this.isOpen && near.type === "image") new Image().src = pictureURL(near, { size: large() });
            }, () => {});
        }
    }

    #silence() {
        for (const movie of this.picture.querySelectorAll("video")) {
            movie.pause();
            movie.removeAttribute("src");
            movie.load();
        }
    }

    // Cancels the download and the conversion of a movie that is no longer displayed.
    #waitNoLonger() {
        this.asking?.abort();
        const { converting } = this;
        this.converting = null;
        if (converting) remove(assetPath(converting) + "/movie").catch(() => {});
    }

    #present(asset) {
        const isSame = this.asset?.id === asset.id && this.asset?.version === asset.version;
        this.asset = asset;
        this.#drawBar();
        this.dispatchEvent(new CustomEvent("shown", { detail: { asset } }));
        if (this.showsInfo) this.info.show(asset);
        if (isSame) return;
        this.#silence();
        this.#waitNoLonger();
        this.compared = false;
        this.node.classList.remove("comparing");
        this.isFull = false;
        const frame = el("div.frame");
        fill(this.picture, frame);
        this.zoom.hold(frame);
        this.frame = frame;
        this.liveAsked = null;
        this.liveBadge.classList.remove("playing", "waiting");
        this.liveBadge.classList.toggle("hidden", !asset.live);
        if (asset.type === "video" || asset.type === "audio") this.#presentMovie(asset, frame);
        else this.#presentPicture(asset, frame);
    }

    #presentPicture(asset, frame) {
        const cached = this.grid.cellAt(this.place)?.picture;
        const early = el("img.early", { alt: "", src: cached && this.grid.fit === "fit" ? cached.src : pictureURL(asset, { size: 512, quality: "fast" }) });
        add(frame, early);
        this.#size(frame, asset);
        const sharp = el("img.main", { alt: assetLabel(asset) });
        sharp.src = pictureURL(asset, { size: asset.subtypes.includes("photoAnimated") || asset.playbackStyle === "imageAnimated" ? 0 : large() });
        const own = this.frame;
        sharp.decode().then(() => {
            if (this.frame !== own) return;
            fill(frame, sharp);
            this.node.classList.add("ready");
            this.#arrived(asset);
        }, () => {
            if (this.frame !== own || sharp.complete && sharp.naturalWidth) return;
            this.#refuse(frame, asset, sharp.src);
        });
    }

    // Shows the server's reason for an undisplayable picture, with a link to download its file.
    async #refuse(frame, asset, url) {
        const box = el("div.unshowable", { role: "status" }, icon("photos"), el("p", {}, t("viewer.unshowable")));
        fill(frame, box);
        const error = await get(url).then(() => null, (found) => found);
        if (this.frame !== frame) return;
        if (error?.code === "away") box.querySelector("p").textContent = t("viewer.away");
        if (["unreadable", "away"].includes(error?.code) && error.message) add(box, el("p.reason", {}, isolated(error.message)));
        add(box, el("a.push", { href: resourceURL(asset, 0), download: "" }, icon("download"), t("action.download")));
    }

    // The frame has the picture's aspect ratio, so that the degraded and sharp pictures align.
    #size(frame, asset) {
        if (asset.width && asset.height) frame.style.aspectRatio = `${asset.width} / ${asset.height}`;
        frame.style.setProperty("--ratio", String((asset.width || 4) / (asset.height || 3)));
    }

    /** Loads the full-size picture after the user zooms in. */
    #sharpen() {
        if (this.isFull || !this.asset || this.asset.type !== "image") return;
        this.isFull = true;
        if (Math.max(this.asset.width, this.asset.height) <= large()) return;
        const own = this.frame;
        this.#showFull(this.asset, own, 0);
    }

    // If a picture is too large, the error contains the largest size that the server renders.
    async #showFull(asset, own, size) {
        const full = el("img.main", { alt: assetLabel(asset), src: pictureURL(asset, { size }) });
        const isShown = await full.decode().then(() => true, () => false);
        if (this.frame !== own || this.compared) return;
        if (isShown) {
            fill(own, full);
            this.#arrived(asset);
            return;
        }
        if (size) return;
        const error = await get(full.src).then(() => null, (found) => found);
        const largest = error?.code === "tooLarge" ? error.details.largest : 0;
        if (largest > large() && this.frame === own) await this.#showFull(asset, own, largest);
    }

    // The file of a picture that was only in the cloud was downloaded for it, which is no change.
    #arrived(asset) {
        if (asset.cloud !== "away") return;
        asset.cloud = "here";
        const cell = this.grid.cellAt(this.place);
        if (cell?.asset === asset) cell.refresh(this.grid.look);
    }

    async #presentMovie(asset, frame) {
        this.#size(frame, asset);
        const movie = el("video.main", { controls: true, playsinline: true, preload: "metadata", poster: pictureURL(asset, { size: 1024 }), "aria-label": assetLabel(asset) });
        fill(frame, movie);
        const own = this.frame;
        const ready = await this.#movieIsReady(asset);
        if (ready === null || this.frame !== own) return;
        this.#clearLine();
        if (!ready) {
            this.converting = asset.id;
            this.#line(t("viewer.converting"));
            return;
        }
        movie.src = movieURL(asset);
        movie.play().catch(() => {});
    }

    // Returns null if nobody waits for it any longer. Status 202 means that the movie is still being downloaded, so that it is requested again, or
    // that it is being converted; `movie` events then report the result.
    async #movieIsReady(asset) {
        this.asking?.abort();
        const asking = this.asking = new AbortController();
        try {
            while (true) {
                const answer = await asPage(movieURL(asset), { headers: { Range: "bytes=0-1" }, signal: asking.signal });
                const value = answer.status === 202 || answer.status >= 400 ? await answer.json().catch(() => null) : null;
                if (answer.status >= 400) throw new RequestError(answer.status, value?.error?.code, value?.error?.message ?? "");
                if (value?.state === "downloading") continue;
                if (answer.status !== 202) this.#arrived(asset);
                return answer.status !== 202;
            }
        } catch (error) {
            if (asking.signal.aborted) return null;
            if (this.asset === asset) {
                const isAway = error.code === "away";
                toast([t(isAway ? "viewer.away" : "viewer.unshowable"), isAway ? error.message : ""].join(" ").trim(), { bad: true });
            }
            return true;
        }
    }

    #line(text) {
        let line = this.frame.querySelector(".converting");
        if (!line) add(this.frame, line = el("p.converting", { role: "status" }));
        line.textContent = text;
    }

    #clearLine() {
        this.frame?.querySelector(".converting")?.remove();
    }

    // The line disappears with the early picture, when the sharp one or the movie is shown.
    #downloading({ id, progress }) {
        if (!this.isOpen || this.asset?.id !== id || this.converting === id) return;
        const isShown = this.frame.querySelector("img.main, .unshowable, video[src]") !== null;
        if (progress >= 1 || isShown && !this.liveAsked) this.#clearLine();
        else this.#line(`${t("viewer.downloading")} ${Math.round(progress * 100)} %`);
    }

    #movieChanged({ id, state, progress, message }) {
        if (!this.isOpen || this.converting !== id || this.asset?.id !== id) return;
        const line = this.frame.querySelector(".converting");
        if (state === "ready") {
            this.converting = null;
            this.liveAsked = null;
            if (this.asset.live) this.#playLive();
            else this.#presentMovie(this.asset, this.frame);
        } else if (state === "cancelled") {
            this.converting = null;
            this.liveAsked = null;
            if (this.asset.type === "video") this.#presentMovie(this.asset, this.frame);
        } else if (state === "failed" && line) line.textContent = message ?? t("viewer.unshowable");
        else if (line && progress !== undefined) line.textContent = `${t("viewer.converting")} ${Math.round(progress * 100)} %`;
    }

    async #playLive() {
        const { asset, frame } = this;
        if (!asset?.live || this.liveAsked === frame) return;
        this.liveAsked = frame;
        const ready = await this.#movieIsReady(asset);
        if (ready === null || this.frame !== frame) return;
        this.#clearLine();
        if (!ready) {
            this.converting = asset.id;
            this.liveBadge.classList.add("waiting");
            return;
        }
        this.liveBadge.classList.remove("waiting");
        const movie = el("video.live", { playsinline: true, src: movieURL(asset), "aria-hidden": "true" });
        const end = () => {
            movie.remove();
            this.liveAsked = null;
            this.liveBadge.classList.remove("playing");
        };
        movie.addEventListener("playing", () => this.liveBadge.classList.add("playing"));
        movie.addEventListener("ended", end);
        movie.addEventListener("error", end);
        add(frame, movie);
        movie.play().catch(() => {
            movie.muted = true;
            movie.play().catch(end);
        });
    }

    /** Shows the original instead of the edit, or the edit again. */
    #compare(wanted) {
        if (!this.asset?.adjusted) return;
        this.compared = wanted;
        this.node.classList.toggle("comparing", wanted);
        this.buttons.compare.setAttribute("aria-pressed", String(wanted));
        const { asset, frame } = this;
        const image = el("img.main", { alt: assetLabel(asset), src: pictureURL(asset, { size: large(), version: wanted ? "original" : "current" }) });
        image.decode().then(() => {
            if (this.frame !== frame || this.compared !== wanted) return;
            frame.style.aspectRatio = `${image.naturalWidth} / ${image.naturalHeight}`;
            frame.style.setProperty("--ratio", String(image.naturalWidth / image.naturalHeight));
            fill(frame, image, wanted ? el("span.original", {}, t("viewer.original")) : null);
        }, () => {});
    }

    #drawBar() {
        const { asset, buttons } = this;
        fill(this.title, el("strong", {}, isolated(asset.title || asset.filename || "")), el("span", {}, timeText(asset.date, clockOffset(asset), { dateStyle: "long", timeStyle: "short" })));
        const heart = buttons.favorite;
        fill(heart, icon("heart", asset.favorite));
        heart.setAttribute("aria-pressed", String(Boolean(asset.favorite)));
        buttons.compare.classList.toggle("hidden", !asset.adjusted);
        buttons.compare.setAttribute("aria-pressed", String(Boolean(this.compared)));
        buttons.burst.classList.toggle("hidden", !asset.burst);
        buttons.edit.classList.toggle("hidden", asset.type !== "image" || Boolean(asset.deletedDate));
        this.before.disabled = this.place <= 0;
        this.after.disabled = this.place >= this.grid.list.count - 1;
        buttons.info.setAttribute("aria-pressed", String(this.showsInfo));
    }

    toggleInfo() {
        this.showsInfo = !this.showsInfo;
        this.info.node.classList.toggle("hidden", !this.showsInfo);
        this.node.classList.toggle("with-info", this.showsInfo);
        this.#drawBar();
        if (this.showsInfo) this.info.show(this.asset);
    }

    /** Follows a change of the list: keeps its asset, or shows the next if it was removed. */
    listChanged(shift) {
        if (!this.isOpen) return;
        const { list } = this.grid;
        const after = shift(this.place);
        if (after !== null) {
            this.place = after;
            const asset = list.at(after);
            if (asset) this.#present(asset);
        } else if (list.count === 0) this.close();
        else this.#show(Math.min(this.place, list.count - 1));
    }

    /** Updates the info panel after assets changed, in any list. */
    assetsChanged(ids) {
        // Without identifiers, any asset may have changed.
        const isConcerned = ids === null || ids.includes(this.asset?.id);
        if (this.isOpen && this.showsInfo && isConcerned) this.info.show(this.asset);
    }

    // The bars fade out after some time without movement, except while they have the focus.
    #wake() {
        this.node.classList.remove("idle");
        clearTimeout(this.sleep);
        this.sleep = setTimeout(() => {
            if (!this.node.matches(":has(.viewer-bar :focus-visible)") && !this.showsInfo) this.node.classList.add("idle");
        }, 3500);
    }

    #key(event) {
        if (isTyping(event) || event.altKey || stepKey(event)) return;
        const inMovie = event.target.tagName === "VIDEO";
        const run = {
            ArrowRight: () => this.zoom.scale > 1 ? this.zoom.pan(-80, 0) : this.step(1),
            ArrowLeft: () => this.zoom.scale > 1 ? this.zoom.pan(80, 0) : this.step(-1),
            ArrowDown: () => this.zoom.pan(0, -80),
            ArrowUp: () => this.zoom.pan(0, 80),
            Home: () => this.#show(0),
            End: () => this.#show(this.grid.list.count - 1),
            "+": () => this.zoom.to(this.zoom.scale * 1.5, null, null, true),
            "=": () => this.zoom.to(this.zoom.scale * 1.5, null, null, true),
            "-": () => this.zoom.to(this.zoom.scale / 1.5, null, null, true),
            0: () => this.zoom.to(1, null, null, true),
            i: () => this.toggleInfo(),
            f: () => this.actions.favorite(this.asset),
            ".": () => this.actions.favorite(this.asset),
            e: () => this.edit(this.asset),
            r: () => this.actions.rotate(this.asset, event.shiftKey ? -1 : 1),
            m: () => this.#compare(!this.compared),
            Delete: () => this.actions.delete(this.asset),
            Backspace: () => this.actions.delete(this.asset),
            Escape: () => this.close(),
            " ": () => {
                const movie = this.frame?.querySelector("video");
                if (movie?.paused) movie.play();
                else if (movie) movie.pause();
                else if (this.asset.live) this.#playLive();
                else this.step(1);
            },
        }[shortcutKey(event)];
        if (!run || event.ctrlKey || event.metaKey) return;
        if (inMovie && event.key !== "Escape") return;
        if (event.key === " " && event.target.closest("button")) return;
        event.preventDefault();
        event.stopPropagation();
        this.#wake();
        run();
    }
}
