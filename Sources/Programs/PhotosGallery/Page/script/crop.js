// The crop frame over a picture. It has eight handles, moves when dragged inside, and accepts keys.
import { add, el } from "./dom.js";
import { t } from "./text.js";

const smallest = 0.04;

export class CropFrame {
    constructor(changed) {
        this.changed = changed;
        this.crop = { x: 0, y: 0, width: 1, height: 1 };
        this.ratio = null;
        this.box = el("div.crop-box", { tabindex: "0", role: "group", "aria-label": t("edit.cropFrame") });
        for (const line of ["crop-v1", "crop-v2", "crop-h1", "crop-h2"]) add(this.box, el(`span.${line}`));
        for (const side of ["nw", "n", "ne", "e", "se", "s", "sw", "w"]) add(this.box, el(`span.crop-handle.${side}`, { "data-side": side }));
        this.node = el("div.crop-layer", {}, this.box);
        this.box.addEventListener("pointerdown", (event) => this.#grab(event));
        this.box.addEventListener("keydown", (event) => this.#key(event));
    }

    set(crop) {
        this.crop = { ...(crop ?? { x: 0, y: 0, width: 1, height: 1 }) };
        this.#draw();
    }

    /**
     * Sets the aspect ratio of the frame, or null for none; `aspect` is that of the whole picture.
     */
    setRatio(ratio, aspect) {
        this.ratio = ratio;
        this.aspect = aspect;
        if (!ratio) return;
        const share = ratio / aspect;
        const { x, y, width, height } = this.crop;
        const next = width / height > share ? { width: height * share, height } : { width, height: width / share };
        this.crop = { x: x + (width - next.width) / 2, y: y + (height - next.height) / 2, ...next };
        this.#draw();
        this.changed(this.crop);
    }

    #draw() {
        const { style } = this.box;
        style.left = `${this.crop.x * 100}%`;
        style.top = `${this.crop.y * 100}%`;
        style.width = `${this.crop.width * 100}%`;
        style.height = `${this.crop.height * 100}%`;
    }

    #grab(event) {
        event.preventDefault();
        event.stopPropagation();
        this.box.focus({ preventScroll: true });
        const side = event.target.dataset.side ?? "";
        const bounds = this.node.getBoundingClientRect();
        const start = { ...this.crop };
        this.box.setPointerCapture(event.pointerId);
        const move = (at) => {
            this.#pull(side, start, (at.clientX - event.clientX) / bounds.width, (at.clientY - event.clientY) / bounds.height);
        };
        const end = () => {
            this.box.removeEventListener("pointermove", move);
            this.changed(this.crop);
        };
        this.box.addEventListener("pointermove", move);
        this.box.addEventListener("pointerup", end, { once: true });
        this.box.addEventListener("pointercancel", end, { once: true });
    }

    #pull(side, start, dx, dy) {
        let { x, y } = start;
        let right = start.x + start.width;
        let bottom = start.y + start.height;
        const within = (value, low, high) => Math.max(low, Math.min(high, value));
        if (!side) {
            x = within(x + dx, 0, 1 - start.width);
            y = within(y + dy, 0, 1 - start.height);
            this.crop = { ...start, x, y };
            this.#draw();
            return;
        }
        if (side.includes("w")) x = within(x + dx, 0, right - smallest);
        if (side.includes("e")) right = within(right + dx, x + smallest, 1);
        if (side.includes("n")) y = within(y + dy, 0, bottom - smallest);
        if (side.includes("s")) bottom = within(bottom + dy, y + smallest, 1);
        if (this.ratio) {
            const share = this.ratio / this.aspect;
            let width = right - x;
            let height = bottom - y;
            if (side === "n" || side === "s") width = height * share;
            else height = width / share;
            const roomX = side.includes("w") ? right : 1 - x;
            const roomY = side.includes("n") ? bottom : 1 - y;
            const shrink = Math.min(1, roomX / width, roomY / height);
            width *= shrink;
            height *= shrink;
            if (side.includes("w")) x = right - width;
            else right = x + width;
            if (side.includes("n")) y = bottom - height;
            else bottom = y + height;
        }
        this.crop = { x, y, width: right - x, height: bottom - y };
        this.#draw();
    }

    #key(event) {
        const step = { ArrowLeft: [-0.01, 0], ArrowRight: [0.01, 0], ArrowUp: [0, -0.01], ArrowDown: [0, 0.01] }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        this.#pull(event.shiftKey ? "se" : "", { ...this.crop }, ...step);
        this.changed(this.crop);
    }
}
