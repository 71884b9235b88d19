// The bar that is displayed while hidden photos are visible: the remaining time and a lock button.
import { attempt } from "./dialog.js";
import { post } from "./api.js";
import { el, fill, icon } from "./dom.js";
import { t } from "./text.js";

export class Unlocked {
    /** `changed` is called when the state changes; `cleared` must remove all hidden photos. */
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

    /**
     * Sets the number of seconds for which hidden photos are visible; 0 or none for not visible.
     */
    set(seconds) {
        const was = this.isOpen;
        this.until = seconds ? Date.now() + seconds * 1000 : 0;
        clearInterval(this.clock);
        if (seconds) this.clock = setInterval(() => this.#draw(), 1000);
        this.#draw();
        if (this.isOpen !== was) this.changed(this.isOpen);
    }

    /** Locks hidden photos on the server and removes them from this window. */
    async lock() {
        await attempt(() => post("/api/hidden", { unlock: false }));
        this.clear();
    }

    /** Removes hidden photos after the server locked them. */
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
        // The response to the lock request clears the cache, so the request is also sent at the
        // end.
        if (this.until && !left) this.lock();
    }
}
