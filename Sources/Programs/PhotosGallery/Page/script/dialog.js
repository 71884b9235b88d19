// Dialogs, menus and toasts.
import { add, el, fill, icon, isolated, round } from "./dom.js";
import { t } from "./text.js";

let counter = 0;

/** Shows a modal dialog; resolves with the value that it was closed with. */
export function dialog(title, build, { wide = false, kind = "" } = {}) {
    return new Promise((resolve) => {
        const id = `dialog-${counter += 1}`;
        const box = el(`dialog.sheet${wide ? ".wide" : ""}${kind ? "." + kind : ""}`, { "aria-labelledby": id });
        let answer = null;
        const close = (value = null) => {
            answer = value;
            box.close();
        };
        const head = el("header.sheet-head", {}, el("h2", { id }, title), round("close", t("close"), () => close()));
        add(box, head, build(close));
        box.addEventListener("close", () => {
            box.remove();
            resolve(answer);
        });
        box.addEventListener("pointerdown", (event) => {
            const bounds = box.getBoundingClientRect();
            const isInside = event.clientX >= bounds.left && event.clientX <= bounds.right && event.clientY >= bounds.top && event.clientY <= bounds.bottom;
            if (event.target === box && !isInside) close();
        });
        box.addEventListener("keydown", (event) => event.stopPropagation());
        document.body.append(box);
        box.showModal();
        box.querySelector("[autofocus]")?.focus();
    });
}

/** Asks for confirmation. If the action is destructive, the focus starts on Cancel. */
export function ask(title, message, yes, { danger = false } = {}) {
    return dialog(title, (close) => el("form.sheet-body", {
        onsubmit: (event) => { event.preventDefault(); close(true); },
    }, message && el("p", {}, message), el("div.sheet-ends", {},
        el("button.push", { type: "button", autofocus: danger, onclick: () => close(false) }, t("cancel")),
        el(`button.primary${danger ? ".danger" : ""}`, { type: "submit", autofocus: !danger }, yes))), { kind: "small" });
}

/** Asks for a line of text; resolves with null if canceled. */
export function askText(title, label, value = "", yes = t("done"), { type = "text", step = null, message = null } = {}) {
    return dialog(title, (close) => {
        // The step must precede the value: without it, the input drops the seconds.
        const input = el("input", { type, step, value, id: `field-${counter}`, autofocus: true, autocomplete: "off", required: true });
        queueMicrotask(() => input.select());
        return el("form.sheet-body", {
            onsubmit: (event) => { event.preventDefault(); close(input.value.trim() || null); },
        }, message && el("p", {}, message), el("label", { for: input.id }, label), input, el("div.sheet-ends", {},
            el("button.push", { type: "button", onclick: () => close() }, t("cancel")),
            el("button.primary", { type: "submit" }, yes)));
    }, { kind: "small" });
}

/** Shows a menu at an element or point: `[{label, icon, run, danger}]`, null for a separator. */
export function menu(at, items) {
    document.querySelector(".menu")?.remove();
    const before = document.activeElement;
    const box = el("div.menu", { role: "menu", tabindex: "-1" });
    const close = () => {
        box.remove();
        removeEventListener("pointerdown", outside, true);
        if (before?.isConnected) before.focus?.({ preventScroll: true });
    };
    const outside = (event) => { if (!box.contains(event.target)) close(); };
    for (const item of items) {
        if (!item) add(box, el("hr", { role: "separator" }));
        else add(box, el(`button.menu-item${item.danger ? ".danger" : ""}`, {
            type: "button", role: item.checked === undefined ? "menuitem" : "menuitemradio", tabindex: "-1",
            "aria-checked": item.checked === undefined ? null : String(item.checked),
            onclick: () => { close(); item.run(); },
        }, item.icon ? icon(item.icon) : item.checked ? icon("check") : el("span.icon-space"), el("span", {}, item.label)));
    }
    box.addEventListener("keydown", (event) => {
        // The view behind the menu gets no keys, since its items act on what was displayed.
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
        const all = [...box.querySelectorAll("button")];
        const index = all.indexOf(document.activeElement);
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step) all[(index + step + all.length) % all.length].focus();
        else if (event.key === "Home") all[0].focus();
        else if (event.key === "End") all.at(-1).focus();
        else if (event.key === "Escape" || event.key === "Tab") close();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    (at.closest?.("dialog") ?? document.querySelector("dialog.viewer[open]") ?? document.body).append(box);
    const bounds = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
    const { offsetWidth: width, offsetHeight: height } = box;
    const x = bounds.left + width > innerWidth - 8 ? bounds.right - width : bounds.left;
    const y = bounds.bottom + height + 6 > innerHeight ? Math.max(8, bounds.top - height - 6) : bounds.bottom + 6;
    box.style.left = `${Math.max(8, x)}px`;
    box.style.top = `${y}px`;
    box.querySelector("button")?.focus();
    addEventListener("pointerdown", outside, true);
    return close;
}

let shelf = null;

/** Tells the user if the assets that a dialog was about are gone, and returns whether they are. */
export function isNothing(chosen) {
    if (chosen.count === 0) toast(t("selection.none"));
    return chosen.count === 0;
}

/** Shows a toast with an optional action. */
export function toast(message, { action = null, run = null, bad = false, stays = 8000 } = {}) {
    if (!shelf) shelf = el("div.toasts", { role: "status", "aria-live": "polite" });
    // An open dialog covers everything else, so toasts must be inside it.
    const dialogs = document.querySelectorAll("dialog[open]");
    const home = dialogs[dialogs.length - 1] ?? document.body;
    if (shelf.parentNode !== home) home.append(shelf);
    const node = el(`div.toast${bad ? ".bad" : ""}`, {}, el("span", {}, message));
    const close = () => node.remove();
    if (action) add(node, el("button.toast-action", { type: "button", onclick: () => { close(); run(); } }, action));
    add(node, round("close", t("close"), close));
    while (shelf.childElementCount > 2) shelf.firstChild.remove();
    add(shelf, node);
    // The timer is paused while the toast is hovered or focused.
    let timer = null;
    const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(close, bad ? 12_000 : stays);
    };
    for (const kind of ["pointerenter", "focusin"]) node.addEventListener(kind, () => clearTimeout(timer));
    for (const kind of ["pointerleave", "focusout"]) node.addEventListener(kind, wait);
    wait();
    return close;
}

// When a dialog closes, its toasts move to the body.
document.addEventListener("close", (event) => {
    if (shelf && event.target.contains(shelf)) document.body.append(shelf);
}, true);

/** The message of an error for people. */
export const messageOf = (error) => error?.code === "unreachable" ? t("error.unreachable")
    : error?.code === "noSession" ? t("ended.title")
        : error?.code === "changed" ? t("edit.changed") : error?.message || t("error.unknown");

/** Shows an error as a toast. */
export function report(error) {
    if (error?.name !== "AbortError") toast(isolated(messageOf(error)), { bad: true });
}

/** Runs an action and reports its error, if any. */
export async function attempt(work) {
    try {
        return await work();
    } catch (error) {
        report(error);
        return undefined;
    }
}

/** A tab bar that switches between parts of a panel. */
export function tabs(names, chosen, choose) {
    const bar = el("div.tabs", { role: "tablist" });
    const draw = (active) => {
        fill(bar, names.map(({ key, label }) => el("button.tab", {
            type: "button", role: "tab", "aria-selected": String(key === active), tabindex: key === active ? "0" : "-1",
            onclick: () => { draw(key); choose(key); },
        }, label)));
    };
    bar.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const all = [...bar.children];
        all[(all.indexOf(document.activeElement) + step + all.length) % all.length].click();
        bar.querySelector('[aria-selected="true"]').focus();
    });
    draw(chosen);
    return bar;
}
