// Maps the positions of a list when PhotoKit's change details are applied to it.

/**
 * Returns a function from an old position to the new one, or null for a removed position.
 *
 * `removed` and the first position of each pair in `moved` refer to the old list; `inserted` and
 * the second position refer to the new list. Removals are applied first, then insertions in
 * ascending order.
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
