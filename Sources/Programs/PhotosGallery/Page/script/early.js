// Requests for what the page shows first, sent while its modules still load. The modules take the
// responses as if they had sent the requests themselves.
const asked = new Map();

/** Requests a path on behalf of this page. */
export function askEarly(path, mine) {
    const answer = fetch(path, {
        headers: { "X-Photos-Gallery": "1", "X-Photos-Secret": mine }, credentials: "same-origin", cache: "no-store",
    });
    answer.catch(() => {}); // Who takes it gets the error.
    asked.set(path, answer);
}

/** Returns the response to an early request, once; undefined if there is none. */
export function take(path, { method = "GET" } = {}) {
    const answer = method === "GET" ? asked.get(path) : undefined;
    asked.delete(path);
    return answer;
}

/** Discards responses that were not taken, because they become outdated. */
export const forgetEarly = () => asked.clear();
