// Downloads of originals: the identifiers of a selection, and the files of each photo.
import { el } from "./dom.js";
import { assetPath, get, query, resourceURL } from "./api.js";

// The number of identifiers that the server returns at most.
const most = 10_000;

/** The identifiers of the assets in ranges of a list. Those that were removed meanwhile are left out. */
export async function idsIn(list, ranges) {
    const { snapshot } = list;
    const found = [];
    for (const [first, end] of ranges) {
        for (let from = first; from < end; from += most) {
            const { ids } = await get("/api/ids" + query({ snapshot, from, to: Math.min(from + most, end) }));
            for (const id of ids) if (id) found.push(id);
        }
    }
    return found;
}

async function saveFiles(id) {
    const details = await get(assetPath(id));
    for (const index of (details.resources ?? []).keys()) {
        const link = el("a", { href: resourceURL({ id }, index), download: "" });
        document.body.append(link);
        link.click();
        link.remove();
    }
}

/**
 * Downloads all files of photos, one after the other. A photo that fails is left out; its error is
 * thrown at the end. Throws immediately if there is no connection or no session.
 */
export async function saveOriginals(ids) {
    let failure = null;
    for (const id of ids) {
        try {
            await saveFiles(id);
        } catch (error) {
            if (!error.status || error.status === 401) throw error;
            failure ??= error;
        }
    }
    if (failure) throw failure;
}
