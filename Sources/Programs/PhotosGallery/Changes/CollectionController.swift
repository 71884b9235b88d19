internal import Foundation
internal import Photos
internal import PhotosManagement

/// Performs album and folder changes that browsers request.
struct CollectionController {
    let controller: ChangeController

    private var command: ChangeCommand { controller.command }
    private var library: PhotoLibraryBundle { controller.library }

    func make() throws -> ChangeController.Outcome {
        switch command.action {
        case "add": return try add()
        case "remove": return try remove()
        case "move": return try put(at: needPlace())
        case "createAlbum": return try createAlbum()
        case "createFolder": return try createFolder()
        case "rename": return try rename()
        case "deleteCollection": return try delete()
        case "moveCollection": return try moveCollection()
        case "sortCollections": return try sortCollections()
        case "sortAlbum": return try sortAlbum()
        default: throw RequestError.badRequest("Unknown action: \(command.action).")
        }
    }

    private func needPlace() throws -> Int {
        guard let place = command.to, place >= 0 else {
            throw RequestError.badRequest(
                "The action \(command.action) requires to: POSITION, counted from 0."
            )
        }
        return place
    }

    private func title() throws -> String {
        let title = try command.need(command.title, "title")
        try controller.checkText(title)
        return title
    }

    // MARK: - Album contents

    /// Returns the album that the command names, and its assets.
    private func album() throws -> (PHAssetCollection, PHFetchResult<PHAsset>) {
        let album = try ListQuery.album(command.need(command.album, "album"), in: library)
        guard album.assetCollectionType == .album else {
            throw RequestError(
                .refused,
                "\(album.localizedTitle ?? "It") is a smart album, whose contents cannot be changed."
            )
        }
        return (album, try library.fetchAssets(in: album, with: nil))
    }

    private func request(
        _ album: PHAssetCollection,
        _ assets: PHFetchResult<PHAsset>? = nil
    ) throws -> PHAssetCollectionChangeRequest {
        guard let request = PHAssetCollectionChangeRequest(for: album, assets: assets) else {
            throw RequestError(.refused, "The library does not allow changes to this album.")
        }
        return request
    }

    private func add() throws -> ChangeController.Outcome {
        if let place = command.to { return try put(at: place) }
        let (album, _) = try album()
        let assets = try controller.assets()
        try perform { try request(album).addAssets(assets) }
        return ChangeController.Outcome(count: assets.count)
    }

    private func remove() throws -> ChangeController.Outcome {
        let (album, _) = try album()
        let assets = try controller.assets()
        try perform { try request(album).removeAssets(assets) }
        return ChangeController.Outcome(count: assets.count)
    }

    /// Inserts assets into an album at a position, in the given order.
    ///
    /// Assets that are already in the album are moved.
    private func put(at place: Int) throws -> ChangeController.Outcome {
        let (album, shown) = try album()
        let assets = try controller.assets()
        let coming = Set(assets.map(\.localIdentifier))
        let staying = shown.all.count { !coming.contains($0.localIdentifier) }
        let start = min(max(0, place), staying)
        try perform {
            try request(album, shown).insertAssets(
                assets,
                at: IndexSet(start..<start + assets.count)
            )
        }
        return ChangeController.Outcome(count: assets.count)
    }

    /// Sorts an album by capture time.
    private func sortAlbum() throws -> ChangeController.Outcome {
        let (album, shown) = try album()
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        let sorted = try library.fetchAssets(in: album, with: options).all
        guard !sorted.isEmpty else { return ChangeController.Outcome() }
        try perform {
            try request(album, shown).insertAssets(sorted, at: IndexSet(0..<sorted.count))
        }
        return ChangeController.Outcome(count: sorted.count)
    }

    // MARK: - Creating and renaming

    private func createAlbum() throws -> ChangeController.Outcome {
        let title = try title()
        let folder = try folder()
        let assets = command.ids == nil && command.ranges == nil ? [] : try controller.assets()
        let made = Made()
        try perform {
            let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: title
            )
            if !assets.isEmpty { request.addAssets(assets) }
            let placeholder = request.placeholderForCreatedAssetCollection
            made.identifier = placeholder.localIdentifier
            if let folder { try self.request(folder).addChildCollections([placeholder]) }
        }
        return ChangeController.Outcome(created: made.bareIdentifier, count: assets.count)
    }

    private func createFolder() throws -> ChangeController.Outcome {
        let title = try title()
        let folder = try folder()
        let made = Made()
        try perform {
            let request = PHCollectionListChangeRequest.creationRequestForCollectionList(
                withTitle: title
            )
            let placeholder = request.placeholderForCreatedCollectionList
            made.identifier = placeholder.localIdentifier
            if let folder { try self.request(folder).addChildCollections([placeholder]) }
        }
        return ChangeController.Outcome(created: made.bareIdentifier, count: 1)
    }

    private func rename() throws -> ChangeController.Outcome {
        let title = try title()
        let collection = try collection()
        try perform {
            if let album = collection as? PHAssetCollection {
                try request(album).title = title
            } else if let folder = collection as? PHCollectionList {
                try request(folder).title = title
            }
        }
        return ChangeController.Outcome(count: 1)
    }

    private func delete() throws -> ChangeController.Outcome {
        let collection = try collection()
        try perform {
            if let album = collection as? PHAssetCollection {
                PHAssetCollectionChangeRequest.deleteAssetCollections([album])
            } else if let folder = collection as? PHCollectionList {
                PHCollectionListChangeRequest.deleteCollectionLists([folder])
            }
        }
        return ChangeController.Outcome(count: 1)
    }

    // MARK: - Folders

    private func moveCollection() throws -> ChangeController.Outcome {
        let collection = try collection()
        let folder = try folder()
        let children = children(of: folder)
        let others = children.all.count { $0 != collection }
        let place = min(max(0, command.to ?? others), others)
        try perform {
            try request(folder, children).insertChildCollections(
                [collection],
                at: IndexSet(integer: place)
            )
        }
        return ChangeController.Outcome(count: 1)
    }

    /// Sorts the contents of a folder, or of the top level, by title.
    private func sortCollections() throws -> ChangeController.Outcome {
        let folder = try folder()
        let children = children(of: folder)
        let sorted = children.all.sorted { first, second in
            let (first, second) = (first.localizedTitle ?? "", second.localizedTitle ?? "")
            return first.localizedStandardCompare(second) == .orderedAscending
        }
        guard !sorted.isEmpty else { return ChangeController.Outcome() }
        try perform {
            try request(folder, children).insertChildCollections(
                sorted,
                at: IndexSet(0..<sorted.count)
            )
        }
        return ChangeController.Outcome(count: sorted.count)
    }

    private func children(of folder: PHCollectionList?) -> PHFetchResult<PHCollection> {
        library.using {
            folder.map { PHCollection.fetchCollections(in: $0, options: nil) }
                ?? PHCollection.fetchTopLevelUserCollections(with: nil)
        }
    }

    private func request(
        _ folder: PHCollectionList?,
        _ children: PHFetchResult<PHCollection>? = nil
    ) throws -> PHCollectionListChangeRequest {
        let children = children ?? self.children(of: folder)
        let request =
            folder.map { PHCollectionListChangeRequest(for: $0, childCollections: children) }
            ?? PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: children)
        guard let request else {
            throw RequestError(.refused, "The library does not allow changes to this folder.")
        }
        return request
    }

    // MARK: - Looking up

    /// Returns the folder that the command names; nil for the top level.
    private func folder() throws -> PHCollectionList? {
        guard let name = command.folder, !name.isEmpty else { return nil }
        let found = library.using {
            PHCollectionList.fetchCollectionLists(
                withLocalIdentifiers: [name.uppercased() + "/L0/020"],
                options: nil
            ).firstObject
        }
        guard let found else { throw RequestError.notFound("There is no folder \(name).") }
        return found
    }

    /// Returns the album or folder that the command names.
    private func collection() throws -> PHCollection {
        let name = try command.need(command.collection, "collection")
        let folder = library.using {
            PHCollectionList.fetchCollectionLists(
                withLocalIdentifiers: [name.uppercased() + "/L0/020"],
                options: nil
            ).firstObject
        }
        if let folder { return folder }
        let album = try ListQuery.album(name, in: library)
        guard album.assetCollectionType == .album else {
            throw RequestError(
                .refused,
                "\(album.localizedTitle ?? "It") is built into the library and cannot be changed."
            )
        }
        return album
    }

    // MARK: - Committing

    /// Performs a change block, and throws the error that the block threw.
    private func perform(_ block: @escaping () throws -> Void) throws {
        let outcome = Caught()
        try controller.commit {
            do { try block() } catch { outcome.error = error }
        }
        if let error = outcome.error { throw error }
    }

    /// A reference type that stores the error that a change block threw.
    private final class Caught {
        var error: (any Error)?
    }

    /// A reference type that stores the identifier of the collection that a change block created.
    private final class Made {
        var identifier: String?

        var bareIdentifier: String? { identifier.map { String($0.prefix { $0 != "/" }) } }
    }
}
