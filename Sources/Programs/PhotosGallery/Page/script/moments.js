// The page of moments: photos by time and place.
import { el, fill, icon, isolated, photo } from "./dom.js";
import { get, pictureURL, query } from "./api.js";
import { attempt } from "./dialog.js";
import { t, timeText } from "./text.js";

const page = 60;

export class Moments {
    constructor({ go }) {
        this.go = go;
        this.list = el("ul.moment-list");
        this.end = el("div.moment-end", { "aria-hidden": "true" });
        this.node = el("div.settings.moments", { tabindex: "-1" }, this.list, this.end);
        new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) this.#more(); }, { root: this.node, rootMargin: "600px" }).observe(this.end);
    }

    async show() {
        this.offset = 0;
        this.count = Infinity;
        fill(this.list);
        await this.#more();
    }

    async #more() {
        if (this.isLoading || this.offset >= this.count || this.offset === undefined) return;
        this.isLoading = true;
        const answer = await attempt(() => get("/api/moments" + query({ offset: this.offset, count: page })));
        this.isLoading = false;
        const moments = Array.isArray(answer) ? answer : answer?.moments ?? [];
        this.count = Array.isArray(answer) || !answer ? 0 : answer.count;
        this.offset += moments.length;
        for (const moment of moments) this.list.append(this.#card(moment));
        if (moments.length === 0) this.count = this.offset;
    }

    #card(moment) {
        const { cover } = moment;
        const sameDay = moment.start && moment.end && moment.start.slice(0, 10) === moment.end.slice(0, 10);
        const when = [moment.start, sameDay ? null : moment.end].filter(Boolean).map((date) => timeText(date, null, { dateStyle: "medium" })).join(" – ");
        // Without a place, the library's title is the day, which is formatted in the user's
        // language.
        const title = moment.places?.length ? moment.title : when;
        return el("li", {}, el("button.moment", { type: "button", onclick: () => this.go(`album/${moment.id}`) },
            cover ? photo({ src: pictureURL({ id: cover.id, version: cover.version ?? cover.v }, { size: 512, fit: "fill" }), alt: "", loading: "lazy" }) : el("span.no-photo", {}, icon("photos")),
            el("span.moment-text", {}, el("strong", {}, isolated(title || moment.title)), el("span", {}, [title === when ? null : when, t("count.assets", { n: moment.count })].filter(Boolean).join(" · ")))));
    }
}
