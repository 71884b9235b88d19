internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The number and total size of a session's staged files, which are limited.
///
/// A file counts from before it is copied until its token ends. Thread-safe.
final class StagedUsage: Sendable {
    private struct State {
        var sizes: [FileToken: Int64] = [:]
        /// The number of files that are being copied.
        var copiedCount = 0
        /// The total size of all files, in bytes.
        var bytes: Int64 = 0
    }

    private let limits: DaemonLimits
    private let state = Mutex(State())

    init(_ limits: DaemonLimits) { self.limits = limits }

    /// Counts a file that is about to be copied.
    ///
    /// - Throws: `busy` if it exceeds a limit.
    func reserve(_ size: Int64) throws(LibraryError) {
        let exceeded = state.withLock { state -> (name: String, limit: String)? in
            guard state.sizes.count + state.copiedCount < limits.fileTokens else {
                return ("fileTokens", "\(limits.fileTokens) files")
            }
            guard size <= limits.stagedBytes - state.bytes else {
                return ("stagedBytes", "\(limits.stagedBytes) bytes")
            }
            state.copiedCount += 1
            state.bytes += size
            return nil
        }
        guard let exceeded else { return }
        throw LibraryError(
            .busy,
            "The changes of the program have too many files at once.",
            reason: "The limit “\(exceeded.name)” of the library daemon, \(exceeded.limit), was"
                + " exceeded.",
            recovery: "Divide the change into several, or set PHOTOS_DAEMON=0 to work without the"
                + " daemon."
        )
    }

    /// Records that a file was copied, and replaces its reserved size with its actual size.
    func add(_ reply: StageReply, reserved size: Int64) {
        state.withLock { state in
            state.copiedCount -= 1
            state.bytes += reply.size - size
            state.sizes[reply.token] = reply.size
        }
    }

    /// Releases the reservation of a file that could not be copied.
    func cancel(_ size: Int64) {
        state.withLock { state in
            state.copiedCount -= 1
            state.bytes -= size
        }
    }

    /// Subtracts files whose tokens are no longer valid; unknown tokens are ignored.
    func remove(_ tokens: [FileToken]) {
        guard !tokens.isEmpty else { return }
        state.withLock { state in
            for token in tokens { state.bytes -= state.sizes.removeValue(forKey: token) ?? 0 }
        }
    }
}

extension Descriptor {
    /// The size of the file in bytes; 0 if it is unknown.
    var size: Int64 {
        var status = stat()
        return fstat(number, &status) == 0 ? max(0, Int64(status.st_size)) : 0
    }
}
