internal import EmbeddedLibrary
internal import Foundation
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// A queue that places downloaded files in the library, several in one commit.
///
///     finished ──wait──▶ group ──synced together──▶ one commit ──▶ placed
///
/// A commit syncs the disk several times, whatever the number of files. So the downloads that
/// finish during a commit are placed together in the next one. Commits run on a thread of their
/// own, so that other files are decrypted meanwhile.
final class DownloadPlacement: Sendable {
    /// A function that places downloads in the library.
    typealias Commit =
        @Sendable (LibraryEngine, [FinishedDownload]) throws(LibraryError)
        -> [Result<Bool, LibraryError>]

    private struct Waiting {
        let download: FinishedDownload
        let engine: LibraryEngine
        let continuation: CheckedContinuation<Result<Bool, LibraryError>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isPlacing = false
    }

    private static let filesAtOnce = 32

    private let state = Monitor(State())
    private let queue = DispatchQueue(label: "photos.cloud.placement")
    private let commit: Commit

    /// Creates an empty queue whose downloads `commit` places, by default with
    /// `LibraryEngine.placeContents(_:)`.
    init(
        commit: @escaping Commit = { engine, downloads throws(LibraryError) in
            try engine.placeContents(downloads)
        }
    ) {
        self.commit = commit
    }

    /// Places a download in the library, possibly in one commit with other waiting downloads.
    ///
    /// - Returns: Whether a photo lacked the file.
    func place(
        _ download: FinishedDownload,
        in engine: LibraryEngine
    ) async throws(LibraryError) -> Bool {
        let result = await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(
                    Waiting(download: download, engine: engine, continuation: continuation)
                )
                defer { state.isPlacing = true }
                return !state.isPlacing
            }
            if isFirst { queue.async { self.run() } }
        }
        return try result.get()
    }

    private func run() {
        while let group = next() {
            let results: [Result<Bool, LibraryError>]
            do throws(LibraryError) {
                results = try commit(group[0].engine, group.map(\.download))
            } catch {
                results = group.map { _ in .failure(error) }
            }
            for (waiting, result) in zip(group, results) {
                waiting.continuation.resume(returning: result)
            }
        }
    }

    /// Removes and returns at most `filesAtOnce` downloads from the front of the queue, all in one
    /// folder; returns nil if the queue is empty.
    private func next() -> [Waiting]? {
        state.withLock { state in
            guard let first = state.waiting.first else {
                state.isPlacing = false
                return nil
            }
            // A failed session may leave a download of a former folder behind.
            let group = state.waiting.prefix(Self.filesAtOnce).prefix {
                $0.download.isBeside(first.download)
            }
            state.waiting.removeFirst(group.count)
            return Array(group)
        }
    }
}
