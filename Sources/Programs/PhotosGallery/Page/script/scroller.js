// A scroll position in a content of any height. Browsers cut elements off at 17 to 33 million pixels, so
// a higher content gets a lower stand-in: small steps go pixel by pixel, jumps by share of the whole.
const tallest = 8_000_000;

export class Scroller {
    /** @param box what scrolls  @param canvas the one child that gives it its height */
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

    /** The upper edge of what is in view. */
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

    /** Sets the height and where to be in it, in one step. */
    resize(height, top) {
        this.height = height;
        this.canvas.style.height = `${Math.min(height, tallest)}px`;
        this.go(top);
    }

    /** Goes there at once. */
    go(top) {
        const wanted = Math.max(0, Math.min(top, this.limit));
        const low = this.isMapped ? Math.round(wanted / Math.max(1, this.limit) * this.#room) : wanted;
        this.offset = this.isMapped ? wanted - low : 0;
        this.box.scrollTop = low;
        // The browser may round; the offset takes up the difference so that what shows stays exact.
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
            // Small steps never leave the content.
            this.offset = Math.max(-now, Math.min(this.offset, this.limit - now));
        }
        this.last = now;
        this.changed();
    }

    // Pixel steps let the stand-in drift from the true share; that is put right where nobody sees it.
    #settled() {
        if (!this.isMapped) return;
        const share = this.top / Math.max(1, this.limit) * this.#room;
        if (Math.abs(share - this.box.scrollTop) > this.view * 4) this.go(this.top);
    }
}
