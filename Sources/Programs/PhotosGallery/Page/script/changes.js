// Everything that changes the library, each with its undo and redo.
import { post } from "./api.js";
import { attempt, toast } from "./dialog.js";
import { isTyping } from "./dom.js";
import { viewsOnly } from "./rights.js";
import { t } from "./text.js";

const done = [];
const undone = [];
// The library's version after the last step that was made here: while it stands there, nobody else
// changed anything, and one step after the other can be taken back.
let present = null;

/** Tells when there is something else to take back, or to do again. */
export const steps = new EventTarget();
export const canUndo = () => done.length > 0;
export const canRedo = () => undone.length > 0;

function forget(list, token) {
    const index = list.lastIndexOf(token);
    if (index >= 0) list.splice(index, 1);
}

/** Makes a change and says what was done, with the way back; answers what the server said. */
export function change(action, values, message) {
    if (viewsOnly()) {
        toast(t("viewOnly.refused"));
        return Promise.resolve(undefined);
    }
    return attempt(async () => {
        const answer = await post("/api/changes", { action, ...values });
        if (answer.undo) recordUndo(answer.undo, message);
        else if (message) toast(message);
        return answer;
    });
}

/** Remembers a change, also of another route. */
export function recordUndo(token, message) {
    if (!token) return;
    done.push(token);
    undone.length = 0;
    present = token;
    if (message) toast(message, { action: t("undo"), run: () => undo(token) });
    steps.dispatchEvent(new Event("changed"));
}

// One after the other, so that a key that is pressed twice takes back two changes.
let turn = Promise.resolve();

function step(path, key, from, to, named, words) {
    turn = turn.then(() => attempt(async () => {
        const last = from.at(-1);
        const token = named ?? last;
        if (token === undefined) return undefined;
        forget(from, token);
        // What is refused now is refused again: another change came after it. So it is not kept.
        steps.dispatchEvent(new Event("changed"));
        const answer = await post(path, { [key]: token === last ? present : token });
        const back = key === "undo" ? answer.redo : answer.undo;
        present = back;
        if (back) to.push(back);
        toast(words, back ? { action: t(key === "undo" ? "redo" : "undo"), run: () => (key === "undo" ? redo(back) : undo(back)) } : {});
        steps.dispatchEvent(new Event("changed"));
        return answer;
    }));
    return turn;
}

/** Takes back the last change, or the one named while it still is the last. */
export const undo = (token = null) => step("/api/undo", "undo", done, undone, token, t("undone"));

/** Does again what was taken back last, or the one named. */
export const redo = (token = null) => step("/api/redo", "redo", undone, done, token, t("redone"));

/** Undoes or redoes by a key; whether it was a key for that. A field that is written in undoes by itself. */
export function stepKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event)) return false;
    const key = event.key.toLowerCase();
    const step = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" && !event.shiftKey ? redo : null;
    if (!step) return false;
    event.preventDefault();
    event.stopPropagation();
    step();
    return true;
}
