// Words in the person's language, numbers and dates by Intl.
import { isolated } from "./dom.js";

export const languages = { en: "English", de: "Deutsch", es: "Español", it: "Italiano", ru: "Русский", zh: "中文" };

let words = {};
let fallback = {};
let locale = "en";
let plurals = new Intl.PluralRules("en");
const formats = new Map();

function chosen() {
    let stored = null;
    try {
        stored = localStorage.getItem("language");
    } catch {
        // A browser that keeps nothing still has a language of its own.
    }
    const wanted = [stored, ...(navigator.languages ?? [])].filter(Boolean);
    return wanted.find((name) => languages[name.slice(0, 2)]) ?? "en";
}

/** Loads the words; English fills what another language lacks. */
export async function loadWords() {
    const name = chosen();
    const short = name.slice(0, 2);
    const read = async (language) => (await fetch(`/page/languages/${language}.json`)).json();
    [fallback, words] = await Promise.all([read("en"), short === "en" ? {} : read(short)]);
    locale = name;
    plurals = new Intl.PluralRules(locale);
    document.documentElement.lang = short === "zh" ? "zh-Hans" : short;
    formats.clear();
}

export const language = () => locale.slice(0, 2);

/** Keeps another language and loads the page anew in it. */
export function chooseLanguage(name) {
    localStorage.setItem("language", name);
    location.reload();
}

function wordsOf(key, values) {
    const text = words[key] ?? fallback[key] ?? key;
    return typeof text === "object" ? text[plurals.select(values.n ?? 0)] ?? text.other : text;
}

/** The words of a key, `{name}` filled in; with `n`, in the form that the number asks for. */
export function t(key, values = {}) {
    return wordsOf(key, values).replace(/\{(\w+)\}/g, (whole, name) => {
        const value = values[name];
        if (value === undefined) return whole;
        return typeof value === "number" ? number(value) : String(value);
    });
}

/** As `t`, as nodes to be shown: texts of people that are filled in leave the order of the others as it is. */
export function phrase(key, values = {}) {
    return wordsOf(key, values).split(/(\{\w+\})/).filter(Boolean).map((part) => {
        const value = /^\{\w+\}$/.test(part) ? values[part.slice(1, -1)] : undefined;
        if (value === undefined) return part;
        return typeof value === "number" ? number(value) : isolated(value);
    });
}

/** Whether a language has words for the key. */
export const has = (key) => key in words || key in fallback;

function format(kind, options) {
    const key = kind.name + JSON.stringify(options);
    if (!formats.has(key)) formats.set(key, new kind(locale, options));
    return formats.get(key);
}

export const number = (value, options = {}) => format(Intl.NumberFormat, options).format(value);

export function bytes(value) {
    const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
    let step = 0;
    while (value >= 1000 && step < 4) {
        value /= 1000;
        step += 1;
    }
    return number(value, { style: "unit", unit: units[step], unitDisplay: "short", maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 });
}

// Days are names like 2024-06-01 without a zone: noon UTC stands for them everywhere.
const noon = (day) => new Date(day + "T12:00:00Z");

/** The name of a day; a short one where its month is said above. */
export function dayText(day, short = false) {
    if (!day) return t("grid.undated");
    if (short) return format(Intl.DateTimeFormat, { day: "numeric", month: "short", timeZone: "UTC" }).format(noon(day));
    const now = new Date().getFullYear();
    const options = { weekday: "short", day: "numeric", month: "long", timeZone: "UTC" };
    if (Number(day.slice(0, 4)) !== now) options.year = "numeric";
    return format(Intl.DateTimeFormat, options).format(noon(day));
}

export function monthText(day, short = false) {
    if (!day) return t("grid.undated");
    return format(Intl.DateTimeFormat, { month: short ? "short" : "long", year: "numeric", timeZone: "UTC" }).format(noon(day.slice(0, 7) + "-15"));
}

/** The name of a month that is the widest. */
export function widestMonth(width) {
    const names = Array.from({ length: 12 }, (_, month) => monthText(`2028-${String(month + 1).padStart(2, "0")}-15`));
    return names.reduce((widest, name) => (width(name) > width(widest) ? name : widest));
}

export const yearText = (day) => day
    ? format(Intl.DateTimeFormat, { year: "numeric", timeZone: "UTC" }).format(noon(day.slice(0, 4) + "-07-01"))
    : t("grid.undated");

/** How far the clock that an asset was captured by was from UTC, in seconds: also where no offset is known. */
export function clockOffset(asset) {
    const seconds = (Date.parse(`${asset.wallTime}Z`) - Date.parse(asset.date)) / 1000;
    return Number.isFinite(seconds) ? seconds : asset.utcOffset;
}

/** How far a clock is from UTC. */
export function offsetText(seconds) {
    const sign = seconds < 0 ? "−" : "+";
    const minutes = Math.abs(Math.round(seconds / 60));
    return `UTC${sign}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** An instant, in the offset at which the picture was taken where that is known. */
export function timeText(date, offset = null, style = { dateStyle: "full", timeStyle: "short" }) {
    if (!date) return t("grid.undated");
    if (offset === null || offset === undefined) return format(Intl.DateTimeFormat, style).format(new Date(date));
    return format(Intl.DateTimeFormat, { ...style, timeZone: "UTC" }).format(new Date(Date.parse(date) + offset * 1000));
}

export function durationText(seconds) {
    const whole = Math.round(seconds);
    const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const [hours, minutes, rest] = parts;
    const two = (value) => String(value).padStart(2, "0");
    return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export const listText = (items) => format(Intl.ListFormat, { type: "conjunction" }).format(items);
