// Everything that changes the library, each with its undo and redo.
import { post } from "./api.js";
import { attempt, toast } from "./dialog.js";
import { t } from "./text.js";

const done = [];
const undone = [];

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
    return attempt(async () => {
        const answer = await post("/api/changes", { action, ...values });
        if (answer.undo) noteUndo(answer.undo, message);
        else if (message) toast(message);
        return answer;
    });
}

/** Remembers a change, also of another route. */
export function noteUndo(token, message) {
    if (!token) return;
    done.push(token);
    undone.length = 0;
    if (message) toast(message, { action: t("undo"), run: () => undo(token) });
    steps.dispatchEvent(new Event("changed"));
}

/** Takes back the last change, or the one named while it still is the last. */
export function undo(token = done.at(-1)) {
    return attempt(async () => {
        try {
            const answer = await post("/api/undo", token ? { undo: token } : {});
            if (answer.redo) undone.push(answer.redo);
            toast(t("undone"), answer.redo ? { action: t("redo"), run: () => redo(answer.redo) } : {});
            return answer;
        } finally {
            // What was refused once is refused again: another change came after it.
            forget(done, token);
            steps.dispatchEvent(new Event("changed"));
        }
    });
}

/** Does again what was taken back last, or the one named. */
export function redo(token = undone.at(-1)) {
    return attempt(async () => {
        try {
            const answer = await post("/api/redo", token ? { redo: token } : {});
            if (answer.undo) done.push(answer.undo);
            toast(t("redone"), answer.undo ? { action: t("undo"), run: () => undo(answer.undo) } : {});
            return answer;
        } finally {
            forget(undone, token);
            steps.dispatchEvent(new Event("changed"));
        }
    });
}
