// Drawing anew what the library changed, so that neither a click nor something newer is lost.
import { attempt } from "./dialog.js";

let pressed = null;
const waiting = new Map();

function release() {
    // The click comes after the release.
    setTimeout(() => {
        pressed = null;
        const all = [...waiting.values()];
        waiting.clear();
        for (const draw of all) draw();
    });
}

addEventListener("pointerdown", (event) => { pressed = event.target; }, true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, release, true);
// A release may go to something else, such as the list that a choice opens.
addEventListener("pointermove", (event) => { if (pressed && event.buttons === 0) release(); }, true);

/**
 * Draws what a node holds: at once, or where something in it is pressed, after the release, since a button that is replaced in
 * between gets no click. The newest drawing counts.
 */
export function drawUnpressed(node, draw) {
    if (pressed && node.contains(pressed)) {
        waiting.set(node, draw);
    } else {
        waiting.delete(node);
        draw();
    }
}

/** A function that asks and shows the answer, unless it was called again meanwhile: answers may come in another order. */
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
