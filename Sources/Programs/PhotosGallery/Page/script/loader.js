// Loads the pictures of the grid: the degraded one first, then the sharp one, a few at a time,
// those in view before those nearby. Images are inserted after they are decoded.
const atOnce = 4;
const remembered = 20_000;

export class PictureLoader {
    constructor() {
        this.waiting = new Set();
        this.running = 0;
        this.paused = false;
        this.known = new Map();
        this.rank = () => 0;
    }

    /** Pauses or resumes new requests, such as during fast scrolling. */
    pause(paused) {
        this.paused = paused;
        if (!paused) this.#next();
    }

    /** Requests the pictures of a job: `{key, side, urls, show(image, isSharp), fail()}`. */
    add(job) {
        // The stage that was sufficient the last time is requested immediately.
        job.stage = this.known.get(job.key) ?? 0;
        this.waiting.add(job);
        this.#next();
    }

    cancel(job) {
        this.waiting.delete(job);
        job.cancelled = true;
        if (job.image) {
            job.image.removeAttribute("src");
            job.image = null;
            job.over?.();
        }
    }

    #next() {
        if (this.paused) return;
        while (this.running < atOnce && this.waiting.size) {
            let best = null;
            let bestRank = Infinity;
            for (const job of this.waiting) {
                // All degraded pictures are loaded before any sharp one.
                const rank = this.rank(job) + job.stage * 100_000;
                if (rank < bestRank) {
                    best = job;
                    bestRank = rank;
                }
            }
            this.waiting.delete(best);
            this.#run(best);
        }
    }

    async #run(job) {
        this.running += 1;
        const image = new Image();
        job.image = image;
        image.alt = "";
        image.draggable = false;
        const loaded = await new Promise((resolve) => {
            job.over = () => resolve(false);
            image.onload = () => resolve(true);
            image.onerror = () => resolve(false);
            image.src = job.urls[job.stage];
        });
        job.over = null;
        let ready = loaded;
        if (loaded && !job.cancelled) {
            try {
                await image.decode();
            } catch {
                ready = image.naturalWidth > 0;
            }
        }
        this.running -= 1;
        job.image = null;
        if (!job.cancelled) {
            // A degraded picture that has enough pixels for the cell is also the final one.
            const isSharp = job.stage === 1 || ready && Math.min(image.naturalWidth, image.naturalHeight) >= job.side;
            if (ready) job.show(image, isSharp);
            if (isSharp) {
                if (ready) {
                    if (this.known.size > remembered) this.known.clear();
                    this.known.set(job.key, job.stage);
                } else job.fail();
            } else {
                job.stage = 1;
                this.waiting.add(job);
            }
        }
        this.#next();
    }
}
