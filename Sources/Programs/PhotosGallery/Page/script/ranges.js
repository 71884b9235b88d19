// A set of positions in a list, as disjoint ranges: a million adjacent positions are one range.
export class Ranges {
    constructor(list = []) {
        this.list = list;
    }

    get count() {
        return this.list.reduce((sum, [from, to]) => sum + to - from, 0);
    }

    get isEmpty() {
        return this.list.length === 0;
    }

    has(place) {
        return this.list.some(([from, to]) => from <= place && place < to);
    }

    covers(from, to) {
        return this.list.some(([start, end]) => start <= from && to <= end);
    }

    add(from, to) {
        if (from >= to) return;
        const kept = [];
        for (const [start, end] of this.list) {
            if (end < from || start > to) kept.push([start, end]);
            else {
                from = Math.min(from, start);
                to = Math.max(to, end);
            }
        }
        kept.push([from, to]);
        this.list = kept.sort((a, b) => a[0] - b[0]);
    }

    remove(from, to) {
        this.list = this.list.flatMap(([start, end]) => [
            [start, Math.min(end, from)],
            [Math.max(start, to), end],
        ].filter(([a, b]) => a < b));
    }

    toggle(from, to = from + 1) {
        if (this.covers(from, to)) this.remove(from, to);
        else this.add(from, to);
    }

    clear() {
        this.list = [];
    }

    /** The positions, in ascending order. */
    *places() {
        for (const [from, to] of this.list) for (let place = from; place < to; place += 1) yield place;
    }

    /** The set after change details; `shift` comes from `shifting`. */
    shifted(shift, details) {
        const cuts = new Set();
        for (const place of details.removed ?? []) cuts.add(place);
        for (const [from] of details.moved ?? []) cuts.add(from);
        const result = new Ranges();
        const puts = [...(details.inserted ?? []).map((entry) => entry.index), ...(details.moved ?? []).map(([, to]) => to)];
        for (const [from, to] of this.list) {
            // Remaining positions keep their order, so a range between two cuts stays one range,
            // except for the positions that were inserted into it.
            const inner = [...cuts].filter((cut) => from <= cut && cut < to).sort((a, b) => a - b);
            let start = from;
            for (const cut of [...inner, to]) {
                if (start < cut) {
                    const first = shift(start);
                    const last = shift(cut - 1);
                    result.add(first, last + 1);
                }
                start = cut + 1;
            }
        }
        for (const place of puts) result.remove(place, place + 1);
        for (const [from, to] of details.moved ?? []) if (this.has(from)) result.add(to, to + 1);
        return result;
    }
}
