internal import Glibc
internal import Media
internal import WorkerProtocol

/// The handler of requests to read archives and JSON files of Google Takeout.
struct ArchiveHandler {
    let limits: WorkerLimits

    /// Returns a reply with a page of an archive's listing.
    func page(_ cursor: ArchiveCursor, of file: Int32) -> WorkerReply {
        do throws(ArchiveProblem) {
            return .archivePage(try ArchiveExtractor.page(cursor, of: file))
        } catch { return .failed(reason: error.reason) }
    }

    /// Returns a reply with the facts in a JSON file.
    func facts(of file: Int32) -> WorkerReply {
        guard let file = MappedFile.map(file) else {
            return .failed(reason: "It is not a regular file, or it cannot be read.")
        }
        return .takeout(TakeoutReader.read(file.bytes))
    }

    /// Writes the next bytes of an entry to `output`, at their offset in the entry.
    func extract(_ request: ArchiveExtraction, from file: Int32, to output: Int32) -> WorkerReply {
        guard lseek(output, off_t(request.done), SEEK_SET) >= 0 else {
            return .unwritable(reason: Self.reason)
        }
        var failure: String?
        do throws(ArchiveProblem) {
            let progress = try ArchiveExtractor.extract(request, from: file) { bytes in
                failure = Self.write(bytes, to: output)
                return failure == nil
            }
            return .extracted(progress)
        } catch {
            if let failure { return .unwritable(reason: failure) }
            return .failed(reason: error.reason)
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }

    /// Writes bytes at the file's current position; returns nil, or the reason for a failure.
    private static func write(_ bytes: UnsafeRawBufferPointer, to output: Int32) -> String? {
        guard let start = bytes.baseAddress else { return nil }
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(output, start + done, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return reason }
            done += count
        }
        return nil
    }
}
