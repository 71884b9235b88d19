import LibraryService
import PhotoModel
import Synchronization

/// What exports of a fake library read besides assets and their files.
struct FakeExport: Sendable {
    /// The albums at the top level; each has all assets.
    var albums: [CollectionRecord] = []
    /// The SHA-256 of each file, whatever it contains.
    var sha256: String
}

/// The fake can be exported if a test says what it has.
extension FakeLibrary {
    private func export() throws(LibraryError) -> FakeExport {
        guard let export = state.withLock({ $0.export }) else {
            throw LibraryError(.internalError, "The fake cannot be exported.")
        }
        return export
    }

    func keptMetadata(_ request: KeptMetadataRequest) throws(LibraryError) -> KeptMetadataReply {
        _ = try export()
        return KeptMetadataReply()
    }

    func fileDigests(of files: [Descriptor]) throws(LibraryError) -> FileDigestsReply {
        let digest = try export().sha256
        return FileDigestsReply(digests: files.map { _ in digest })
    }

    func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply
    {
        let ids = try export().albums.map(\.id)
        return CollectionFetchReply(snapshot: snapshot, ids: RowIDBuffer(ids))
    }

    func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply
    {
        let albums = try export().albums.filter { request.ids.contains($0.id) }
        return CollectionLoadReply(version: snapshot.version, collections: albums)
    }
}
