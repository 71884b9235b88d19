// Requests to the gallery's own routes. All of them go to the server that sent the page.
import { take } from "./early.js";
import { mediaKey, secret } from "./keys.js";
import { query } from "./query.js";

export { query } from "./query.js";

/** Dispatches `out` when the server no longer knows this browser's session. */
export const door = new EventTarget();

/** An error response, with the server's message. */
export class RequestError extends Error {
    constructor(status, code, message, details = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.details = details;
    }
}

/**
 * Sends a request with this page's secret. If it is rejected because another window signed in again
 * in the meantime, sends it once more with that window's secret.
 */
export async function ask(path, { headers = {}, ...options } = {}) {
    const once = (mine) => fetch(path, {
        ...options, headers: { "X-Photos-Gallery": "1", ...(mine ? { "X-Photos-Secret": mine } : {}), ...headers },
        credentials: "same-origin", cache: "no-store",
    });
    const mine = secret();
    const answer = await (take(path, options) ?? once(mine));
    if (answer.status !== 401 || !mine) return answer;
    // The other window may have set the cookie but not stored its secret yet.
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

const of = (id) => `/api/assets/${encodeURIComponent(id)}`;

/** The URL of a picture of an asset. With the content version in it, its content never changes. */
export function pictureURL(asset, { size, quality = "sharp", fit = "fit", version = "current" }) {
    return of(asset.id) + "/picture" + query({ size, quality, fit, version, v: asset.version, key: mediaKey("picture") });
}

export const movieURL = (asset, version = "current") => of(asset.id) + "/movie" + query({ version, v: asset.version, key: mediaKey("movie") });
export const resourceURL = (asset, number) => `${of(asset.id)}/resources/${number}` + query({ key: mediaKey("file") });
export const eventsURL = (snapshot) => "/api/events" + query({ snapshot, key: mediaKey("events") });
export const assetPath = of;

/** The URL of a picture of an asset with an unsaved recipe applied. */
export const previewURL = (asset, recipe, size) => of(asset.id) + "/preview" + query({ recipe: packed(recipe), size, key: mediaKey("picture") });

/** Encodes a value as JSON in base64url. */
function packed(value) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
