// The server's event stream. A hidden tab closes its connection, because browsers limit their
// number, and catches up when it is visible again.
import { eventsURL } from "./api.js";

const kinds = ["begin", "changes", "collections", "asset", "import", "check", "renditions", "duplicates", "movie", "download", "access", "hidden", "sessions", "ended"];

class Live extends EventTarget {
    constructor() {
        super();
        this.source = null;
        this.snapshot = () => null;
        // The version of the library that the server announced last.
        this.version = null;
        this.wait = 500;
        document.addEventListener("visibilitychange", () => {
            if (document.hidden) this.stop();
            else this.start();
        });
        addEventListener("pagehide", () => this.stop());
    }

    /**
     * Connects, or reconnects for another list. Events of the former stream are received until the
     * new one is open, so that none is lost.
     */
    start() {
        clearTimeout(this.timer);
        if (document.hidden) {
            this.stop();
            return;
        }
        if (this.source?.readyState === EventSource.OPEN) {
            this.former?.close();
            this.former = this.source;
        } else this.source?.close();
        const source = new EventSource(eventsURL(this.snapshot()));
        this.source = source;
        source.onopen = () => {
            if (this.source === source) {
                this.former?.close();
                this.former = null;
            }
            if (this.broken) this.dispatchEvent(new Event("again"));
            this.broken = false;
            this.wait = 500;
        };
        source.onerror = () => {
            if (this.source !== source) return;
            // The automatic reconnection would use an old snapshot.
            this.stop();
            this.broken = true;
            this.dispatchEvent(new Event("broken"));
            this.timer = setTimeout(() => this.start(), this.wait);
            this.wait = Math.min(this.wait * 2, 10_000);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, (event) => {
                // Of the former stream, only changes are ignored: they belong to the former list.
                if (this.source !== source && (this.former !== source || kind === "changes")) return;
                if (this.source !== source && kind === "begin") return;
                const detail = JSON.parse(event.data);
                const missed = kind === "begin" && this.version !== null && this.version !== detail.version;
                if (kind === "begin" || kind === "collections") this.version = detail.version;
                this.dispatchEvent(new CustomEvent(kind, { detail: kind === "begin" ? { missed } : detail }));
            });
        }
    }

    stop() {
        clearTimeout(this.timer);
        this.former?.close();
        this.former = null;
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
