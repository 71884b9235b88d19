// A sketch map of where a picture was taken, drawn from the coastlines that come with the page,
// without map tiles or other servers.
import { drawing } from "./dom.js";
import { number, t } from "./text.js";

let land = null;

const loadLand = () => land ??= fetch("/page/data/land.json").then((answer) => answer.json()).then((data) => data.rings);

/** Formats coordinates: 38.679° N, 9.438° W. */
export function placeText({ latitude, longitude }) {
    const part = (value, plus, minus) => `${number(Math.abs(value), { maximumFractionDigits: 4 })}° ${t(value < 0 ? minus : plus)}`;
    return `${part(latitude, "map.north", "map.south")}, ${part(longitude, "map.east", "map.west")}`;
}

/** Draws a map around a location, `span` degrees wide. */
export async function mapSketch(place, { span = 36, width = 300, height = 170 } = {}) {
    const rings = await loadLand();
    const squeeze = Math.max(0.3, Math.cos(Math.min(80, Math.abs(place.latitude)) * Math.PI / 180));
    const scale = width / span;
    const x = (degrees) => {
        const apart = ((degrees - place.longitude + 540) % 360) - 180;
        return width / 2 + apart * scale;
    };
    const y = (degrees) => height / 2 - (degrees - place.latitude) * scale / squeeze;
    const svg = drawing("svg", { viewBox: `0 0 ${width} ${height}`, class: "map", role: "img", "aria-label": t("map.label", { place: placeText(place) }) });
    const step = span > 20 ? 10 : 5;
    let lines = "";
    for (let degrees = -180; degrees < 180; degrees += step) {
        const at = x(degrees);
        if (at >= 0 && at <= width) lines += `M${at.toFixed(1)} 0V${height}`;
    }
    for (let degrees = -90; degrees <= 90; degrees += step) {
        const at = y(degrees);
        if (at >= 0 && at <= height) lines += `M0 ${at.toFixed(1)}H${width}`;
    }
    let coast = "";
    for (const ring of rings) {
        // Each ring is drawn continuously from its first point, even across the date line.
        const start = x(ring[0] / 10);
        let longitude = ring[0] / 10;
        let along = 0;
        let low = start;
        let high = start;
        let path = "";
        for (let index = 0; index < ring.length; index += 2) {
            const next = ring[index] / 10;
            along += ((next - longitude + 540) % 360) - 180;
            longitude = next;
            const at = start + along * scale;
            low = Math.min(low, at);
            high = Math.max(high, at);
            path += `${index ? "L" : "M"}${at.toFixed(1)} ${y(ring[index + 1] / 10).toFixed(1)}`;
        }
        if (high >= 0 && low <= width) coast += path + "Z";
        // A ring that leaves the map on one side may reenter it on the other.
        const world = 360 * scale;
        if (low < -width && high + world >= 0 && low + world <= width) coast += shifted(path, world) + "Z";
        if (high > 2 * width && low - world <= width && high - world >= 0) coast += shifted(path, -world) + "Z";
    }
    svg.append(
        drawing("path", { class: "map-lines", d: lines }),
        drawing("path", { class: "map-land", d: coast }),
        drawing("circle", { class: "map-ring", cx: width / 2, cy: height / 2, r: 9 }),
        drawing("circle", { class: "map-dot", cx: width / 2, cy: height / 2, r: 4.5 }));
    return svg;
}

const shifted = (path, by) => path.replace(/([ML])(-?[\d.]+)/g, (_, letter, at) => letter + (Number(at) + by).toFixed(1));
