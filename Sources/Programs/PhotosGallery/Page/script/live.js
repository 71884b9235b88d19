// What the server tells by itself. A hidden tab lets its connection go, since browsers have few of them,
// and catches up when it is looked at again.
import { eventsURL } from "./api.js";

const kinds = ["changes", "collections", "asset", "import", "check", "renditions", "duplicates", "movie", "access", "hidden", "sessions", "ended"];

class Live extends EventTarget {
    constructor() {
        super();
        this.source = null;
        this.snapshot = () => null;
        this.wait = 500;
        document.addEventListener("visibilitychange", () => {
            if (document.hidden) this.stop();
            else this.start();
        });
        addEventListener("pagehide", () => this.stop());
    }

    /** Connects, or connects anew for another list. */
    start() {
        this.stop();
        if (document.hidden) return;
        const source = new EventSource(eventsURL(this.snapshot()));
        this.source = source;
        source.onopen = () => {
            if (this.broken) this.dispatchEvent(new Event("again"));
            this.broken = false;
            this.wait = 500;
        };
        source.onerror = () => {
            if (this.source !== source) return;
            // Its own reconnecting would ask with an old snapshot.
            this.stop();
            this.broken = true;
            this.dispatchEvent(new Event("broken"));
            this.timer = setTimeout(() => this.start(), this.wait);
            this.wait = Math.min(this.wait * 2, 10_000);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, (event) => {
                if (this.source !== source) return;
                this.dispatchEvent(new CustomEvent(kind, { detail: JSON.parse(event.data) }));
            });
        }
    }

    stop() {
        clearTimeout(this.timer);
        this.source?.close();
        this.source = null;
    }

    on(kind, listen) {
        const heard = (event) => listen(event.detail);
        this.addEventListener(kind, heard);
        return () => this.removeEventListener(kind, heard);
    }
}

export const live = new Live();
