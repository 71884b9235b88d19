// The choice of a folder of the computer on which the gallery runs, and of the options of the
// library of another program or the export that it is.
import { add, el, fill, icon, isolated, round } from "./dom.js";
import { get, query } from "./api.js";
import { attempt, dialog } from "./dialog.js";
import { t } from "./text.js";

/**
 * Asks for a folder and its options; resolves with the request of the import, or null.
 *
 * `former` is the request to begin with.
 */
export function chooseSource(former) {
    // The menu's item ends with an ellipsis.
    const title = t("import.machine").replace(/\s*…$/, "");
    return dialog(title, (close) => new SourceForm(former, close).node, { kind: "import-source" });
}

let counter = 0;

class SourceForm {
    constructor(former, close) {
        this.here = null;
        this.field = el("input", { type: "text", id: "folder-path", "aria-label": t("import.path"), spellcheck: "false", autocomplete: "off" });
        this.field.addEventListener("change", () => this.#go(this.field.value));
        this.list = el("div.choices.folder-list");
        this.count = el("span.soft", { role: "status" });
        this.kind = el("div.source-kind.hidden", { role: "status" });
        this.shared = this.#option("shared-albums", t("import.sharedAlbums"), t("import.sharedAlbumsHint"), former?.sharedAlbums);
        this.proxies = this.#option("proxies", t("import.proxies"), t("import.proxiesHint"), former?.proxies);
        this.volumes = el("ul.source-volumes");
        for (const [name, path] of Object.entries(former?.volumes ?? {})) this.#addVolume(name, path);
        this.options = el("fieldset.source-options.hidden", {},
            el("legend", {}, t("import.options")), this.shared.node, this.proxies.node,
            el("div.source-part", { role: "group", "aria-label": t("import.volumes") },
                el("span", {}, t("import.volumes")), el("span.soft.hint", {}, t("import.volumesHint")), this.volumes,
                el("button.push", { type: "button", onclick: () => this.#addVolume("", "").focus() }, icon("plus"), t("import.addVolume"))));
        const choose = (dryRun) => close(this.#request(dryRun));
        this.previewButton = el("button.push", { type: "button", onclick: () => choose(true) }, t("import.preview"));
        this.beginButton = el("button.primary", { type: "button", onclick: () => choose(false) }, t("import.begin"));
        this.node = el("div.sheet-body", {}, this.field, this.kind, this.list, this.options,
            el("div.sheet-ends", {}, this.count, this.previewButton, this.beginButton));
        this.#go(former?.folder ?? null);
    }

    #option(name, label, hint, isChosen) {
        const id = `source-${name}`;
        const box = el("input", { type: "checkbox", id, checked: isChosen ?? false, "aria-describedby": `${id}-hint` });
        const node = el("div.source-option", {}, box, el("div", {},
            el("label", { for: id }, label), el("span.soft.hint", { id: `${id}-hint` }, hint)));
        return { box, node };
    }

    /** Adds a row for a disk; returns its first field. */
    #addVolume(name, path) {
        const number = counter += 1;
        const [nameID, pathID] = [`volume-name-${number}`, `volume-path-${number}`];
        const nameField = el("input", { type: "text", id: nameID, value: name, spellcheck: "false", autocomplete: "off" });
        const pathField = el("input", { type: "text", id: pathID, value: path, placeholder: "/media/…", spellcheck: "false", autocomplete: "off" });
        const row = el("li.source-volume", {},
            el("div", {}, el("label", { for: nameID }, t("import.volumeName")), nameField),
            el("div", {}, el("label", { for: pathID }, t("import.volumePath")), pathField),
            round("close", t("import.removeVolume"), () => {
                row.remove();
                this.options.querySelector("button.push").focus();
            }));
        row.volume = () => [nameField.value.trim(), pathField.value.trim()];
        add(this.volumes, row);
        return nameField;
    }

    #go(to) {
        return attempt(async () => {
            this.here = await get("/api/folders" + query({ path: to }));
            this.#draw();
        });
    }

    #draw() {
        const { path, parent, folders, files, kind, reason } = this.here;
        this.field.value = path;
        // The folders inside of a library are of no use, unless they are the way out.
        const isLibrary = kind === "applePhotos" || kind === "photosExport";
        fill(this.list,
            parent && el("button.choice", { type: "button", onclick: () => this.#go(parent) }, icon("back"), el("span", {}, "..")),
            !isLibrary && folders.map((name) => el("button.choice", { type: "button", onclick: () => this.#go(path.replace(/\/$/, "") + "/" + name) }, icon("folder"), el("bdi", {}, name))));
        this.list.classList.toggle("short", isLibrary);
        this.count.textContent = isLibrary ? "" : t("import.filesHere", { n: files });
        const isPlain = kind === "files";
        this.kind.classList.toggle("hidden", isPlain);
        this.kind.classList.toggle("refused", Boolean(reason));
        fill(this.kind, !isPlain && [icon(reason ? "info" : "album"), el("div", {},
            el("strong", {}, t(`import.kind.${kind}`)),
            el("span.soft.hint", {}, reason ? isolated(reason) : t(`import.kindHint.${kind}`)))]);
        this.options.classList.toggle("hidden", kind !== "applePhotos");
        this.previewButton.disabled = Boolean(reason);
        this.beginButton.disabled = Boolean(reason);
        this.beginButton.textContent = t(isPlain ? "import.begin" : "import.title");
    }

    #request(dryRun) {
        const request = { folder: this.here?.path ?? this.field.value, dryRun };
        if (this.here?.kind !== "applePhotos") return request;
        const volumes = [...this.volumes.children].map((row) => row.volume()).filter(([name, path]) => name || path);
        return { ...request, sharedAlbums: this.shared.box.checked, proxies: this.proxies.box.checked, volumes: Object.fromEntries(volumes) };
    }
}
