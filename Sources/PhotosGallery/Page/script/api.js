// The gallery's own routes, and nothing else: every request goes to where the page came from.

/** An answer that says no, with the server's words. */
export class Refusal extends Error {
    constructor(status, code, message) {
        super(message);
        this.status = status;
        this.code = code;
    }
}

async function send(method, path, body, { signal, raw = false } = {}) {
    const headers = { "X-Photos-Gallery": "1" };
    const options = { method, headers, signal, credentials: "same-origin", cache: "no-store" };
    if (body !== undefined) {
        headers["Content-Type"] = raw ? "application/octet-stream" : "application/json";
        options.body = raw ? body : JSON.stringify(body);
    }
    let answer;
    try {
        answer = await fetch(path, options);
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Refusal(0, "unreachable", "");
    }
    const text = await answer.text();
    let value = null;
    try {
        value = text ? JSON.parse(text) : null;
    } catch {
        value = null;
    }
    if (answer.ok) return value;
    const error = value?.error ?? {};
    const words = [error.message ?? answer.statusText, error.reason, error.recovery].filter(Boolean);
    const message = words.filter((part, index) => words.indexOf(part) === index && (index === 0 || !words[0].includes(part))).join(" ");
    throw new Refusal(answer.status, error.code ?? String(answer.status), message);
}

export const get = (path, options) => send("GET", path, undefined, options);
export const post = (path, body = {}, options) => send("POST", path, body, options);
export const put = (path, body = {}, options) => send("PUT", path, body, options);
export const remove = (path, options) => send("DELETE", path, undefined, options);
export const putBytes = (path, bytes, options) => send("PUT", path, bytes, { ...options, raw: true });

/** `?a=1&b=2` of what is not nothing. */
export function query(values) {
    const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
    return pairs.length ? "?" + new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])) : "";
}

const of = (id) => `/api/assets/${encodeURIComponent(id)}`;

/** The address of a picture of an asset; the content version makes it one that never changes. */
export function pictureURL(asset, { size, quality = "sharp", fit = "fit", version = "current" }) {
    return of(asset.id) + "/picture" + query({ size, quality, fit, version, v: asset.version });
}

export const movieURL = (asset, version = "current") => of(asset.id) + "/movie" + query({ version, v: asset.version });
export const resourceURL = (asset, number) => `${of(asset.id)}/resources/${number}`;
export const assetPath = of;

/** JSON in the alphabet of URLs. */
export function packed(value) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
