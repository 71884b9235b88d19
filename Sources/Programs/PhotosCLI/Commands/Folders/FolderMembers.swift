import Foundation
import Photos
import PhotosManagement

/// What a folder, or the top level, holds, in its order.
struct FolderMembers {
    /// Nil for the top level.
    private let folder: PHCollectionList?
    private let children: PHFetchResult<PHCollection>

    init(_ folder: PHCollectionList?) {
        self.folder = folder
        children = Changes.children(of: folder)
    }

    private var name: String { folder.map(Wording.name) ?? "the top level" }

    private func present(_ collections: [PHCollection]) -> Set<String> {
        let held = Set(CollectionArguments.all(children).map(\.localIdentifier))
        return held.intersection(collections.map(\.localIdentifier))
    }

    /// Makes sure that the folder holds all of some collections.
    ///
    /// - Throws: When it does not; the error names those that it has not.
    func requireAll(_ collections: [PHCollection]) throws {
        let held = present(collections)
        let missing = collections.filter { !held.contains($0.localIdentifier) }
        guard !missing.isEmpty else { return }
        throw PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "\(name.prefix(1).uppercased() + name.dropFirst()) does not hold"
                    + " \(missing.map(Wording.name).joined(separator: ", ")).",
                NSLocalizedRecoverySuggestionErrorKey:
                    "photos folder add puts albums and folders into it.",
                PHLocalIdentifiersErrorKey: missing.map(\.localIdentifier),
            ]
        )
    }

    /// Puts collections to a place, in their order; those that the folder holds move there.
    ///
    /// - Returns: The identifiers of what changed.
    /// - Throws: When the folder does not hold that many.
    func put(
        _ collections: [PHCollection],
        at place: Int,
        in library: PhotoLibraryBundle
    ) throws -> Set<String> {
        let indexes = try Places.indexes(
            at: place,
            for: collections.count,
            among: children.count - present(collections).count,
            in: name
        )
        return try Changes.perform(in: library) {
            try Changes.request(for: folder, children: children)
                .insertChildCollections(collections, at: indexes)
        }.changed
    }
}
