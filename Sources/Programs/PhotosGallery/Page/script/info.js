// The info panel: everything that the library knows about an asset.
import { add, el, fill, icon, isolated, photo, round } from "./dom.js";
import { assetPath, get, resourceURL } from "./api.js";
import { askText, attempt, dialog } from "./dialog.js";
import { change } from "./changes.js";
import { changeDate } from "./dates.js";
import { mapSketch, placeText } from "./map.js";
import { viewsOnly } from "./rights.js";
import { bytes, clockOffset, durationText, has, listText, number, offsetText, t, timeText } from "./text.js";

const named = (key, value) => has(`${key}.${value}`) ? t(`${key}.${value}`) : String(value);

function exposureText(seconds) {
    return seconds >= 0.4 ? `${number(seconds, { maximumFractionDigits: 1 })} s` : `1/${number(Math.round(1 / seconds), { useGrouping: false })} s`;
}

export class InfoPanel {
    constructor({ go, near }) {
        this.go = go;
        this.near = near;
        this.body = el("div.info-body");
        this.node = el("aside.info", { "aria-label": t("viewer.info") }, this.body);
        this.id = null;
    }

    /** Loads and shows the details of an asset; the last call wins. */
    async show(asset) {
        const own = this.asked = {};
        if (this.id !== asset.id) fill(this.body, el("p.soft", {}, t("loading")));
        this.id = asset.id;
        const details = await attempt(() => get(assetPath(asset.id)));
        if (this.asked !== own) return;
        if (!details) {
            fill(this.body, el("p.soft", {}, t("error.unknown")));
            return;
        }
        this.details = details;
        this.draw(asset, details);
    }

    draw(asset, details) {
        const { body } = this;
        const held = document.activeElement?.dataset?.field;
        fill(body);
        this.#drawHead(asset, details);
        this.#drawWhen(asset, details);
        this.#drawCamera(details);
        this.#drawPlace(asset, details);
        this.#drawKind(asset, details);
        this.#drawFiles(asset, details);
        this.#drawAlbums(details);
        this.#drawIdentity(details);
        if (held) body.querySelector(`[data-field="${held}"]`)?.focus();
    }

    // Empty fields are displayed only if they can be edited.
    #field(name, label, value, empty, edit) {
        if (!value && viewsOnly()) return null;
        return el("div.info-line", {},
            el("div.info-text", {}, el("span.info-label", {}, label), el(`span.info-value${value ? "" : ".soft"}`, { "data-value": name }, value ? isolated(value) : empty)),
            edit && !viewsOnly() && round("pencil", t("info.edit", { field: label }), edit, { "data-field": name }));
    }

    #facts(title, pairs) {
        const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
        if (!shown.length) return;
        add(this.body, el("section.info-part", {}, el("h3", {}, title), el("dl.facts", {},
            shown.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, isolated(value))]))));
    }

    #drawHead(asset, details) {
        const ids = [asset.id];
        const write = async (action, label, value, convert = (text) => text, hint = label) => {
            const text = await askText(label, hint, value ?? "", t("save"));
            if (text !== null) change(action, { ids, value: convert(text) }, t(`did.${action}`, { n: 1 }));
        };
        const names = { rejected: -1, one: 1, two: 2, three: 3, four: 4, five: 5 };
        const rating = typeof details.rating === "string" ? names[details.rating] ?? 0 : details.rating ?? 0;
        const rate = (value) => change("rating", { ids, value: rating === value ? 0 : value }, t("did.rating", { n: 1 }));
        const reject = el("button.star.reject", {
            type: "button", role: "radio", "aria-checked": String(rating === -1), "aria-label": t("info.rejected"),
            title: t("info.rejected"), "data-field": "rejected", onclick: () => rate(-1),
        }, "✕");
        const stars = el("div.stars", { role: "radiogroup", "aria-label": t("info.rating") }, [1, 2, 3, 4, 5].map((value) => el("button.star", {
            type: "button", role: "radio", "aria-checked": String(rating === value), "aria-label": t("info.stars", { n: value }),
            "data-field": `star${value}`,
            onclick: () => rate(value),
        }, value <= rating ? "★" : "☆")).concat(reject));
        // A view-only session sees the rating without controls.
        const shownStars = viewsOnly() ? rating > 0 && el("div.stars", { role: "img", "aria-label": t("info.stars", { n: rating }) }, "★".repeat(rating)) : stars;
        add(this.body, el("section.info-part", {},
            el("h3.info-name", {}, isolated(details.title || details.originalFilename || t("info.untitled"))),
            this.#field("title", t("info.title"), details.title, t("info.add"), () => write("title", t("info.title"), details.title)),
            this.#field("caption", t("info.caption"), details.caption, t("info.add"), () => write("caption", t("info.caption"), details.caption)),
            this.#field("keywords", t("info.keywords"), (details.keywords ?? []).join(", "), t("info.add"),
                () => write("keywords", t("info.keywords"), (details.keywords ?? []).join(", "), (text) => text.split(",").map((word) => word.trim()).filter(Boolean), t("info.keywordsHint"))),
            shownStars));
    }

    #drawWhen(asset, details) {
        const capture = details.captureTime;
        const edit = () => changeDate(asset, () => ({ body: { ids: [asset.id] }, count: 1 }));
        add(this.body, el("section.info-part", {}, el("h3", {}, t("info.when")),
            this.#field("date", t("info.date"), asset.date && timeText(asset.date, clockOffset(asset), { dateStyle: "full", timeStyle: "medium" }), t("grid.undated"), edit),
            el("dl.facts", {}, [
                [t("info.zone"), capture?.utcOffset !== null && capture?.utcOffset !== undefined && offsetText(capture.utcOffset)],
                [t("info.wallTime"), capture?.wallTime?.replace("T", " ")],
                [t("info.dateFrom"), capture && listText([...new Set([named("dateSource", capture.wallTimeSource), named("dateSource", capture.dateSource)])])],
                [t("info.added"), details.addedDate && timeText(details.addedDate, null, { dateStyle: "medium", timeStyle: "short" })],
                [t("info.changed"), details.modificationDate && timeText(details.modificationDate, null, { dateStyle: "medium", timeStyle: "short" })],
            ].filter(([, value]) => value).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))));
    }

    #drawCamera(details) {
        const camera = details.camera ?? {};
        this.#facts(t("info.camera"), [
            [t("info.model"), [camera.make, camera.model].filter(Boolean).join(" ")],
            [t("info.lens"), camera.lens],
            [t("info.aperture"), camera.aperture && `ƒ/${number(camera.aperture)}`],
            [t("info.exposure"), camera.exposureTime && exposureText(camera.exposureTime)],
            ["ISO", camera.isoSpeed && number(camera.isoSpeed, { useGrouping: false })],
            [t("info.focal"), camera.focalLength && `${number(camera.focalLength)} mm${camera.focalLengthIn35mmFilm ? ` (${number(camera.focalLengthIn35mmFilm)} mm)` : ""}`],
            [t("info.software"), camera.software],
            [t("info.frameRate"), details.frameRate && `${number(details.frameRate, { maximumFractionDigits: 2 })} fps`],
        ]);
    }

    #drawPlace(asset, details) {
        const place = details.location;
        if (!place && viewsOnly()) return;
        const part = el("section.info-part", {}, el("h3", {}, t("info.place")));
        const edit = async () => {
            const text = await askText(t("info.place"), t("info.placeHint"), place ? `${place.latitude}, ${place.longitude}` : "", t("save"));
            const found = text?.match(/^\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*$/);
            if (found) change("location", { ids: [asset.id], value: { latitude: Number(found[1]), longitude: Number(found[2]) } }, t("did.location", { n: 1 }));
        };
        add(part, this.#field("place", t("info.coordinates"), place && placeText(place)
            + (place.altitude !== null && place.altitude !== undefined ? `, ${number(Math.round(place.altitude))} m` : ""), t("info.add"), edit));
        add(this.body, part);
        if (!place) return;
        const home = el("div.map-home");
        add(part, home);
        const draw = (span) => mapSketch(place, { span }).then((svg) => fill(home, svg, el("div.map-zoom", {},
            round("plus", t("map.closer"), () => draw(Math.max(4, span / 2))), round("minus", t("map.wider"), () => draw(Math.min(288, span * 2))))), () => {});
        add(part, el("button.push", { type: "button", "data-field": "near", onclick: () => this.near(place) }, icon("search"), t("info.near")));
        draw(36);
    }

    #drawKind(asset, details) {
        this.#facts(t("info.picture"), [
            [t("info.kind"), listText([named("kind", details.mediaType), ...(details.mediaSubtypes ?? []).map((name) => named("subtype", name))])],
            [t("info.size"), details.pixelWidth ? t("info.pixels", {
                width: number(details.pixelWidth, { useGrouping: false }), height: number(details.pixelHeight, { useGrouping: false }),
                million: number(details.pixelWidth * details.pixelHeight / 1e6, { maximumFractionDigits: 1 }),
            }) : null],
            [t("info.duration"), details.duration ? durationText(details.duration) : null],
            [t("info.type"), details.contentType],
            [t("info.playback"), details.playbackStyle && named("playback", details.playbackStyle)],
            [t("info.source"), listText((details.sourceType ?? []).map((name) => named("sourceType", name)))],
            [t("info.favorite"), details.isFavorite ? t("yes") : null],
            [t("info.hidden"), details.isHidden ? t("yes") : null],
            [t("info.burst"), details.burstIdentifier],
            [t("info.burstChoice"), listText((details.burstSelectionTypes ?? []).map((name) => named("burstChoice", name)))],
            [t("info.edited"), details.hasAdjustments ? [details.adjustmentFormatIdentifier,
                details.adjustmentTimestamp && timeText(details.adjustmentTimestamp, null, { dateStyle: "medium", timeStyle: "short" })].filter(Boolean).join(", ") || t("yes") : null],
            [t("info.versions"), listText((details.versions ?? []).map((version) => named("version", version.version)))],
        ]);
    }

    #drawFiles(asset, details) {
        const files = details.resources ?? [];
        if (!files.length) return;
        add(this.body, el("section.info-part", {}, el("h3", {}, t("info.files")), files.map((file, index) => el("div.file", {},
            el("div.info-line", {},
                el("div.info-text", {}, el("span.info-value", {}, isolated(file.originalFilename)), el("span.info-label", {}, [
                    named("resource", file.type), bytes(file.fileSize),
                    file.pixelWidth ? `${file.pixelWidth} × ${file.pixelHeight}` : null, file.uniformTypeIdentifier].filter(Boolean).join(" · "))),
                el("a.round", { href: resourceURL(asset, index), download: "", "aria-label": t("info.download", { name: file.originalFilename }), title: t("download") }, icon("download"))),
            el("details.hash", {}, el("summary", {}, "SHA-256"), el("code", {}, file.sha256), file.path && el("div.code", {}, isolated(file.path)))))));
    }

    #drawAlbums(details) {
        const albums = details.albums ?? [];
        if (!albums.length) return;
        add(this.body, el("section.info-part", {}, el("h3", {}, t("sidebar.albums")), el("div.chips", {}, albums.map((album) => el("button.push", {
            type: "button", onclick: () => this.go(`album/${album.localIdentifier.split("/")[0]}`),
        }, isolated(album.localizedTitle))))));
    }

    #drawIdentity(details) {
        add(this.body, el("section.info-part", {}, el("details.hash", {}, el("summary", {}, t("info.identity")),
            el("div.code", {}, details.localIdentifier), details.contentIdentifier && el("div.code", {}, details.contentIdentifier),
            details.contentVersion !== undefined && el("div.soft", {}, t("info.contentVersion", { n: details.contentVersion })))));
    }
}

/** Shows a dialog that selects the frames of a burst to keep. */
export function burstPicker(asset, { picture }) {
    return attempt(async () => {
        const burst = await get(assetPath(asset.id) + "/burst");
        const auto = new Set(burst.picks?.auto ?? []);
        const chosen = new Set(burst.picks?.user ?? []);
        await dialog(t("burst.title", { n: burst.assets.length }), (close) => {
            const large = el("div.burst-large");
            const keep = el("button.primary", { type: "button", onclick: async () => {
                await change("burstKeep", { burst: burst.burst ?? asset.burst, ids: [...chosen] }, t("did.burstKeep", { n: chosen.size }));
                close(true);
            } });
            const hint = el("span.soft", {}, t("burst.hint"));
            const drawKeep = () => {
                keep.classList.toggle("hidden", chosen.size === 0);
                hint.classList.toggle("hidden", chosen.size === 0);
                keep.textContent = t("burst.keep", { n: chosen.size });
            };
            const showLarge = (frame) => fill(large, photo({ src: picture(frame, 1024), alt: "" }));
            const strip = el("div.burst-strip", { role: "group", "aria-label": t("burst.frames") }, burst.assets.map((frame, index) => {
                const button = el("button.burst-frame", {
                    type: "button", "aria-pressed": String(chosen.has(frame.id)),
                    "aria-label": t("burst.frame", { n: index + 1 }) + (auto.has(frame.id) ? `, ${t("burst.suggested")}` : ""),
                    onfocus: () => showLarge(frame), onpointerenter: () => showLarge(frame),
                    onclick: () => {
                        const isChosen = !chosen.has(frame.id);
                        if (isChosen) chosen.add(frame.id);
                        else chosen.delete(frame.id);
                        button.setAttribute("aria-pressed", String(isChosen));
                        change("burstPick", { ids: [frame.id], value: isChosen }, null);
                        drawKeep();
                    },
                }, photo({ src: picture(frame, 256), alt: "" }), auto.has(frame.id) && el("span.burst-star", { "aria-hidden": "true" }, "★"),
                el("span.mark", { "aria-hidden": "true" }, icon("check")));
                return button;
            }));
            drawKeep();
            showLarge(burst.assets.find((frame) => frame.id === burst.key) ?? burst.assets[0]);
            return el("div.sheet-body", {}, large, strip, el("div.sheet-ends", {},
                hint, keep));
        }, { wide: true });
    });
}
