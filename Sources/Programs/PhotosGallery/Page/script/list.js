// A list of assets on the server: a snapshot, its timeline, and the assets that were loaded so far.
// Assets are loaded in blocks; all others are known only by position.
import { block, timelinePath } from "./address.js";
import { get, query, RequestError } from "./api.js";
import { shifting } from "./shift.js";

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
        this.isGone = false;
        this.arrived = () => {};
        this.forgotten = () => {};
    }

    get count() {
        return this.timeline.count;
    }

    /** Loads the timeline and the first assets, and discards the others, whose positions may have changed. */
    async load() {
        const { assets = [], ...timeline } = await get(timelinePath(this));
        this.timeline = timeline;
        this.snapshot = timeline.snapshot;
        this.assets.clear();
        this.#stop();
        assets.forEach((asset, place) => this.assets.set(place, asset));
        return this;
    }

    at(place) {
        return this.assets.get(place);
    }

    /** Requests the assets of a range, and cancels requests far from it that nothing waits for. */
    want(from, to) {
        const first = Math.floor(Math.max(0, from) / block);
        const last = Math.floor(Math.max(0, Math.min(to, this.count) - 1) / block);
        for (const [index, request] of this.asked) {
            if (!request.isAwaited && (index < first - 2 || index > last + 2)) {
                request.abort();
                this.asked.delete(index);
            }
        }
        for (let index = first; index <= last; index += 1) this.#ask(index);
    }

    /**
     * The asset at a position, loaded if necessary; null if there is none, undefined if the list
     * changed before the asset arrived, which may be at another position by then.
     */
    async one(place) {
        if (place < 0 || place >= this.count) return null;
        if (this.assets.has(place)) return this.at(place);
        const { snapshot } = this;
        await this.#ask(Math.floor(place / block), { isAwaited: true });
        if (this.snapshot !== snapshot || this.isGone) return undefined;
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

    #ask(index, { isAwaited = false } = {}) {
        const running = this.asked.get(index);
        if (running) {
            running.isAwaited ||= isAwaited;
            return running.done;
        }
        if (this.#isWhole(index)) return Promise.resolve();
        const control = new AbortController();
        control.isAwaited = isAwaited;
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
                if (error instanceof RequestError && error.code === "gone" && snapshot === this.snapshot) {
                    this.isGone = true;
                    this.forgotten();
                } else if (!(error instanceof RequestError)) throw error;
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

    /**
     * Applies change details; returns the map of positions, or null if the list must be reloaded.
     */
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
