// The rights of this browser: all, or view-only if it signed in with the view-only password. The
// server enforces them; the page only hides what is not allowed.
let only = false;

/** Whether this browser's session is view-only. */
export const viewsOnly = () => only;

export function setViewsOnly(value) {
    only = Boolean(value);
}
