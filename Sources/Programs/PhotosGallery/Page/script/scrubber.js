// The timeline scrubber beside the grid: drag, click or press arrow keys to scroll to a date.
import { el } from "./dom.js";
import { monthText, t } from "./text.js";

export class Scrubber {
    constructor(grid) {
        this.grid = grid;
        this.thumb = el("div.scrub-thumb");
        this.label = el("div.scrub-label", { "aria-hidden": "true" });
        this.marks = el("div.scrub-marks", { "aria-hidden": "true" });
        this.node = el("div.scrubber", {
            role: "slider", tabindex: "0", "aria-orientation": "vertical", "aria-label": t("grid.scrubber"),
            "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "0",
        }, this.marks, this.thumb, this.label);
        this.node.addEventListener("pointerdown", (event) => this.#grab(event));
        this.node.addEventListener("keydown", (event) => this.#step(event));
        this.node.addEventListener("pointermove", (event) => { if (!this.held) this.#hint(event); });
        this.node.addEventListener("pointerleave", () => { if (!this.held) this.node.classList.remove("hinting"); });
        grid.addEventListener("moved", () => this.draw());
        new ResizeObserver(() => { this.drawn = null; this.draw(); }).observe(this.node);
    }

    get #isUseful() {
        const { grid } = this;
        return grid.list?.count > 0 && grid.list.timeline.dated && grid.layout && grid.layout.height > grid.scroller.view * 2.5;
    }

    draw() {
        this.node.classList.toggle("hidden", !this.#isUseful);
        if (!this.#isUseful) return;
        const { grid } = this;
        if (this.drawn !== grid.layout) {
            this.drawn = grid.layout;
            this.#drawMarks();
        }
        const share = grid.scroller.top / Math.max(1, grid.scroller.limit);
        this.thumb.style.transform = `translateY(${share * (this.node.clientHeight - 4)}px)`;
        const day = this.#dayAt(grid.scroller.top + 60);
        if (day === this.day) return;
        this.day = day;
        this.node.setAttribute("aria-valuenow", String(Math.round(share * 100)));
        this.node.setAttribute("aria-valuetext", day ? monthText(day) : t("grid.undated"));
        if (this.held) this.#say(share);
    }

    #dayAt(y) {
        const { layout } = this.grid;
        return layout.sections[layout.sectionAt(y)]?.day ?? "";
    }

    #say(share, day = this.#dayAt(this.grid.scroller.top + 60)) {
        this.label.textContent = monthText(day, true);
        const height = this.node.clientHeight;
        this.label.style.transform = `translateY(${Math.max(0, Math.min(share * height - 16, height - 32))}px)`;
    }

    #hint(event) {
        const bounds = this.node.getBoundingClientRect();
        const share = Math.max(0, Math.min(1, (event.clientY - bounds.top) / bounds.height));
        this.node.classList.add("hinting");
        this.#say(share, this.#dayAt(share * this.grid.scroller.limit + 60));
    }

    #drawMarks() {
        const { layout, scroller } = this.grid;
        const height = this.node.clientHeight;
        const marks = [];
        let year = null;
        let last = -Infinity;
        let lastDot = -Infinity;
        let month = null;
        for (const section of layout.sections) {
            if (!section.day) continue;
            const y = section.top / Math.max(1, scroller.limit) * height;
            if (y > height - 8) break;
            if (section.day.slice(0, 4) !== year) {
                year = section.day.slice(0, 4);
                if (y - last < 26) continue;
                last = lastDot = y;
                const mark = el("span.scrub-year", {}, year);
                mark.style.top = `${y}px`;
                marks.push(mark);
            } else if (section.day.slice(0, 7) !== month && y - lastDot > 9 && y - last > 18) {
                lastDot = y;
                const dot = el("span.scrub-dot");
                dot.style.top = `${y}px`;
                marks.push(dot);
            }
            month = section.day.slice(0, 7);
        }
        this.marks.replaceChildren(...marks);
    }

    #grab(event) {
        event.preventDefault();
        this.node.focus({ preventScroll: true });
        this.node.setPointerCapture(event.pointerId);
        this.held = true;
        this.node.classList.add("held");
        const move = (at) => {
            const bounds = this.node.getBoundingClientRect();
            const share = Math.max(0, Math.min(1, (at.clientY - bounds.top) / bounds.height));
            this.grid.scroller.go(share * this.grid.scroller.limit);
            this.#say(share);
        };
        const end = () => {
            this.held = false;
            this.node.classList.remove("held", "hinting");
            this.node.removeEventListener("pointermove", move);
        };
        this.node.addEventListener("pointermove", move);
        this.node.addEventListener("pointerup", end, { once: true });
        this.node.addEventListener("pointercancel", end, { once: true });
        move(event);
    }

    // Arrow keys move by a month, page keys by a year.
    #step(event) {
        const by = { ArrowDown: 7, ArrowRight: 7, PageDown: 4, ArrowUp: -7, ArrowLeft: -7, PageUp: -4 }[event.key];
        const { layout, scroller } = this.grid;
        if (event.key === "Home" || event.key === "End") {
            event.preventDefault();
            scroller.go(event.key === "Home" ? 0 : scroller.limit);
        } else if (by) {
            event.preventDefault();
            const length = Math.abs(by);
            let index = layout.sectionAt(scroller.top + 60);
            const now = layout.sections[index]?.day.slice(0, length);
            const step = by > 0 ? 1 : -1;
            while (layout.sections[index + step] && layout.sections[index].day.slice(0, length) === now) index += step;
            if (step < 0) {
                const other = layout.sections[index].day.slice(0, length);
                while (layout.sections[index - 1]?.day.slice(0, length) === other) index -= 1;
            }
            scroller.go(layout.sections[index].top);
        }
    }
}
