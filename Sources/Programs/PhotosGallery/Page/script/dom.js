// Creates elements from plain values. Text is inserted as text; nothing here parses HTML.
const svgSpace = "http://www.w3.org/2000/svg";

const paths = {
    photos: "M3.5 5.5h13a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1zM3 13l4-4 4 4 2.5-2 3.8 3",
    heart: "M10 16.5S3 12.3 3 7.7A3.7 3.7 0 0 1 10 6a3.7 3.7 0 0 1 7 1.7c0 4.6-7 8.8-7 8.8z",
    clock: "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 6v4l2.7 1.7",
    album: "M4.5 6.5h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM5.5 4h9",
    folder: "M3 6a1 1 0 0 1 1-1h3.5l1.7 2H16a1 1 0 0 1 1 1v6.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z",
    smart: "M10 3.5v2M10 14.5v2M3.5 10h2M14.5 10h2M5.4 5.4l1.4 1.4M13.2 13.2l1.4 1.4M5.4 14.6l1.4-1.4M13.2 6.8l1.4-1.4M10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
    moments: "M5 4.5h10a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V6A1.5 1.5 0 0 1 5 4.5zM3.5 8.5h13M7 3v3M13 3v3",
    import: "M10 3v9M6.5 8.5 10 12l3.5-3.5M4 13v2.5A1.5 1.5 0 0 0 5.5 17h9a1.5 1.5 0 0 0 1.5-1.5V13",
    download: "M10 3v9M6.5 8.5 10 12l3.5-3.5M4.5 16.5h11",
    duplicates: "M7.5 7.5h8a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-8a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM4 12.5a.6.6 0 0 1-.5-.5V4.5a1 1 0 0 1 1-1H12a.6.6 0 0 1 .5.5",
    hidden: "M3 3l14 14M8.2 8.2a2.5 2.5 0 0 0 3.6 3.6M5.5 5.7C3.5 7 2.5 10 2.5 10s2.5 5 7.5 5c1.5 0 2.7-.4 3.8-1M9 5.1c.3 0 .7-.1 1-.1 5 0 7.5 5 7.5 5a12 12 0 0 1-1.7 2.4",
    eye: "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zM10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
    trash: "M4 6h12M8 6V4.5h4V6M5.5 6l.7 10h7.6l.7-10M8.5 9v4.5M11.5 9v4.5",
    gear: "M10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM10 2.8l1 2.1 2.3.4 1.7-1.3 1.4 1.4-1.3 1.7.9 2.1 2.2.8-2.2.8-.9 2.1 1.3 1.7-1.4 1.4-1.7-1.3-2.3.4-1 2.1-1-2.1-2.3-.4-1.7 1.3-1.4-1.4 1.3-1.7-.9-2.1-2.2-.8 2.2-.8.9-2.1-1.3-1.7L5 4l1.7 1.3 2.3-.4z",
    search: "M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4zM12.7 12.7 16.5 16.5",
    menu: "M3.5 6h13M3.5 10h13M3.5 14h13",
    close: "M5 5l10 10M15 5 5 15",
    plus: "M10 4v12M4 10h12",
    minus: "M4 10h12",
    left: "M12.5 4 6.5 10l6 6",
    right: "M7.5 4l6 6-6 6",
    back: "M17 10H4M9 5l-5 5 5 5",
    info: "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 9v5M10 6.3v.2",
    edit: "M4 6h7M15 6h1M4 10h2M10 10h6M4 14h8M16 14h0M13 4.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM8 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM14 12.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z",
    pencil: "M4 16l.8-3.4L13.3 4.1a1.4 1.4 0 0 1 2 0l.6.6a1.4 1.4 0 0 1 0 2L7.4 15.2z",
    share: "M10 12V3M6.5 6 10 2.7 13.5 6M6 9H4.5v8h11V9H14",
    more: "M5 10h.1M10 10h.1M15 10h.1",
    check: "M4.5 10.5 8.5 14.5 15.5 6",
    play: "M7 4.5v11l9-5.5z",
    live: "M10 8.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM10 5.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10 2.5v.1M15 4.3l-.1.1M17.5 10h-.1M15 15.7l-.1-.1M10 17.5v-.1M5 15.7l.1-.1M2.5 10h.1M5 4.3l.1.1",
    cloud: "M6 15.5a3.5 3.5 0 0 1-.4-7 4.6 4.6 0 0 1 8.9-.6 3.8 3.8 0 0 1 .3 7.6z",
    burst: "M6.5 6.5h9a1 1 0 0 1 1 1v8h-10zM4 13.5V5a1 1 0 0 1 1-1h8.5",
    compare: "M10 3v14M3.5 5h13v10h-13zM10 5h6.5v10H10z",
    undo: "M6.5 4 3 7.5 6.5 11M3 7.5h8a4.5 4.5 0 0 1 0 9H7",
    redo: "M13.5 4 17 7.5 13.5 11M17 7.5H9a4.5 4.5 0 0 0 0 9h4",
    keyboard: "M3.5 6h13a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM5.5 9h.1M8.5 9h.1M11.5 9h.1M14.5 9h.1M7 11.7h6",
    rotate: "M15.5 10a5.5 5.5 0 1 1-2-4.3M14 2.5v3.5h-3.5",
    flip: "M10 3v14M7.5 5.5 3 14.5h4.5zM12.5 5.5l4.5 9h-4.5z",
    crop: "M6 2.5V14h11.5M2.5 6H14v11.5",
    wand: "M4 16l8-8M13 3.5v2.2M13 8.8V11M9.3 7.2h2.2M14.6 7.2h2.2M10.5 4.7l1.2 1.2",
    sun: "M10 6.8a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4zM10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M4.7 15.3l1.1-1.1M14.2 5.8l1.1-1.1",
    filters: "M10 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM7 8.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM13 8.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
    square: "M4.5 4.5h11v11h-11zM10 4.5v11M4.5 10h11",
    fit: "M4.5 4.5h11v11h-11zM4.5 8h11M4.5 12h11",
    restore: "M4.5 10a5.5 5.5 0 1 0 2-4.3M6 2.5v3.5h3.5",
    lock: "M6 9h8a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM7 9V7a3 3 0 0 1 6 0v2",
    video: "M4 6h8a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM13 9l4-2.5v7L13 11",
    person: "M10 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5",
    panorama: "M3 5.5c4.7 1.4 9.3 1.4 14 0v9c-4.7-1.4-9.3-1.4-14 0z",
    camera: "M4 6.5h2.5L8 4.5h4l1.5 2H16a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM10 8a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4z",
    down: "M5 7.5l5 5 5-5",
    place: "M10 17s5-5 5-9A5 5 0 0 0 5 8c0 4 5 9 5 9zM10 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z",
    full: "M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4",
    program: "M4 4h12v9H4zM7.5 16.5h5M10 13v3.5",
    disk: "M4 12h12v4H4zM5.5 12 7 4h6l1.5 8M13 14h.1",
    shield: "M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5zM7.5 10l2 2 3.5-4",
};

/** Creates an element: `el("button.push", {onclick}, "text", child…)`. */
export function el(name, attributes = {}, ...children) {
    const [tag, ...classes] = name.split(".");
    const node = document.createElement(tag || "div");
    if (classes.length) node.className = classes.join(" ");
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
        else if (key === "value" || key === "checked" || key === "disabled" || key === "muted") node[key] = value;
        else node.setAttribute(key, value === true ? "" : String(value));
    }
    add(node, ...children);
    return node;
}

/** Appends texts and nodes; skips undefined, null and false. */
export function add(node, ...children) {
    for (const child of children.flat()) {
        if (child === undefined || child === null || child === false) continue;
        node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return node;
}

/** Isolates text from people or files, so that its direction does not affect the text around it. */
export const isolated = (text) => el("bdi", {}, text);

/** An image that is replaced by a placeholder if it fails to load. */
export function photo(attributes) {
    const image = el("img", attributes);
    image.addEventListener("error", () => image.replaceWith(el("span.no-photo", { "aria-hidden": "true" }, icon("photos"))), { once: true });
    return image;
}

/** Replaces all children of a node. */
export function fill(node, ...children) {
    node.replaceChildren();
    return add(node, ...children);
}

/** One of the page's icons; `solid` fills it. */
export function icon(name, solid = false) {
    const svg = document.createElementNS(svgSpace, "svg");
    svg.setAttribute("class", "icon");
    svg.setAttribute("viewBox", "0 0 20 20");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(svgSpace, "path");
    path.setAttribute("d", paths[name] ?? "");
    if (solid) path.setAttribute("class", "full");
    if (name === "more") path.setAttribute("stroke-width", "3");
    svg.append(path);
    return svg;
}

/** Creates an SVG element, for drawings made from data. */
export function drawing(tag, attributes = {}, ...children) {
    const node = document.createElementNS(svgSpace, tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
    return add(node, ...children);
}

/** A round button with an icon, a label and a tooltip. */
export function round(name, label, onclick, attributes = {}) {
    return el("button.round", { type: "button", "aria-label": label, title: label, onclick, ...attributes }, icon(name));
}

/** Whether a key press belongs to a text field. */
export function isTyping(event) {
    const target = event.target;
    return target instanceof HTMLElement
        && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
            || (target.tagName === "INPUT" && !/^(checkbox|radio|range|button)$/.test(target.type)));
}

/** Whether the user prefers reduced motion. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
