// One list of assets as the server keeps it: a snapshot, its timeline, and those assets that were asked
// for. Assets come in blocks; the others are places only.
import { get, query, RequestError } from "./api.js";
import { shifting } from "./shift.js";

const block = 120;
const most = 24_000;

export class AssetList {
    constructor(source, { predicate = null, order = null } = {}) {
        this.source = source;
        this.predicate = predicate;
        this.order = order;
        this.timeline = { count: 0, dated: true, days: [] };
        this.snapshot = null;
        this.assets = new Map();
        this.asked = new Map();
        this.arrived = () => {};
        this.forgotten = () => {};
    }

    get count() {
        return this.timeline.count;
    }

    get path() {
        return query({ source: this.source, predicate: this.predicate, order: this.order });
    }

    /** Reads the timeline; keeps known assets out, since their places may be others. */
    async load() {
        const timeline = await get("/api/timeline" + this.path);
        this.timeline = timeline;
        this.snapshot = timeline.snapshot;
        this.assets.clear();
        this.#stop();
        return this;
    }

    at(place) {
        return this.assets.get(place);
    }

    /** Sees to it that the assets of a stretch come, nearest first; gives up what was asked for elsewhere. */
    want(from, to) {
        const first = Math.floor(Math.max(0, from) / block);
        const last = Math.floor(Math.max(0, Math.min(to, this.count) - 1) / block);
        for (const [index, request] of this.asked) {
            if (index < first - 2 || index > last + 2) {
                request.abort();
                this.asked.delete(index);
            }
        }
        for (let index = first; index <= last; index += 1) this.#ask(index);
    }

    /** The asset of a place, asked for if need be. */
    async one(place) {
        if (place < 0 || place >= this.count) return null;
        if (!this.assets.has(place)) await this.#ask(Math.floor(place / block));
        return this.assets.get(place) ?? null;
    }

    #stop() {
        for (const request of this.asked.values()) request.abort();
        this.asked.clear();
    }

    #isWhole(index) {
        const end = Math.min((index + 1) * block, this.count);
        for (let place = index * block; place < end; place += 1) if (!this.assets.has(place)) return false;
        return true;
    }

    #ask(index) {
        const running = this.asked.get(index);
        if (running) return running.done;
        if (this.#isWhole(index)) return Promise.resolve();
        const control = new AbortController();
        const snapshot = this.snapshot;
        control.done = (async () => {
            try {
                const answer = await get("/api/assets" + query({ snapshot, offset: index * block, count: block }), { signal: control.signal });
                if (snapshot !== this.snapshot) return;
                answer.assets.forEach((asset, step) => this.assets.set(answer.offset + step, asset));
                this.#forgetFar(index * block);
                this.arrived(answer.offset, answer.offset + answer.assets.length);
            } catch (error) {
                if (error.name === "AbortError") return;
                if (error instanceof RequestError && error.code === "gone" && snapshot === this.snapshot) this.forgotten();
                else if (!(error instanceof RequestError)) throw error;
            } finally {
                if (this.asked.get(index) === control) this.asked.delete(index);
            }
        })();
        this.asked.set(index, control);
        return control.done;
    }

    #forgetFar(near) {
        if (this.assets.size <= most) return;
        const far = [...this.assets.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
        for (const place of far.slice(0, this.assets.size - most / 2)) this.assets.delete(place);
    }

    /** Applies change details; answers where places went, or null where the timeline has to be read anew. */
    apply(details) {
        if (details.previous !== this.snapshot) return null;
        if (!details.incremental || this.timeline.groups) return null;
        const shift = shifting(details);
        const moved = new Map();
        for (const [place, asset] of this.assets) {
            const after = shift(place);
            if (after !== null) moved.set(after, asset);
        }
        for (const { index, asset } of [...details.inserted, ...details.changed]) moved.set(index, asset);
        this.#stop();
        this.assets = moved;
        this.snapshot = details.snapshot;
        const days = this.timeline.days.slice();
        if (details.days) days.splice(details.days.at, details.days.remove, ...details.days.insert);
        const count = details.count ?? this.timeline.count - details.removed.length + details.inserted.length;
        this.timeline = { ...this.timeline, days: this.timeline.dated ? days : [["", count]], count };
        return shift;
    }
}
