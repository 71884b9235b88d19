// The exchange of a link for a session. The token is in the fragment, which goes to no server by itself.
import { post } from "./api.js";
import { keep } from "./keys.js";

const shape = /^#token=([0-9a-f]+)$/;

/** Whether the address is a link that lets a browser in. */
export const isLink = () => shape.test(location.hash);

/** Uses the link of the address, which forgets it; null where it has none, else whether the browser keeps what it got. */
export async function exchange() {
    const token = location.hash.match(shape)?.[1];
    if (!token) return null;
    history.replaceState(null, "", location.pathname);
    return keep(await post("/api/session", { token }));
}
