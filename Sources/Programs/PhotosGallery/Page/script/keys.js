// What proves to the server that this page asks: browsers send the cookie to every server of a host, whatever
// its port, but what a page stores belongs to its origin, of which the port is a part.
const place = "photos.session";
let text = null;
let keys = null;

// Read each time, since another window may have come in anew.
function read() {
    try {
        const stored = localStorage.getItem(place);
        if (stored !== text) [text, keys] = [stored, JSON.parse(stored)];
    } catch {
        // A browser that keeps nothing has nothing.
        [text, keys] = [null, null];
    }
    return keys;
}

/** What goes into a header of each request; null where nobody came in. */
export const secret = () => read()?.secret ?? null;

/** What goes into the address of a picture, movie, download or event stream. */
export const mediaKey = (family) => read()?.keys?.[family] ?? null;

/** Keeps the server's answer to who came in; whether the browser does. */
export function keep(answer) {
    try {
        localStorage.setItem(place, JSON.stringify(answer));
        return secret() !== null;
    } catch {
        return false;
    }
}

/** Forgets what is no longer worth anything. */
export function forget() {
    try {
        localStorage.removeItem(place);
    } catch {
        // Nothing was kept.
    }
}
