internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// The contents of the sidebar, as JSON.
struct Sidebar {
    /// The maximum depth of nested folders.
    private static let depthLimit = 64

    let gallery: Gallery
    let view: GalleryView

    private var library: PhotoLibraryBundle { view.library }

    /// Returns the sidebar without moments.
    ///
    /// View-only sessions get no counts for lists that they may not open.
    func json(isViewOnly: Bool) throws -> String {
        var object = JSONObject()
        object.add("version", view.follower.announced)
        let smart = library.using {
            PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum,
                subtype: .any,
                options: nil
            ).all
        }
        func count(_ subtype: PHAssetCollectionSubtype) -> Int {
            smart.first { $0.assetCollectionSubtype == subtype }?.estimatedAssetCount ?? 0
        }
        object.add("library", Self.count(count(.smartAlbumUserLibrary)))
        object.add("favorites", Self.count(count(.smartAlbumFavorites)))
        object.add("recents", Self.count(count(.smartAlbumRecentlyAdded)))
        object.add("hidden", Self.count(view.showsHidden ? try hiddenCount() : nil))
        object.add("deleted", Self.count(isViewOnly ? nil : try deletedCount()))
        object.add("duplicates", Self.count(isViewOnly ? nil : gallery.duplicates.count))
        object.add("tree", try tree(nil, depth: 0))
        let shown = smart.filter { $0.assetCollectionSubtype != .smartAlbumAllHidden }
        object.add("smart", shown.map(Self.smart))
        object.add("imports", json: try view.importDays.json())
        return object.line
    }

    private static func count(_ count: Int?) -> JSONObject {
        var object = JSONObject()
        object.add("count", count)
        return object
    }

    private func hiddenCount() throws -> Int {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.predicate = NSPredicate(format: "isHidden = YES")
        return try library.fetchAssets(with: options).count
    }

    private func deletedCount() throws -> Int {
        try library.recentlyDeletedAssets().count
    }

    // MARK: - Albums

    private func tree(_ folder: PHCollectionList?, depth: Int) throws -> [JSONObject] {
        guard depth < Self.depthLimit else { return [] }
        let children = library.using {
            folder.map { PHCollection.fetchCollections(in: $0, options: nil) }
                ?? PHCollection.fetchTopLevelUserCollections(with: nil)
        }
        return try children.all.map { child in
            var object = JSONObject()
            object.add("id", child.bareIdentifier)
            object.add("title", child.localizedTitle)
            if let album = child as? PHAssetCollection {
                object.add("kind", "album")
                object.add("count", album.estimatedAssetCount)
                object.add("cover", try cover(album))
            } else {
                object.add("kind", "folder")
                let list = child as? PHCollectionList
                object.add("children", try tree(list, depth: depth + 1))
            }
            return object
        }
    }

    /// Returns the first asset of an album, which is its cover; nil if the album is empty.
    func cover(_ album: PHAssetCollection) throws -> JSONObject? {
        let options = PHFetchOptions()
        options.fetchLimit = 1
        let found = library.using { PHAsset.fetchAssets(in: album, options: options).firstObject }
        guard let found, let facts = try library.facts(for: [found.localIdentifier]).first else {
            return nil
        }
        var object = JSONObject()
        object.add("id", found.bareIdentifier)
        object.add("version", facts.contentVersion)
        return object
    }

    private static func smart(_ album: PHAssetCollection) -> JSONObject {
        var object = JSONObject()
        object.add("id", album.bareIdentifier)
        object.add("subtype", "\(album.assetCollectionSubtype)")
        object.add("title", album.localizedTitle)
        object.add("count", album.estimatedAssetCount)
        return object
    }

    // MARK: - Moments

    /// Returns a range of the moments, which are sorted from the latest to the earliest.
    func moments(offset: Int, count: Int) throws -> String {
        let found = library.using { PHAssetCollection.fetchMoments(with: nil) }
        let range = (offset..<offset + count).clamped(to: 0..<found.count)
        let lines = try range.map { index -> JSONObject in
            let moment = found.object(at: found.count - 1 - index)
            var object = JSONObject()
            object.add("id", moment.bareIdentifier)
            object.add("title", moment.localizedTitle)
            object.add("places", moment.localizedLocationNames)
            object.add("start", moment.startDate)
            object.add("end", moment.endDate)
            object.add("count", moment.estimatedAssetCount)
            object.add("cover", try cover(moment))
            return object
        }
        var object = JSONObject()
        object.add("count", found.count)
        object.add("moments", lines)
        return object.line
    }
}
