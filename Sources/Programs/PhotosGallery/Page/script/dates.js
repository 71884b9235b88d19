// The dialog that changes capture dates, in camera time.
import { askText, isNothing } from "./dialog.js";
import { change } from "./changes.js";
import { clockOffset, offsetText, t } from "./text.js";

// The format of datetime-local inputs: a time without a zone.
const fieldText = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19);

/** The camera time of an asset with its time zone; if unknown, the time of this computer. */
function clockOf(asset) {
    const instant = asset?.date ? Date.parse(asset.date) : Date.now();
    const offset = asset?.date ? clockOffset(asset) ?? null : null;
    if (offset !== null) {
        const zone = asset.utcOffset === null ? t("date.cameraClock") : t("date.zone", { zone: offsetText(asset.utcOffset) });
        return { wall: fieldText(instant + offset * 1000), zone, isOwn: true };
    }
    const here = -new Date(instant).getTimezoneOffset() * 60;
    return { wall: fieldText(instant + here * 1000), zone: t("date.here", { zone: offsetText(here) }), isOwn: false };
}

/**
 * Asks for the date of photos and changes it.
 *
 * @param asset the photo whose date is displayed; the others are shifted by the same amount
 * @param choose returns the assets to change, as a request body, and their number: `{body, count}`
 */
export async function changeDate(asset, choose) {
    const { wall, zone, isOwn } = clockOf(asset);
    const shown = choose().count;
    const isShift = shown > 1 && Boolean(asset?.date);
    const text = await askText(t("info.date"), zone, wall, t("save"), {
        type: "datetime-local", step: 1, message: isShift ? t("date.shift", { n: shown }) : null,
    });
    if (!text) return null;
    const chosen = choose();
    if (isNothing(chosen)) return null;
    const { body, count } = chosen;
    const moved = (Date.parse(`${text}Z`) - Date.parse(`${wall}Z`)) / 1000;
    if (asset?.date && moved === 0) return null;
    if (isShift) return change("shiftDate", { ...body, value: moved }, t("did.shiftDate", { n: count }));
    return change("date", { ...body, value: isOwn ? text : new Date(text).toISOString() }, t("did.date", { n: count }));
}
