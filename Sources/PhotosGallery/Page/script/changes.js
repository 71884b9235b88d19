// Everything that changes the library, each with its undo.
import { post } from "./api.js";
import { attempt, toast } from "./dialog.js";
import { t } from "./text.js";

const done = [];

/** Makes a change and says what was done, with the way back; answers what the server said. */
export function change(action, values, message) {
    return attempt(async () => {
        const answer = await post("/api/changes", { action, ...values });
        if (answer.undo) {
            done.push(answer.undo);
            if (message) toast(message, { action: t("undo"), run: () => undo(answer.undo) });
        } else if (message) {
            toast(message);
        }
        return answer;
    });
}

/** Remembers what another route changed. */
export function noteUndo(token, message) {
    if (!token) return;
    done.push(token);
    toast(message, { action: t("undo"), run: () => undo(token) });
}

/** Takes back the last change, or the one named while it still is the last. */
export function undo(token = done.at(-1)) {
    return attempt(async () => {
        const answer = await post("/api/undo", token ? { undo: token } : {});
        const index = done.lastIndexOf(token);
        if (index >= 0) done.splice(index, 1);
        toast(t("undone"));
        return answer;
    });
}
