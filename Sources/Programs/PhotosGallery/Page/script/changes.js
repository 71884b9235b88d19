// Changes of the library, with undo and redo.
import { post } from "./api.js";
import { attempt, toast } from "./dialog.js";
import { isTyping } from "./dom.js";
import { viewsOnly } from "./rights.js";
import { shortcutKey } from "./shortcut.js";
import { t } from "./text.js";

const done = [];
const undone = [];
// The library's version after the last change of this page. While it is the current version, no one
// else has changed the library since. A step also names the change that it undoes or redoes, since
// another program may have made one between two changes of the page; the server then refuses.
let present = null;

/** Dispatches `changed` when the changes that can be undone or redone differ. */
export const steps = new EventTarget();
export const canUndo = () => done.length > 0;
export const canRedo = () => undone.length > 0;

// Changes, undo and redo run one after the other. A key that is pressed twice undoes two changes, and
// undo that is pressed before a change was answered undoes that change, not the one before it.
let turn = Promise.resolve();

/** Runs work after that of all former calls; returns its result, or undefined after reporting an error. */
export function inTurn(work) {
    turn = turn.then(() => attempt(work));
    return turn;
}

function forget(list, token) {
    const index = list.lastIndexOf(token);
    if (index >= 0) list.splice(index, 1);
}

/** Makes a change, shows a message with an undo button, and returns the server's answer. */
export function change(action, values, message) {
    if (viewsOnly()) {
        toast(t("viewOnly.refused"));
        return Promise.resolve(undefined);
    }
    return inTurn(async () => {
        const answer = await post("/api/changes", { action, ...values });
        if (answer.undo) recordUndo(answer.undo, message);
        else if (message) toast(message);
        return answer;
    });
}

/** Records a change, which may come from another route. */
export function recordUndo(token, message) {
    if (!token) return;
    done.push(token);
    undone.length = 0;
    present = token;
    if (message) toast(message, { action: t("undo"), run: () => undo(token) });
    steps.dispatchEvent(new Event("changed"));
}

function step(path, key, from, to, named, words) {
    return inTurn(async () => {
        const last = from.at(-1);
        const token = named ?? last;
        if (token === undefined) return undefined;
        forget(from, token);
        // A refused step would be refused again, because another change followed. It is dropped.
        steps.dispatchEvent(new Event("changed"));
        const answer = await post(path, { [key]: token, version: token === last ? present : token });
        const back = key === "undo" ? answer.redo : answer.undo;
        present = back;
        if (back) to.push(back);
        toast(words, back ? { action: t(key === "undo" ? "redo" : "undo"), run: () => (key === "undo" ? redo(back) : undo(back)) } : {});
        steps.dispatchEvent(new Event("changed"));
        return answer;
    });
}

/** Undoes the last change, or the given one if it is still the last. */
export const undo = (token = null) => step("/api/undo", "undo", done, undone, token, t("undone"));

/** Redoes the change that was undone last, or the given one. */
export const redo = (token = null) => step("/api/redo", "redo", undone, done, token, t("redone"));

/** Handles the keys for undo and redo, except in text fields; returns whether it did. */
export function stepKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event)) return false;
    const key = shortcutKey(event);
    const step = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" && !event.shiftKey ? redo : null;
    if (!step) return false;
    event.preventDefault();
    event.stopPropagation();
    step();
    return true;
}
