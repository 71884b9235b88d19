// Nothing that is pressed is replaced before it is released: a button that goes in between gets no click.
let pressed = null;
const waiting = new Map();

addEventListener("pointerdown", (event) => { pressed = event.target; }, true);
for (const kind of ["pointerup", "pointercancel"]) {
    addEventListener(kind, () => {
        // The click comes after the release.
        setTimeout(() => {
            pressed = null;
            const all = [...waiting.values()];
            waiting.clear();
            for (const draw of all) draw();
        });
    }, true);
}

/** Draws what a node holds: at once, or after the release where something in it is pressed. The newest drawing counts. */
export function drawUnpressed(node, draw) {
    if (pressed && node.contains(pressed)) {
        waiting.set(node, draw);
    } else {
        waiting.delete(node);
        draw();
    }
}
