// The page's location, as stored in the fragment of its URL.
import { query } from "./query.js";

/** Parses a fragment such as `#/library?q=…&view=…`. */
export function placeIn(hash) {
    const [path, tail = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const parts = new URLSearchParams(tail);
    return { source: path || "library", predicate: parts.get("q"), text: parts.get("text") ?? "", view: parts.get("view") };
}

/** Returns whether a source is a page of its own rather than a list of assets. */
export const isOwnPage = (source) => source === "settings" || source === "moments";

/** The number of assets in a block. */
export const block = 120;

/** The URL of a list's timeline, with its first assets. */
export const timelinePath = ({ source, predicate, order }) => "/api/timeline" + query({ source, predicate, order, first: block });
