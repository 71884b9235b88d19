// Where the places of a list go when PhotoKit's change details are applied to it.

/**
 * A function from a place before to the place after, or null for what was taken out.
 *
 * `removed` and the first of each pair in `moved` count in the list before, `inserted` and the second in the
 * list after: what goes is taken out first, then what comes is put in, in ascending order.
 */
export function shifting({ removed = [], moved = [], inserted = [] }) {
    const out = [...removed, ...moved.map(([from]) => from)].sort((a, b) => a - b);
    const gone = new Set(removed);
    const movedTo = new Map(moved);
    const into = [...inserted.map((entry) => entry.index), ...moved.map(([, to]) => to)].sort((a, b) => a - b);
    return (place) => {
        if (gone.has(place)) return null;
        if (movedTo.has(place)) return movedTo.get(place);
        let low = 0;
        let high = out.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (out[middle] < place) low = middle + 1;
            else high = middle;
        }
        let after = place - low;
        for (const index of into) {
            if (index > after) break;
            after += 1;
        }
        return after;
    };
}
