// Texts in the user's language; numbers and dates are formatted by Intl.
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
        // Without storage, the browser's languages are used.
    }
    const wanted = [stored, ...(navigator.languages ?? [])].filter(Boolean);
    return wanted.find((name) => languages[name.slice(0, 2)]) ?? "en";
}

let loading = null;

/** Loads the texts once; English replaces those that a language lacks. */
export function loadWords() {
    loading ??= readWords();
    return loading;
}

async function readWords() {
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

/** Stores a language and reloads the page in it. */
export function chooseLanguage(name) {
    localStorage.setItem("language", name);
    location.reload();
}

function wordsOf(key, values) {
    const text = words[key] ?? fallback[key] ?? key;
    return typeof text === "object" ? text[plurals.select(values.n ?? 0)] ?? text.other : text;
}

/**
 * The text of a key with `{name}` replaced by values; with `n`, in the plural form of that number.
 */
export function t(key, values = {}) {
    return wordsOf(key, values).replace(/\{(\w+)\}/g, (whole, name) => {
        const value = values[name];
        if (value === undefined) return whole;
        return typeof value === "number" ? number(value) : String(value);
    });
}

/** Like `t`, but returns nodes, in which inserted values are isolated from the text around them. */
export function phrase(key, values = {}) {
    return wordsOf(key, values).split(/(\{\w+\})/).filter(Boolean).map((part) => {
        const value = /^\{\w+\}$/.test(part) ? values[part.slice(1, -1)] : undefined;
        if (value === undefined) return part;
        return typeof value === "number" ? number(value) : isolated(value);
    });
}

/** Whether the key has a text. */
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

// Days are strings such as 2024-06-01 without a time zone. They are represented by noon UTC.
const noon = (day) => new Date(day + "T12:00:00Z");

/** Formats a day; the short form is for headings below the name of the month. */
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

/** The widest of all month names. */
export function widestMonth(width) {
    const names = Array.from({ length: 12 }, (_, month) => monthText(`2028-${String(month + 1).padStart(2, "0")}-15`));
    return names.reduce((widest, name) => (width(name) > width(widest) ? name : widest));
}

export const yearText = (day) => day
    ? format(Intl.DateTimeFormat, { year: "numeric", timeZone: "UTC" }).format(noon(day.slice(0, 4) + "-07-01"))
    : t("grid.undated");

/**
 * The offset in seconds of the capture clock from UTC, even if the asset's UTC offset is unknown.
 */
export function clockOffset(asset) {
    const seconds = (Date.parse(`${asset.wallTime}Z`) - Date.parse(asset.date)) / 1000;
    return Number.isFinite(seconds) ? seconds : asset.utcOffset;
}

/** Formats an offset from UTC. */
export function offsetText(seconds) {
    const sign = seconds < 0 ? "−" : "+";
    const minutes = Math.abs(Math.round(seconds / 60));
    return `UTC${sign}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Formats an instant at the given UTC offset or, without one, in the browser's time zone. */
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
