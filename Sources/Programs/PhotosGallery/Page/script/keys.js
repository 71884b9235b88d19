// The secret that proves to the server that a request comes from this page. Browsers send cookies
// to every port of a host, but storage belongs to an origin, which includes the port.
const place = "photos.session";
let text = null;
let keys = null;

// Read each time, because another window may have signed in again.
function read() {
    try {
        const stored = localStorage.getItem(place);
        if (stored !== text) [text, keys] = [stored, JSON.parse(stored)];
    } catch {
        // Without storage, there are no keys.
        [text, keys] = [null, null];
    }
    return keys;
}

/** The secret for the header of each request; null if not signed in. */
export const secret = () => read()?.secret ?? null;

/** The key for the URL of a picture, movie, download or event stream. */
export const mediaKey = (family) => read()?.keys?.[family] ?? null;

/** Stores the session from the server; returns whether the browser could store it. */
export function keep(answer) {
    try {
        localStorage.setItem(place, JSON.stringify(answer));
        return secret() !== null;
    } catch {
        return false;
    }
}

/** Removes the stored session. */
export function forget() {
    try {
        localStorage.removeItem(place);
    } catch {
        // Without storage, there is nothing to remove.
    }
}
