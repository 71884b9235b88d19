// The virtualized grid. It renders only the rows in and near the view, at computed positions, so
// that the cost does not depend on the number of assets.
import { el, fill, icon } from "./dom.js";
import { Cell, sizeFor } from "./cell.js";
import { firstLevel, Layout, levels } from "./layout.js";
import { PictureLoader } from "./loader.js";
import { Ranges } from "./ranges.js";
import { Scroller } from "./scroller.js";
import { dayText, monthText, t, widestMonth, yearText } from "./text.js";

const flying = 4; // pixels per millisecond above which no pictures are loaded

export class Grid extends EventTarget {
    constructor() {
        super();
        this.canvas = el("div.canvas", { role: "presentation" });
        this.box = el("div.grid", { role: "grid", "aria-multiselectable": "true", tabindex: "0" }, this.canvas);
        this.blank = el("div.blank.hidden");
        this.node = el("div.grid-frame", {}, this.box, this.blank);
        this.loader = new PictureLoader();
        this.loader.rank = (job) => Math.abs(job.cell.place - this.middle);
        this.selection = new Ranges();
        this.selecting = false;
        this.cells = new Map();
        this.rows = new Map();
        this.level = this.#stored("level", firstLevel);
        this.fit = this.#stored("fit", "fill");
        this.focused = null;
        this.anchor = null;
        this.middle = 0;
        this.list = null;
        this.layout = null;
        this.scroller = new Scroller(this.box, this.canvas, () => this.#schedule());
        this.moment = { time: 0, top: 0 };
        new ResizeObserver(() => this.relayout()).observe(this.box);
    }

    #stored(name, otherwise) {
        try {
            const value = localStorage.getItem("grid." + name);
            if (name === "level") return value === null ? otherwise : Math.max(0, Math.min(levels.length - 1, Number(value) || 0));
            return value ?? otherwise;
        } catch {
            return otherwise;
        }
    }

    #store(name, value) {
        try {
            localStorage.setItem("grid." + name, String(value));
        } catch {
            // Without storage, the setting lasts until the page is closed.
        }
    }

    // MARK: Content

    /** Shows a loaded list from its beginning, or at the position that `held` describes. */
    show(list, { held = null } = {}) {
        this.list = list;
        list.arrived = () => this.#schedule();
        this.selection.clear();
        this.setSelecting(false);
        this.focused = null;
        this.anchor = null;
        this.#clear();
        this.#layOut();
        if (held) this.#release({ ...held, place: Math.min(held.place, Math.max(0, list.count - 1)) });
        else this.scroller.resize(this.layout.height, 0);
        this.#drawBlank();
        this.#selected();
        this.render();
    }

    /** Shows other content in place of a list, and removes the list. */
    showInstead(...content) {
        this.setSelecting(false);
        this.#clear();
        this.list = null;
        this.layout = null;
        this.focused = null;
        this.anchor = null;
        this.box.classList.add("hidden");
        this.blank.classList.remove("hidden");
        fill(this.blank, ...content);
    }

    /**
     * Applies change details and keeps the scroll position. Returns the map of positions, or null.
     */
    apply(details) {
        const held = this.hold();
        const hasKeyboard = this.#hasKeyboard;
        const before = this.list.timeline;
        const shift = this.list.apply(details);
        if (!shift) return null;
        const cells = new Map();
        for (const [place, cell] of this.cells) {
            const after = shift(place);
            if (after === null) cell.drop(this.loader);
            else {
                cell.place = after;
                cells.set(after, cell);
            }
        }
        this.cells = cells;
        this.selection = this.selection.shifted(shift, details);
        if (this.focused !== null) this.focused = shift(this.focused) ?? Math.max(0, Math.min(this.focused, this.list.count - 1));
        if (this.anchor !== null) this.anchor = shift(this.anchor);
        if (held) held.place = shift(held.place) ?? Math.min(held.place, Math.max(0, this.list.count - 1));
        for (const row of this.rows.values()) row.remove();
        this.rows.clear();
        this.#layOut();
        if (before.count === 0) this.scroller.resize(this.layout.height, 0);
        else this.#release(held);
        this.#drawBlank();
        this.#selected();
        this.render();
        if (hasKeyboard) this.#keepKeyboard();
        return shift;
    }

    #clear() {
        for (const cell of this.cells.values()) cell.drop(this.loader);
        this.cells.clear();
        this.rows.clear();
        this.canvas.replaceChildren();
    }

    #layOut() {
        const style = getComputedStyle(this.canvas);
        const width = Math.max(80, this.canvas.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
        this.left = parseFloat(style.paddingLeft);
        this.layout = new Layout(this.list.timeline, this.level, width, { lead: 4, tail: 90, monthRoom: this.#monthRoom() });
        this.box.setAttribute("aria-rowcount", String(this.layout.rowCount));
        this.box.setAttribute("aria-colcount", String(this.layout.columns));
        this.look = { side: this.layout.cell, size: sizeFor(this.layout.cell), fit: this.fit };
    }

    // The width of a text in a heading. Its font is in the style sheet.
    #width(text, kind) {
        const { fontFamily } = getComputedStyle(this.box);
        const [weight, size] = ["--weight", "--size"].map((part) => getComputedStyle(this.canvas).getPropertyValue(`${part}-${kind}`).trim());
        this.pen ??= document.createElement("canvas").getContext("2d");
        this.pen.font = `${weight} ${size} ${fontFamily}`;
        return this.pen.measureText(text).width;
    }

    #monthRoom() {
        const key = getComputedStyle(this.canvas).getPropertyValue("--size-month");
        if (this.months?.key !== key) this.months = { key, width: this.#width(widestMonth((text) => this.#width(text, "month")), "month") + 14 };
        return this.months.width;
    }

    /** The scroll anchor: the first asset that is fully in view; null at the top. */
    hold() {
        if (!this.layout || this.scroller.top < 2 || !this.layout.count) return null;
        const top = this.scroller.top;
        const place = this.layout.placeAt(top + this.layout.pitch * 0.7);
        return { place, id: this.list.at(place)?.id ?? null, below: this.layout.topOf(place) - top };
    }

    #release(held) {
        this.scroller.resize(this.layout.height, held ? this.layout.topOf(held.place) - held.below : 0);
    }

    /** Lays out the grid for a new width and keeps the scroll position. */
    relayout() {
        if (!this.list || !this.box.clientWidth) return;
        const held = this.hold();
        const columns = this.layout?.columns;
        const hasKeyboard = this.#hasKeyboard;
        this.#layOut();
        for (const row of this.rows.values()) row.remove();
        this.rows.clear();
        if (columns !== this.layout.columns || held) this.#release(held);
        else this.scroller.resize(this.layout.height, this.scroller.top);
        this.render();
        if (hasKeyboard) this.#keepKeyboard();
    }

    get #hasKeyboard() {
        return document.activeElement?.classList.contains("cell") === true && this.box.contains(document.activeElement);
    }

    // Rows are removed while they are laid out, which takes the focus from their cells.
    #keepKeyboard() {
        (this.cells.get(this.focused)?.node ?? this.box).focus({ preventScroll: true });
    }

    /** Sets the zoom level; the asset at `y` in the view, or in the middle, stays there. */
    setLevel(level, y = this.box.clientHeight / 2) {
        const wanted = Math.max(0, Math.min(levels.length - 1, level));
        if (wanted === this.level || !this.list) return;
        const atTop = this.scroller.top < 2;
        const place = this.focusIsVisible() ? this.focused : this.layout.placeAt(this.scroller.top + y);
        const below = this.layout.topOf(place) - this.scroller.top;
        this.level = wanted;
        this.#store("level", wanted);
        this.#clear();
        this.#layOut();
        this.scroller.resize(this.layout.height, atTop ? 0 : this.layout.topOf(place) - below);
        this.render();
        this.dispatchEvent(new Event("level"));
    }

    setFit(fit) {
        this.fit = fit;
        this.#store("fit", fit);
        if (this.list) this.#layOut();
        this.box.classList.toggle("whole", fit === "fit");
        this.render();
    }

    // MARK: Drawing

    #schedule() {
        if (this.frame) return;
        this.frame = requestAnimationFrame((time) => {
            this.frame = null;
            this.#measureSpeed(time);
            this.render();
        });
    }

    #measureSpeed(time) {
        const top = this.scroller.top;
        const speed = Math.abs(top - this.moment.top) / Math.max(1, time - this.moment.time);
        this.moment = { time, top };
        const fast = speed > flying;
        if (fast !== this.loader.paused) this.loader.pause(fast);
        if (fast) {
            clearTimeout(this.landing);
            this.landing = setTimeout(() => {
                this.loader.pause(false);
                this.#schedule();
            }, 120);
        }
    }

    render() {
        if (!this.layout || !this.list) return;
        const { layout, scroller } = this;
        this.box.classList.toggle("whole", this.fit === "fit");
        const view = scroller.view;
        const top = scroller.top;
        const spare = Math.min(view, 600) * 0.6;
        this.middle = layout.placeAt(top + view / 2);
        const seen = new Set();
        const used = new Set();
        let from = Infinity;
        let to = 0;
        let before = null;
        // Rows are in reading order in the document.
        const enter = (row, y) => {
            if (!row.isConnected) {
                if (before) before.after(row);
                else this.canvas.prepend(row);
            }
            before = row;
            this.#place(row, y);
        };
        layout.visit(top - spare, top + view + spare, (section, index) => {
            const key = `h${index}`;
            seen.add(key);
            const row = this.rows.get(key) ?? this.#makeHeading(key, section);
            enter(row, section.top);
        }, (section, line, y, start, end) => {
            const key = `r${section.start}/${line}`;
            seen.add(key);
            const row = this.rows.get(key) ?? this.#makeRow(key, section, line);
            enter(row, y);
            const cells = [];
            for (let place = start; place < end; place += 1) {
                cells.push(this.#cell(place, section.column + place - start).node);
                used.add(place);
            }
            if (row.childElementCount !== cells.length || row.firstChild !== cells[0] || row.lastChild !== cells.at(-1)) row.replaceChildren(...cells);
            from = Math.min(from, start);
            to = Math.max(to, end);
        });
        for (const [key, row] of this.rows) {
            if (seen.has(key)) continue;
            row.remove();
            this.rows.delete(key);
        }
        for (const [place, cell] of this.cells) {
            if (used.has(place)) continue;
            if (place === this.focused && cell.node.contains(document.activeElement)) this.box.focus({ preventScroll: true });
            cell.drop(this.loader);
            this.cells.delete(place);
        }
        if (from < to) this.list.want(from, to);
        this.dispatchEvent(new Event("moved"));
    }

    #place(row, y) {
        const at = Math.round((y - this.scroller.offset) * 100) / 100;
        if (row.at === at) return;
        row.at = at;
        row.style.transform = `translateY(${at}px)`;
    }

    #cell(place, column) {
        const { layout } = this;
        let cell = this.cells.get(place);
        if (!cell) {
            cell = new Cell(place);
            this.cells.set(place, cell);
        }
        const asset = this.list.at(place);
        if (asset) cell.show(asset, this.look, this.loader);
        const style = cell.node.style;
        if (cell.column !== column || cell.side !== layout.cell) {
            cell.column = column;
            cell.side = layout.cell;
            style.width = style.height = `${layout.cell}px`;
            style.transform = `translateX(${column * layout.pitch}px)`;
            cell.node.setAttribute("aria-colindex", String(column + 1));
        }
        const isSelected = this.selection.has(place);
        if (cell.isSelected !== isSelected) {
            cell.isSelected = isSelected;
            cell.node.setAttribute("aria-selected", String(isSelected));
        }
        cell.node.tabIndex = place === (this.focused ?? this.firstVisible()) ? 0 : -1;
        return cell;
    }

    firstVisible() {
        return this.layout.placeAt(this.scroller.top + this.layout.pitch * 0.5);
    }

    #makeRow(key, section, line) {
        const row = el("div.row", { role: "row", "aria-rowindex": section.firstRow + line + (section.heading ? 2 : 1) });
        row.style.height = `${this.layout.cell}px`;
        this.rows.set(key, row);
        return row;
    }

    #makeHeading(key, section) {
        const { by } = this.layout;
        const title = section.group ? t("duplicates.group", { n: section.group })
            : by === "year" ? yearText(section.day) : by === "month" ? monthText(section.day) : dayText(section.day);
        const pick = el("button.pick", {
            type: "button", tabindex: "-1", "aria-label": t("grid.selectSection", { title }),
            onclick: () => this.toggleSection(section),
        }, icon("check"));
        // A heading beside that of another day is as wide as the photos of its day.
        const room = section.isFollowed ? section.count * this.layout.pitch - this.layout.gap : Infinity;
        const isNarrow = room < Infinity && this.#width(title, "day") + 32 > room;
        const head = el("div.heading-text", { role: "rowheader" },
            section.opensMonth && section.day ? el("span.month", {}, monthText(section.day)) : null,
            el("span.heading-line", {}, el(`span.${section.group ? "day" : by}`, { title }, isNarrow ? dayText(section.day, true) : title), pick));
        if (room < Infinity) head.lastChild.style.maxWidth = `${room}px`;
        const row = el("div.heading", { role: "row", "aria-rowindex": section.firstRow + 1 }, head);
        row.style.height = `${section.heading}px`;
        if (section.column) row.style.left = `${this.left + section.column * this.layout.pitch}px`;
        if (section.opensMonth) row.classList.add("opens");
        this.rows.set(key, row);
        return row;
    }

    #drawBlank() {
        const isEmpty = this.list.count === 0;
        this.blank.classList.toggle("hidden", !isEmpty);
        this.box.classList.toggle("hidden", isEmpty);
        if (isEmpty) fill(this.blank, ...(this.emptyView?.(this.list) ?? []));
    }

    // MARK: Positions

    /** The position of the asset at a point of the window, or null. */
    placeUnder(x, y) {
        const node = document.elementFromPoint(x, y)?.closest?.(".cell");
        return node?.cell && this.cells.get(node.cell.place) === node.cell ? node.cell.place : null;
    }

    cellAt(place) {
        return this.cells.get(place) ?? null;
    }

    focusIsVisible() {
        if (this.focused === null) return false;
        const top = this.layout.topOf(this.focused);
        return top + this.layout.pitch > this.scroller.top && top < this.scroller.top + this.scroller.view;
    }

    /** Scrolls by the smallest distance that makes the asset fully visible. */
    reveal(place, middle = false) {
        const top = this.layout.topOf(place);
        const view = this.scroller.view;
        const now = this.scroller.top;
        const room = 56;
        if (middle) this.scroller.go(top - (view - this.layout.cell) / 2);
        else if (top - room < now) this.scroller.go(top - room);
        else if (top + this.layout.pitch > now + view) this.scroller.go(top + this.layout.pitch - view + 8);
        this.render();
    }

    /** Moves the focus to an asset. */
    focus(place, { scroll = true } = {}) {
        if (!this.list?.count) return;
        const before = this.focused;
        this.focused = Math.max(0, Math.min(place, this.list.count - 1));
        if (scroll) this.reveal(this.focused);
        const old = before === null ? null : this.cells.get(before);
        if (old) old.node.tabIndex = -1;
        const cell = this.cells.get(this.focused);
        if (cell) {
            cell.node.tabIndex = 0;
            cell.node.focus({ preventScroll: true });
        }
    }

    // MARK: Selection

    setSelecting(selecting) {
        this.selecting = selecting;
        this.node.classList.toggle("selecting", selecting);
        if (!selecting) this.selection.clear();
        this.#selected();
    }

    /** Toggles the selection of an asset, or adds the range from the last one. */
    toggle(place, { range = false } = {}) {
        if (range && this.anchor !== null) {
            this.selection.add(Math.min(this.anchor, place), Math.max(this.anchor, place) + 1);
        } else {
            this.selection.toggle(place);
            this.anchor = place;
        }
        this.#selected();
    }

    /** Selects the range from the anchor, as Shift with the arrow keys does. */
    extend(place) {
        if (this.anchor === null) this.anchor = this.focused ?? place;
        this.selection.clear();
        this.selection.add(Math.min(this.anchor, place), Math.max(this.anchor, place) + 1);
        this.#selected();
    }

    toggleSection(section) {
        this.selection.toggle(section.start, section.start + section.count);
        this.#selected();
    }

    selectAll() {
        this.selection = new Ranges();
        this.selection.add(0, this.list.count);
        this.#selected();
    }

    clearSelection() {
        this.selection.clear();
        this.anchor = null;
        this.#selected();
    }

    #selected() {
        for (const [place, cell] of this.cells) {
            const isSelected = this.selection.has(place);
            if (cell.isSelected === isSelected) continue;
            cell.isSelected = isSelected;
            cell.node.setAttribute("aria-selected", String(isSelected));
        }
        this.node.classList.toggle("has-selection", !this.selection.isEmpty);
        this.dispatchEvent(new Event("selection"));
    }
}

