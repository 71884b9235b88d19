// Hidden photos while they show: how long yet, and the way to lock them again.
import { attempt } from "./dialog.js";
import { post } from "./api.js";
import { el, fill, icon } from "./dom.js";
import { t } from "./text.js";

export class Unlocked {
    /** `changed` hears when they show, and `cleared` runs when they no longer do: nothing of them may stay. */
    constructor({ changed, cleared }) {
        this.changed = changed;
        this.cleared = cleared;
        this.until = 0;
        this.text = el("span", { role: "timer" });
        this.button = el("button.push", { type: "button", "data-action": "lock", onclick: () => this.lock() }, t("hidden.lock"));
        this.node = el("p.unlocked.hidden", {}, icon("hidden"), this.text, this.button);
    }

    get isOpen() {
        return this.until > Date.now();
    }

    /** They show for so many seconds from now on; 0 or nothing: they do not. */
    set(seconds) {
        const was = this.isOpen;
        this.until = seconds ? Date.now() + seconds * 1000 : 0;
        clearInterval(this.clock);
        if (seconds) this.clock = setInterval(() => this.#draw(), 1000);
        this.#draw();
        if (this.isOpen !== was) this.changed(this.isOpen);
    }

    /** Locks them on the server, and clears this window. */
    async lock() {
        await attempt(() => post("/api/hidden", { unlock: false }));
        this.clear();
    }

    /** Hears from the server that they are locked. */
    clear() {
        const was = this.until > 0;
        clearInterval(this.clock);
        this.until = 0;
        this.#draw();
        if (was) this.cleared();
    }

    #draw() {
        const left = Math.max(0, Math.ceil((this.until - Date.now()) / 1000));
        this.node.classList.toggle("hidden", !this.until);
        fill(this.text, t("hidden.open", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` }));
        // The cache is cleared by the answer that locks them, so the server is asked at the end, too.
        if (this.until && !left) this.lock();
    }
}
