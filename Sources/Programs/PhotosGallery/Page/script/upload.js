// The upload of files to one import session, one file after the other, in chunks.
import { post, putBytes, RequestError } from "./api.js";
import { bytes, t } from "./text.js";

/** The path of an import session. */
export const importPath = (session) => `/api/imports/${encodeURIComponent(session)}`;

/** Whether a request failed for a reason that may be gone when it is sent again. */
export const isInterruption = (error) => error instanceof RequestError && (error.status === 0 || error.status >= 500);

export class Upload {
    /**
     * @param advanced is called after each chunk and each file
     * @param failed is called with a row and the error because of which its file is left out
     */
    constructor(session, { chunkSize, limit, advanced, failed }) {
        this.session = session;
        this.chunkSize = chunkSize;
        this.limit = limit;
        this.advanced = advanced;
        this.failed = failed;
        this.queue = [];
        this.isSending = false;
        this.isStopped = false;
        // After the last file was sent, or the upload was stopped, no file is accepted.
        this.isClosed = false;
    }

    /** Adds files to an upload that is not closed: `[{path, file, row}]`. */
    add(entries) {
        this.queue.push(...entries);
    }

    stop() {
        this.isStopped = true;
        this.isClosed = true;
        this.queue = [];
    }

    /**
     * Sends all files and closes the upload. Returns false if it was stopped meanwhile. Throws if
     * the connection breaks; the next call then resumes the upload.
     */
    async send() {
        this.isSending = true;
        try {
            while (this.queue.length) {
                const entry = this.queue[0];
                try {
                    await this.#sendOne(entry);
                } catch (error) {
                    if (this.isStopped) return false;
                    if (isInterruption(error)) throw error;
                    this.failed(entry.row, error);
                }
                if (this.isStopped) return false;
                this.queue.shift();
                this.advanced();
            }
            this.isClosed = true;
            return !this.isStopped;
        } finally {
            this.isSending = false;
        }
    }

    async #sendOne({ path, file, row }) {
        if (this.limit && file.size > this.limit) throw new RequestError(413, "tooLarge", t("import.tooLarge", { size: bytes(this.limit) }));
        const root = `${importPath(this.session)}/files`;
        const known = await post(root, { path, size: file.size, modified: file.lastModified });
        let { offset } = known;
        row.state.textContent = t("import.sending");
        let first = true;
        while (!this.isStopped && (offset < file.size || (first && file.size === 0))) {
            first = false;
            const piece = file.slice(offset, offset + this.chunkSize);
            let content;
            try {
                content = await piece.arrayBuffer();
            } catch {
                throw new RequestError(400, "unreadable", t("import.unreadable"));
            }
            let answer;
            try {
                answer = await putBytes(`${root}/${known.file}?offset=${offset}`, content);
            } catch (error) {
                if (!Number.isInteger(error.details?.offset)) throw error;
                // More has arrived than was answered before the connection broke.
                offset = error.details.offset;
                continue;
            }
            offset = Math.max(answer.offset, offset + (file.size ? 1 : 0));
            row.offset = offset;
            row.bar.value = offset;
            this.advanced();
        }
        if (this.isStopped) return;
        row.bar.value = row.size || 1;
        if (!row.outcome) row.state.textContent = t("import.sent");
    }
}
