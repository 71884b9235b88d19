// The scroll position in content of any height. Browsers limit elements to 17 to 33 million pixels,
// so taller content is mapped to a shorter element: small steps scroll by pixels, jumps by
// proportion.
const tallest = 8_000_000;

export class Scroller {
    /** @param box the scrolling element  @param canvas its only child, which sets the height */
    constructor(box, canvas, changed) {
        this.box = box;
        this.canvas = canvas;
        this.changed = changed;
        this.height = 0;
        this.offset = 0;
        this.last = 0;
        box.addEventListener("scroll", () => this.#scrolled(), { passive: true });
        box.addEventListener("scrollend", () => this.#settled());
    }

    get view() {
        return this.box.clientHeight;
    }

    /** The top edge of the view in the content. */
    get top() {
        return this.box.scrollTop + this.offset;
    }

    get limit() {
        return Math.max(0, this.height - this.view);
    }

    get isMapped() {
        return this.height > tallest;
    }

    get #room() {
        return Math.max(1, Math.min(this.height, tallest) - this.view);
    }

    /** Sets the height and the scroll position in one step. */
    resize(height, top) {
        this.height = height;
        this.canvas.style.height = `${Math.min(height, tallest)}px`;
        this.go(top);
    }

    /** Scrolls to a position at once. */
    go(top) {
        const wanted = Math.max(0, Math.min(top, this.limit));
        const low = this.isMapped ? Math.round(wanted / Math.max(1, this.limit) * this.#room) : wanted;
        this.offset = this.isMapped ? wanted - low : 0;
        this.box.scrollTop = low;
        // The browser may round scrollTop. The offset includes the difference, so the view is
        // exact.
        if (this.isMapped) this.offset = wanted - this.box.scrollTop;
        this.last = this.box.scrollTop;
        this.changed();
    }

    #scrolled() {
        const now = this.box.scrollTop;
        if (now === this.last) return;
        if (this.isMapped) {
            const far = Math.abs(now - this.last) > this.view * 2;
            const ended = now <= 0 || now >= this.#room;
            if (far || ended) this.offset = Math.round(now / this.#room * this.limit) - now;
            // Keeps small steps within the content.
            this.offset = Math.max(-now, Math.min(this.offset, this.limit - now));
        }
        this.last = now;
        this.changed();
    }

    // Small steps let the element drift from its proportional position; corrected after scrolling.
    #settled() {
        if (!this.isMapped) return;
        const share = this.top / Math.max(1, this.limit) * this.#room;
        if (Math.abs(share - this.box.scrollTop) > this.view * 4) this.go(this.top);
    }
}
