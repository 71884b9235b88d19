// A cell of the grid, which exists before its asset is loaded.
import { add, el, icon } from "./dom.js";
import { pictureURL } from "./api.js";
import { clockOffset, dayText, durationText, t, timeText } from "./text.js";

// A stored thumbnail of 256 pixels covers a square of 192, so the usual cell needs no new one.
const sizes = [64, 128, 192, 256, 512, 1024];

/** The label of an asset for screen readers. */
export function assetLabel(asset) {
    const words = [t(`kind.${asset.type}`)];
    if (asset.live) words[0] = t("kind.live");
    if (asset.burst) words[0] = t("kind.burst", { n: asset.burstCount ?? 0 });
    if (asset.title) words.push(asset.title);
    words.push(asset.date ? timeText(asset.date, clockOffset(asset), { dateStyle: "long", timeStyle: "short" }) : dayText(""));
    if (asset.type === "video") words.push(durationText(asset.duration));
    if (asset.favorite) words.push(t("badge.favorite"));
    if (asset.adjusted) words.push(t("badge.edited"));
    if (asset.cloud === "away") words.push(t("badge.cloud"));
    return words.join(", ");
}

export class Cell {
    constructor(place) {
        this.place = place;
        this.asset = null;
        this.job = null;
        this.picture = null;
        this.mark = el("span.mark", { "aria-hidden": "true" }, icon("check"));
        this.badges = el("span.badges", { "aria-hidden": "true" });
        this.node = el("div.cell", { role: "gridcell", tabindex: "-1" }, this.badges, this.mark);
        this.node.cell = this;
    }

    /** Shows an asset. The picture is kept if the asset and its content are unchanged. */
    show(asset, look, loader) {
        const key = `${asset.id}/${asset.version}/${look.size}/${look.fit}`;
        if (this.asset !== asset) {
            this.asset = asset;
            this.node.setAttribute("aria-label", assetLabel(asset));
            this.#drawBadges(asset, look);
            this.node.draggable = true;
        }
        if (this.key === key) return;
        this.key = key;
        this.drop(loader);
        const common = { size: look.size, fit: look.fit };
        this.job = {
            key,
            cell: this,
            side: look.size,
            urls: [pictureURL(asset, { ...common, quality: "fast" }), pictureURL(asset, common)],
            show: (image, isSharp) => {
                image.className = isSharp ? "sharp" : "fast";
                if (this.picture) this.picture.replaceWith(image);
                else this.node.prepend(image);
                this.picture = image;
                this.node.classList.remove("broken");
                if (isSharp) this.job = null;
            },
            fail: () => {
                this.job = null;
                if (!this.picture) this.node.classList.add("broken");
            },
        };
        loader.add(this.job);
    }

    #drawBadges(asset, look) {
        this.badges.replaceChildren();
        if (look.side < 60) return;
        if (asset.type === "video") add(this.badges, el("span.time", {}, icon("play", true), look.side > 90 && durationText(asset.duration)));
        if (asset.live) add(this.badges, icon("live"));
        if (asset.burst) add(this.badges, icon("burst"));
        if (asset.adjusted && look.side > 100) add(this.badges, icon("edit"));
        if (asset.favorite) add(this.badges, icon("heart", true));
        if (asset.cloud === "away" && look.side > 100) add(this.badges, icon("cloud"));
        if (asset.deletedDate && look.side > 90) {
            const left = Math.max(0, Math.ceil(30 - (Date.now() - Date.parse(asset.deletedDate)) / 86_400_000));
            add(this.badges, el("span.time", {}, t("deleted.left", { n: left })));
        }
    }

    /** Draws the badges again, after a fact of the asset changed that is no change of the library. */
    refresh(look) {
        if (!this.asset) return;
        this.node.setAttribute("aria-label", assetLabel(this.asset));
        this.#drawBadges(this.asset, look);
    }

    /** Cancels the cell's request. */
    drop(loader) {
        if (this.job) loader.cancel(this.job);
        this.job = null;
    }
}

/** The size in pixels to request, from a small set, so that few renditions are made. */
export function sizeFor(side) {
    const wanted = side * Math.min(2, devicePixelRatio || 1);
    return sizes.find((size) => size >= wanted * 0.9) ?? 1024;
}
