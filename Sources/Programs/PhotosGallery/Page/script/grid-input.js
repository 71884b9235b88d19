// Keyboard, mouse and touch input of the grid.
import { isTyping } from "./dom.js";

const long = 420; // milliseconds until a touch becomes a long press, which selects

export function attachGridInput(grid, { open, order, isBusy }) {
    const { box } = grid;
    let touch = null;
    let wasTouch = false;

    box.addEventListener("click", (event) => {
        const cell = event.target.closest(".cell")?.cell;
        if (!cell) {
            if (!event.target.closest("button") && !grid.selecting) grid.clearSelection();
            return;
        }
        const onMark = event.target.closest(".mark");
        if (touch?.isLong) return;
        grid.focus(cell.place, { scroll: false });
        if (event.shiftKey) grid.toggle(cell.place, { range: true });
        else if (onMark || event.ctrlKey || event.metaKey || grid.selecting) grid.toggle(cell.place);
        else open(cell.place);
    });

    // Keys act on the focused cell, however it got the focus.
    box.addEventListener("focusin", (event) => {
        const place = event.target.closest(".cell")?.cell?.place;
        if (place !== undefined) grid.focused = place;
    });

    box.addEventListener("keydown", (event) => {
        if (isBusy() || !grid.list?.count || isTyping(event)) return;
        const columns = grid.layout.columns;
        const from = grid.focused ?? grid.firstVisible();
        const lines = Math.max(1, Math.floor(box.clientHeight / grid.layout.pitch) - 1);
        const rtl = getComputedStyle(box).direction === "rtl" ? -1 : 1;
        const steps = {
            ArrowRight: () => from + rtl,
            ArrowLeft: () => from - rtl,
            ArrowDown: () => grid.layout.neighbour(from, 1),
            ArrowUp: () => grid.layout.neighbour(from, -1),
            PageDown: () => grid.layout.neighbour(from, lines),
            PageUp: () => grid.layout.neighbour(from, -lines),
            Home: () => event.ctrlKey || event.metaKey ? 0 : from - grid.layout.columnOf(from),
            End: () => event.ctrlKey || event.metaKey ? grid.list.count - 1
                : Math.min(grid.list.count - 1, from - grid.layout.columnOf(from) + columns - 1),
        };
        if (event.altKey) {
            // With Alt, the selection itself moves, if the list can be reordered.
            if (!event.key.startsWith("Arrow") || grid.focused === null) return;
            if (order(steps[event.key]() - from, event.repeat)) event.preventDefault();
        } else if (steps[event.key]) {
            event.preventDefault();
            const place = grid.focused === null && !event.shiftKey && event.key.startsWith("Arrow") ? from : Math.max(0, Math.min(steps[event.key](), grid.list.count - 1));
            if (event.shiftKey) {
                if (grid.anchor === null) grid.anchor = from;
                grid.extend(place);
            }
            grid.focus(place);
        } else if (event.key === "Enter") {
            event.preventDefault();
            open(from);
        } else if (event.key === " ") {
            event.preventDefault();
            if (grid.focused === null) grid.focus(from);
            grid.toggle(from, { range: event.shiftKey });
        }
    });

    // Ctrl with the wheel, or a pinch on a touchpad, changes the zoom level.
    let turned = 0;
    box.addEventListener("wheel", (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        turned += event.deltaY;
        if (Math.abs(turned) < 40) return;
        grid.setLevel(grid.level + (turned < 0 ? 1 : -1), event.clientY - box.getBoundingClientRect().top);
        turned = 0;
    }, { passive: false });

    const apart = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
    let pinch = null;
    box.addEventListener("touchstart", (event) => {
        wasTouch = true;
        clearTimeout(touch?.timer);
        touch = null;
        if (event.touches.length === 2) {
            pinch = { distance: apart(event.touches), y: (event.touches[0].clientY + event.touches[1].clientY) / 2 };
            return;
        }
        const { clientX, clientY } = event.touches[0];
        const place = grid.placeUnder(clientX, clientY);
        if (place === null) return;
        const own = touch = { x: clientX, y: clientY, place, isLong: false };
        own.timer = setTimeout(() => {
            own.isLong = true;
            grid.setSelecting(true);
            if (!grid.selection.has(place)) grid.toggle(place);
            grid.anchor = place;
            navigator.vibrate?.(12);
        }, long);
    }, { passive: true });
    box.addEventListener("touchmove", (event) => {
        if (pinch && event.touches.length === 2) {
            event.preventDefault();
            const ratio = apart(event.touches) / pinch.distance;
            if (ratio > 1.35 || ratio < 0.74) {
                grid.setLevel(grid.level + (ratio > 1 ? 1 : -1), pinch.y - box.getBoundingClientRect().top);
                pinch.distance = apart(event.touches);
            }
            return;
        }
        if (!touch) return;
        const { clientX, clientY } = event.touches[0];
        if (touch.isLong) {
            // Moving after a long press selects all assets on the way.
            event.preventDefault();
            const place = grid.placeUnder(clientX, clientY);
            if (place !== null) grid.extend(place);
        } else if (Math.hypot(clientX - touch.x, clientY - touch.y) > 8) {
            clearTimeout(touch.timer);
            touch = null;
        }
    }, { passive: false });
    const ended = () => {
        clearTimeout(touch?.timer);
        pinch = null;
        const was = touch;
        if (was?.isLong) setTimeout(() => { if (touch === was) touch = null; }, 400);
        else touch = null;
    };
    box.addEventListener("touchend", ended);
    box.addEventListener("touchcancel", ended);
    box.addEventListener("contextmenu", (event) => {
        if (wasTouch && event.target.closest(".cell")) event.preventDefault();
    });
}
