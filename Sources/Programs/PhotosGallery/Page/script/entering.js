// Exchanges a link for a session. The token is in the fragment, which browsers send to no server.
import { post } from "./api.js";
import { keep } from "./keys.js";

const shape = /^#token=([0-9a-f]+)$/;

/** Whether the page's address is a sign-in link. */
export const isLink = () => shape.test(location.hash);

/**
 * Signs in with the link in the address, and removes it there. Returns null without a link;
 * otherwise, whether the browser could store the session.
 */
export async function exchange() {
    const token = location.hash.match(shape)?.[1];
    if (!token) return null;
    history.replaceState(null, "", location.pathname);
    return keep(await post("/api/session", { token }));
}
