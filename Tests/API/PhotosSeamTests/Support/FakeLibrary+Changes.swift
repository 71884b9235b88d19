import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization

extension FakeLibrary {
    /// Keeps the bytes.
    func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError) -> StageReply {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let bytes = withExtendedLifetime(file) {
            FileHandle(fileDescriptor: file.number, closeOnDealloc: false).readDataToEndOfFile()
        }
        return state.withLock { state in
            let token = FileToken(.random(in: 1...Int64.max))
            state.stagedFiles[token] = bytes
            return StageReply(token: token, size: Int64(bytes.count))
        }
    }

    func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        state.withLock { state in
            for token in request.tokens { state.stagedFiles[token] = nil }
        }
    }

    /// Records the request and the bytes; changes nothing.
    func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return state.withLock { state in
            state.commits.append(request)
            let tokens = request.changes.resources.map(\.file)
            state.committedFiles.append(
                tokens.compactMap { state.stagedFiles.removeValue(forKey: $0) }
            )
            return CommitReply(version: Int64(state.commits.count + 1))
        }
    }

    /// Runs a change block and waits.
    func change(_ block: @escaping () -> Void) throws {
        try use { try PHPhotoLibrary.shared().performChangesAndWait(block) }
    }

    /// The operations of the last change block.
    var operations: [ChangeOperation] {
        state.withLock { $0.commits.last?.changes.operations ?? [] }
    }
}
