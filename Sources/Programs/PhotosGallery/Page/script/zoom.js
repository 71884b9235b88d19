// Zooms and pans a picture by wheel, pinch, double click, drag and keys.
import { isCalm } from "./dom.js";

export class Zoom {
    constructor(stage, { swiped, tapped, changed }) {
        this.stage = stage;
        this.swiped = swiped;
        this.tapped = tapped;
        this.changed = changed;
        this.pointers = new Map();
        this.reset();
        stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
        stage.addEventListener("pointerdown", (event) => this.#down(event));
        stage.addEventListener("pointermove", (event) => this.#move(event));
        stage.addEventListener("pointerup", (event) => this.#up(event));
        stage.addEventListener("pointercancel", (event) => this.#up(event));
        stage.addEventListener("dblclick", (event) => {
            if (event.target.closest("button, video")) return;
            this.to(this.scale > 1 ? 1 : 2.5, event.clientX, event.clientY, true);
        });
    }

    reset() {
        this.scale = 1;
        this.x = 0;
        this.y = 0;
        this.pointers.clear();
        this.#apply(false);
    }

    /** Sets the scale; the given point of the window stays in place. */
    to(scale, clientX = null, clientY = null, smooth = false) {
        const bounds = this.stage.getBoundingClientRect();
        const px = (clientX ?? bounds.left + bounds.width / 2) - bounds.left - bounds.width / 2;
        const py = (clientY ?? bounds.top + bounds.height / 2) - bounds.top - bounds.height / 2;
        const next = Math.max(1, Math.min(12, scale));
        const ratio = next / this.scale;
        this.x = px - (px - this.x) * ratio;
        this.y = py - (py - this.y) * ratio;
        this.scale = next;
        this.#apply(smooth);
    }

    pan(dx, dy) {
        this.x += dx;
        this.y += dy;
        this.#apply(true);
    }

    #apply(smooth) {
        const width = this.stage.clientWidth;
        const height = this.stage.clientHeight;
        const roomX = width * (this.scale - 1) / 2;
        const roomY = height * (this.scale - 1) / 2;
        this.x = Math.max(-roomX, Math.min(roomX, this.x));
        this.y = Math.max(-roomY, Math.min(roomY, this.y));
        const { target } = this;
        if (target) {
            target.style.transition = smooth && !isCalm() ? "transform .18s ease-out" : "none";
            target.style.transform = this.scale === 1 ? "none" : `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
        }
        this.stage.classList.toggle("zoomed", this.scale > 1);
        this.changed?.(this.scale);
    }

    /** Sets the element to transform, and resets the zoom. */
    hold(target) {
        this.target = target;
        this.reset();
    }

    #wheel(event) {
        if (event.target.closest("video") && !event.ctrlKey) return;
        event.preventDefault();
        if (event.ctrlKey || event.deltaMode === 0 && Math.abs(event.deltaY) >= 40 || this.scale === 1) {
            this.to(this.scale * Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), event.clientX, event.clientY);
        } else {
            this.x -= event.deltaX;
            this.y -= event.deltaY;
            this.#apply(false);
        }
    }

    #down(event) {
        if (event.button > 0 || event.target.closest("button, video, a")) return;
        this.stage.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (this.pointers.size === 1) this.start = { x: event.clientX, y: event.clientY, time: event.timeStamp, moved: 0 };
    }

    #move(event) {
        const before = this.pointers.get(event.pointerId);
        if (!before) return;
        const now = { x: event.clientX, y: event.clientY };
        if (this.pointers.size === 2) {
            const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
            const ratio = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
            this.to(this.scale * ratio, (now.x + other.x) / 2, (now.y + other.y) / 2);
            this.start.moved = Infinity;
        } else if (this.scale > 1) {
            this.x += now.x - before.x;
            this.y += now.y - before.y;
            this.start.moved += Math.hypot(now.x - before.x, now.y - before.y);
            this.#apply(false);
        }
        this.pointers.set(event.pointerId, now);
    }

    #up(event) {
        if (!this.pointers.delete(event.pointerId) || event.type === "pointercancel" || !this.start) return;
        const dx = event.clientX - this.start.x;
        const dy = event.clientY - this.start.y;
        if (this.scale > 1 || this.start.moved === Infinity || this.pointers.size) return;
        if (Math.abs(dx) > 50 && Math.abs(dx) > Math.abs(dy) * 1.4) this.swiped(dx < 0 ? "next" : "previous");
        else if (dy > 90 && event.pointerType !== "mouse") this.swiped("down");
        else if (Math.hypot(dx, dy) < 6 && event.pointerType !== "mouse") this.tapped?.();
    }
}
