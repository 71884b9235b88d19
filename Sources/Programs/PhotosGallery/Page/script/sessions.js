// The list of signed-in browsers, whose sessions can be ended.
import { get, remove } from "./api.js";
import { ask, attempt, toast } from "./dialog.js";
import { el, fill, isolated } from "./dom.js";
import { live } from "./live.js";
import { drawUnpressed, latest } from "./redraw.js";
import { t, timeText } from "./text.js";

const moment = (date) => timeText(date, null, { dateStyle: "medium", timeStyle: "short" });

export class SessionList {
    constructor() {
        this.node = el("div.sessions");
        live.on("sessions", () => this.isShown && this.#load());
    }

    show() {
        this.isShown = true;
        this.#load();
    }

    hide() {
        this.isShown = false;
    }

    #load = latest(() => get("/api/sessions"), (answer) => this.#draw(answer.sessions));

    #draw(sessions) {
        const others = sessions.filter((one) => !one.current);
        const mine = sessions.find((one) => one.current);
        drawUnpressed(this.node, () => fill(this.node, [mine, ...others].filter(Boolean).map((one) => this.#row(one)),
            others.length > 0 && el("div.run", {}, el("button.push.danger", { type: "button", "data-action": "end-others", onclick: () => this.#endOthers() }, t("sessions.endOthers")))));
    }

    #row(session) {
        const name = [session.browser, session.system].filter(Boolean).join(" · ") || t("sessions.unknown");
        return el("div.session", { "data-session": session.id, "data-current": String(session.current) },
            el("div.session-name", {}, el("strong", {}, isolated(name)), session.current && el("span.good", {}, " ", t("sessions.this")),
                session.viewOnly && el("span.soft", { "data-rights": "viewing" }, " ", t("viewOnly.badge")),
                el("div.soft", {}, session.address ? isolated(session.address) : t("sessions.machine")),
                el("div.soft", {}, t("sessions.since", { time: moment(session.begun) }), " ", t("sessions.used", { time: moment(session.used) }))),
            el("button.push", { type: "button", "data-action": "end", "aria-label": `${t(session.current ? "sessions.leave" : "sessions.end")}: ${name}`, onclick: () => this.#end(session) },
                t(session.current ? "sessions.leave" : "sessions.end")));
    }

    async #end(session) {
        const answer = await attempt(() => remove(`/api/sessions/${encodeURIComponent(session.id)}`));
        // The next request notifies the page that its session has ended.
        if (session.current) get("/api/state").catch(() => {});
        else if (answer) {
            toast(t("did.endSession"));
            this.#draw(answer.sessions);
        }
    }

    async #endOthers() {
        if (!await ask(t("sessions.endOthers"), t("sessions.endOthersText"), t("sessions.endOthers"), { danger: true })) return;
        const answer = await attempt(() => remove("/api/sessions"));
        if (!answer) return;
        toast(t("did.endSession"));
        this.#draw(answer.sessions);
    }
}
