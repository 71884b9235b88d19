// The gallery's own routes, and nothing else: every request goes to where the page came from.
import { mediaKey, secret } from "./keys.js";

/** Tells by `out` that the server does not know this browser's session any more. */
export const door = new EventTarget();

/** An answer that says no, with the server's words. */
export class RequestError extends Error {
    constructor(status, code, message, details = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.details = details;
    }
}

/** Asks as this page; where another window came in anew meanwhile, once more with what that one got. */
export async function ask(path, { headers = {}, ...options } = {}) {
    const once = (mine) => fetch(path, {
        ...options, headers: { "X-Photos-Gallery": "1", ...(mine ? { "X-Photos-Secret": mine } : {}), ...headers },
        credentials: "same-origin", cache: "no-store",
    });
    const mine = secret();
    const answer = await once(mine);
    if (answer.status !== 401 || !mine) return answer;
    // The other window may have the cookie already, and not what it has to keep.
    if (secret() === mine) await new Promise((done) => setTimeout(done, 500));
    return secret() && secret() !== mine ? once(secret()) : answer;
}

async function send(method, path, body, { signal, type = "application/json" } = {}) {
    const options = { method, signal, headers: {} };
    if (body !== undefined) {
        options.headers["Content-Type"] = type;
        options.body = type === "application/json" ? JSON.stringify(body) : body;
    }
    let answer;
    try {
        answer = await ask(path, options);
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new RequestError(0, "unreachable", "");
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
    if (error.code === "noSession") door.dispatchEvent(new Event("out"));
    throw new RequestError(answer.status, error.code ?? String(answer.status), message, error);
}

export const get = (path, options) => send("GET", path, undefined, options);
export const post = (path, body = {}, options) => send("POST", path, body, options);
export const put = (path, body = {}, options) => send("PUT", path, body, options);
export const remove = (path, options) => send("DELETE", path, undefined, options);
export const putBytes = (path, bytes, options) => send("PUT", path, bytes, { ...options, type: "application/octet-stream" });
export const postForm = (path, form) => send("POST", path, new URLSearchParams(form).toString(), { type: "application/x-www-form-urlencoded" });

/** `?a=1&b=2` of what is not nothing. */
export function query(values) {
    const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
    return pairs.length ? "?" + new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])) : "";
}

const of = (id) => `/api/assets/${encodeURIComponent(id)}`;

/** The address of a picture of an asset; the content version makes it one that never changes. */
export function pictureURL(asset, { size, quality = "sharp", fit = "fit", version = "current" }) {
    return of(asset.id) + "/picture" + query({ size, quality, fit, version, v: asset.version, key: mediaKey("picture") });
}

export const movieURL = (asset, version = "current") => of(asset.id) + "/movie" + query({ version, v: asset.version, key: mediaKey("movie") });
export const resourceURL = (asset, number) => `${of(asset.id)}/resources/${number}` + query({ key: mediaKey("file") });
export const eventsURL = (snapshot) => "/api/events" + query({ snapshot, key: mediaKey("events") });
export const assetPath = of;

/** The address of a picture of an asset with a recipe that is not saved. */
export const previewURL = (asset, recipe, size) => of(asset.id) + "/preview" + query({ recipe: packed(recipe), size, key: mediaKey("picture") });

/** JSON in the alphabet of URLs. */
function packed(value) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
