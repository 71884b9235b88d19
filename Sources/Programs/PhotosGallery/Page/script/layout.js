// The layout of the grid, computed from the timeline alone: the number of assets of each day.
// Assets need not be loaded, so a million are laid out at once, and nothing moves while they load.

/** The zoom levels: the target size of a cell, and the period of a heading. */
export const levels = [
    { side: 34, by: "year", gap: 1 },
    { side: 64, by: "month", gap: 2 },
    { side: 112, by: "day", gap: 3 },
    { side: 172, by: "day", gap: 4 },
    { side: 264, by: "day", gap: 6 },
    { side: 420, by: "day", gap: 8 },
];
export const firstLevel = 3;

const lengths = { year: 4, month: 7, day: 10 };

/** Merges the days of a year or month into sections; groups are sections of their own. */
function sectionsOf(timeline, by) {
    if (timeline.groups) return timeline.groups.map((count, index) => ({ day: "", count, group: index + 1 }));
    if (!timeline.dated) return [{ day: null, count: timeline.count }];
    const sections = [];
    let key = null;
    for (const [day, count] of timeline.days) {
        const own = day.slice(0, lengths[by]);
        if (own === key) sections[sections.length - 1].count += count;
        else sections.push({ day, count });
        key = own;
    }
    return sections;
}

export class Layout {
    /** @param monthRoom the width in pixels of the widest month name */
    constructor(timeline, level, width, { lead = 0, tail = 24, monthRoom = 0 } = {}) {
        const { side, by, gap } = levels[level];
        const wanted = width < 640 ? side * Math.max(0.62, width / 640) : width > 2200 ? side * 1.3 : side;
        this.by = by;
        this.gap = gap;
        this.columns = Math.max(level === levels.length - 1 ? 1 : 2, Math.round((width + gap) / (wanted + gap)));
        this.cell = (width - gap * (this.columns - 1)) / this.columns;
        this.pitch = this.cell + gap;
        this.sections = sectionsOf(timeline, by);
        this.bands = [];
        this.count = timeline.count;
        let top = lead;
        let start = 0;
        let row = 0;
        let month = null;
        let band = null;
        for (const section of this.sections) {
            const isDay = by === "day" && timeline.dated;
            const own = section.day?.slice(0, 7);
            section.opensMonth = isDay && own !== month;
            month = own;
            section.start = start;
            section.rows = Math.ceil(section.count / this.columns);
            // Short days share a row while there is room; short months do so in wide windows.
            const mayOpen = !section.opensMonth || band?.opens && this.columns >= 9;
            // A month name may be wider than its first day. The next month starts after the name.
            const title = section.opensMonth ? Math.ceil((monthRoom + gap) / this.pitch) : 0;
            const column = band ? Math.max(band.used, section.opensMonth ? band.titled : 0) : 0;
            const joins = isDay && band && mayOpen && column + Math.max(section.count, title) <= this.columns;
            if (!joins) {
                if (band) top = band.bottom;
                band = { used: 0, titled: 0, top, heading: this.#headingOf(section), opens: section.opensMonth };
                this.bands.push({ top, sections: [] });
            }
            const current = this.bands.at(-1);
            section.band = this.bands.length - 1;
            section.column = joins ? column : 0;
            section.isFollowed = false;
            if (joins) current.sections.at(-1).isFollowed = true;
            if (section.opensMonth) band.titled = section.column + title;
            section.top = band.top;
            section.heading = band.heading;
            section.firstRow = row;
            section.bottom = section.top + section.heading + section.rows * this.pitch;
            current.sections.push(section);
            band.used = section.rows > 1 ? this.columns : section.column + section.count;
            band.bottom = joins ? Math.max(band.bottom, section.bottom) : section.bottom;
            start += section.count;
            row += section.rows + (section.heading ? 1 : 0);
        }
        if (band) top = band.bottom;
        this.rowCount = row;
        this.height = top + tail;
    }

    #headingOf(section) {
        if (section.day === null) return 0;
        if (this.by !== "day" || section.group) return 56;
        return section.opensMonth ? 92 : 48;
    }

    /** The index of the first section at a vertical position. */
    sectionAt(y) {
        const band = this.bands[last(this.bands, (one) => one.top <= y)];
        return band ? this.sectionOf(band.sections[0].start) : 0;
    }

    sectionOf(place) {
        return last(this.sections, (section) => section.start <= place);
    }

    /** The top edge of the row that contains an asset. */
    topOf(place) {
        const section = this.sections[this.sectionOf(place)];
        if (!section) return 0;
        return section.top + section.heading + Math.floor((place - section.start) / this.columns) * this.pitch;
    }

    columnOf(place) {
        const section = this.sections[this.sectionOf(place)];
        return section ? section.column + (place - section.start) % this.columns : 0;
    }

    /** Calls back for each heading and row between two vertical positions. */
    visit(from, to, heading, row) {
        if (!this.count) return;
        for (let index = this.sectionAt(from); index < this.sections.length; index += 1) {
            const section = this.sections[index];
            if (section.top > to) return;
            if (section.heading && section.top + section.heading > from) heading(section, index);
            const inner = section.top + section.heading;
            const first = Math.max(0, Math.floor((from - inner) / this.pitch));
            const last = Math.min(section.rows - 1, Math.floor((to - inner) / this.pitch));
            for (let line = first; line <= last; line += 1) {
                const start = section.start + line * this.columns;
                const end = Math.min(start + this.columns, section.start + section.count);
                row(section, line, inner + line * this.pitch, start, end);
            }
        }
    }

    /** The first asset at a vertical position. */
    placeAt(y) {
        const section = this.sections[this.sectionAt(y)];
        if (!section) return 0;
        const line = Math.max(0, Math.min(section.rows - 1, Math.floor((y - section.top - section.heading) / this.pitch)));
        return Math.min(section.start + line * this.columns, Math.max(0, this.count - 1));
    }

    /** The position some rows above or below in the same column, across headings. */
    neighbour(place, lines) {
        let section = this.sections[this.sectionOf(place)];
        const column = section.column + (place - section.start) % this.columns;
        let line = Math.floor((place - section.start) / this.columns);
        const step = Math.sign(lines);
        for (let left = Math.abs(lines); left > 0; left -= 1) {
            line += step;
            if (line >= 0 && line < section.rows) continue;
            const band = this.bands[section.band + step];
            if (!band) {
                line -= step;
                break;
            }
            section = band.sections.findLast((one) => one.column <= column) ?? band.sections[0];
            line = step > 0 ? 0 : section.rows - 1;
        }
        const inner = Math.max(0, column - section.column);
        return Math.min(section.start + line * this.columns + inner, section.start + section.count - 1);
    }
}

/** The index of the last element that satisfies a condition, by binary search; 0 if none does. */
function last(list, holds) {
    let low = 0;
    let high = list.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (holds(list[middle])) low = middle;
        else high = middle - 1;
    }
    return low;
}
