// What this browser may do: all, or only view, where it came in by the password for that. The server refuses the
// rest by itself; the page does not offer it.
let only = false;

/** Whether this browser only views. */
export const viewsOnly = () => only;

export function setViewsOnly(value) {
    only = Boolean(value);
}
