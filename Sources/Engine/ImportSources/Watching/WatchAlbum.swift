internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The album to which the imports of a watch folder are added.
struct WatchAlbum {
    let service: any LibraryService

    /// Adds assets to the album of a watch folder, and creates the album before its first use.
    ///
    /// - Parameters:
    ///   - assets: The local identifiers of the assets.
    ///   - folder: The watch folder, in which the album's UUID or its deletion is noted.
    /// - Throws: When the library cannot be changed.
    func add(_ assets: [String], of folder: inout WatchFolder) throws(LibraryError) {
        guard let title = folder.album, !folder.isAlbumDeleted, !assets.isEmpty else { return }
        if folder.albumIdentifier == nil {
            let uuid = UUID().uuidString
            let creation = CollectionCreation(
                uuid: uuid,
                kind: .album,
                title: title,
                reusesTitled: true
            )
            let reply = try commit(.createCollection(creation))
            folder.albumIdentifier = reply.reused[uuid] ?? uuid
        }
        guard let album = folder.albumIdentifier else { return }
        var uuids = assets.compactMap { LocalIdentifier($0)?.uuid }
        while !uuids.isEmpty {
            do throws(LibraryError) {
                _ = try commit(.editMembers(album: album, ListEdit(steps: [.add(uuids)])))
                return
            } catch {
                let named = Set(error.identifiers.compactMap { LocalIdentifier($0)?.uuid })
                if named.contains(album) {
                    folder.isAlbumDeleted = true
                    return
                }
                // Assets that are in Recently Deleted, or that were deleted, are not added.
                let rest = uuids.filter { !named.contains($0) }
                guard rest.count < uuids.count else { throw error }
                uuids = rest
            }
        }
    }

    private func commit(_ action: ChangeAction) throws(LibraryError) -> CommitReply {
        let operation = ChangeOperation(request: "watch folder", action: action)
        return try service.commit(CommitRequest(changes: ChangeSet(operations: [operation])))
    }
}
