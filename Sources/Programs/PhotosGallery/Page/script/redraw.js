// Redraws content that changed in the library, without losing clicks or newer content.
import { attempt } from "./dialog.js";

let pressed = null;
const waiting = new Map();

function release() {
    // The click event follows the release.
    setTimeout(() => {
        pressed = null;
        const all = [...waiting.values()];
        waiting.clear();
        for (const draw of all) draw();
    });
}

addEventListener("pointerdown", (event) => { pressed = event.target; }, true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, release, true);
// The release may go to another element, such as the list that a select opens.
addEventListener("pointermove", (event) => { if (pressed && event.buttons === 0) release(); }, true);

/**
 * Draws the content of a node at once or, if the pointer is pressed in it, after the release,
 * because a button that is replaced in between receives no click. Only the newest drawing is kept.
 */
export function drawUnpressed(node, draw) {
    if (pressed && node.contains(pressed)) {
        waiting.set(node, draw);
    } else {
        waiting.delete(node);
        draw();
    }
}

/**
 * Returns a function that sends a request and shows the answer, unless it was called again
 * meanwhile. Answers may arrive in another order.
 */
export function latest(ask, show) {
    let newest = null;
    return () => {
        const own = (async () => {
            const answer = await attempt(ask);
            if (newest !== own) return newest;
            if (answer) show(answer);
        })();
        newest = own;
        return own;
    };
}
