package import PhotoModel
package import WorkerClient
package import WorkerProtocol

/// Reads the records of a source in this order: counts, assets, collections (parents first), and
/// members.
package protocol ForeignReader: Sendable {
    /// Returns the next records.
    func next() throws(LibraryError) -> ForeignBatch
    /// Returns to the first record.
    func rewind() throws(LibraryError)
}

extension ForeignLibrary: ForeignReader {
    package func next() throws(LibraryError) -> ForeignBatch {
        do throws(Failure) { return try next(200) } catch { throw error.libraryError }
    }

    package func rewind() throws(LibraryError) {
        do throws(Failure) { try readAgain() } catch { throw error.libraryError }
    }
}

extension ForeignLibrary.Failure {
    /// The failure as a `LibraryError`.
    var libraryError: LibraryError {
        switch self {
        case .worker(let error):
            LibraryError(
                error.isShortOfDescriptors ? .tooManyOpenFiles : .workerUnavailable,
                "The library cannot be read: \(error.message)",
                recovery: error.recovery
            )
        case .library(let reason):
            LibraryError(
                .invalidResource,
                "The library cannot be read.",
                reason: reason,
                recovery: "Open it in Photos to repair it, or copy it again, and import it again."
            )
        }
    }
}
