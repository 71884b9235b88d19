import Foundation
import Photos
import PhotosManagement

/// The albums and folders inside a folder, or at the top level, in order.
struct FolderMembers {
    /// The folder; nil for the top level.
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

    /// Throws an error unless the folder contains all given collections.
    ///
    /// - Throws: An error that names the missing collections.
    func requireAll(_ collections: [PHCollection]) throws {
        let held = present(collections)
        let missing = collections.filter { !held.contains($0.localIdentifier) }
        guard !missing.isEmpty else { return }
        throw PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "\(name.prefix(1).uppercased() + name.dropFirst()) does not contain"
                    + " \(missing.map(Wording.name).joined(separator: ", ")).",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Use photos folder add to add albums and folders to it.",
                PHLocalIdentifiersErrorKey: missing.map(\.localIdentifier),
            ]
        )
    }

    /// Moves collections to a position in the folder, in the given order, and adds those that the
    /// folder does not contain.
    ///
    /// - Returns: The identifiers of the changed objects.
    /// - Throws: When the position is beyond the end of the folder.
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
