import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization

extension FakeLibrary {
    /// Records the request and the bytes; changes nothing.
    func commit(_ request: CommitRequest, files: [Descriptor]) throws(LibraryError) -> CommitReply {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let bytes = files.map { file in
            withExtendedLifetime(file) {
                FileHandle(fileDescriptor: file.number, closeOnDealloc: false)
                    .readDataToEndOfFile()
            }
        }
        return state.withLock { state in
            state.commits.append(request)
            state.committedFiles.append(bytes)
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
