internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The sizes of a library's files, measured as `photos status` does.
///
/// Enumerating all files of a large library is slow, so the result is cached. After a change that
/// can affect the sizes, they are measured again in the background. Setting a favorite, for
/// example, does not affect them. A session that may not see hidden photos receives sizes without
/// these, none from before a photo was hidden, and no sizes for files that contain data of all
/// photos.
final class StorageFigures: Sendable {
    private struct Sizes: Sendable {
        var originals: Int64 = 0
        var edits: Int64 = 0
    }

    private struct Figures: Sendable {
        /// The latest version of the library for which the sizes are known to be correct.
        ///
        /// It is nil if the library changed while they were measured.
        var version: Int64?
        /// The version of the library before the sizes were measured.
        ///
        /// Photos that are hidden at this version are among the hidden ones.
        var start: Int64 = 0
        var all = Sizes()
        /// The sizes of the files of hidden photos, including those in Recently Deleted.
        var hidden = Sizes()
    }

    /// The view of the library that includes hidden photos.
    private let library: PhotoLibraryBundle
    private let figures: RecomputedValue<Figures>
    private let enumerations = Atomic(0)

    /// The asset properties whose changes can affect the sizes.
    private static let properties: Set<String> = ["files", "isHidden", "trashedDate"]

    /// The number of times that the files have been enumerated.
    var enumerationCount: Int { enumerations.load(ordering: .relaxed) }

    /// Creates figures that were not measured yet.
    ///
    /// - Parameters:
    ///   - library: The view of the library that includes hidden photos.
    ///   - patience: The time for which a request waits if there are former sizes.
    init(library: PhotoLibraryBundle, patience: Duration = .milliseconds(300)) {
        self.library = library
        figures = RecomputedValue(patience: patience)
    }

    func json(for view: GalleryView) throws -> String {
        let (all, hidden) = try sizes(showsHidden: view.showsHidden)
        var object = JSONObject()
        if view.showsHidden {
            object.add("originals", all.originals)
            object.add("edits", all.edits)
            // Querying the renditions' status would scan all of them, so the files are measured
            // instead.
            let renditions = bytes("database") { $0.hasPrefix("renditions.sqlite") }
            object.add("database", bytes("database") - renditions)
            object.add("renditions", renditions)
        } else {
            object.add("originals", max(0, all.originals - hidden.originals))
            object.add("edits", max(0, all.edits - hidden.edits))
            object.add("database", nil as Int64?)
            object.add("renditions", nil as Int64?)
        }
        object.add("staging", bytes("staging"))
        let path = library.url.path(percentEncoded: false)
        let volume = try? FileManager.default.attributesOfFileSystem(forPath: path)
        object.add("free", (volume?[.systemFreeSize] as? NSNumber)?.int64Value)
        var counts = JSONObject()
        counts.add("assets", view.library.visibleAssetCount)
        counts.add("deleted", try view.library.recentlyDeletedAssets().count)
        object.add("counts", counts)
        return object.line
    }

    /// Returns the sizes of all files, and the sizes of the files of hidden photos.
    private func sizes(showsHidden: Bool) throws -> (all: Sizes, hidden: Sizes) {
        let version = try library.version
        let figures = try figures.value(
            renewed: { known in
                guard try isCurrent(known.version, at: version) else { return nil }
                var renewed = known
                renewed.version = known.version.map { max($0, version) }
                renewed.start = max(known.start, version)
                return renewed
            },
            permitted: { try showsHidden || areWithoutHidden($0, at: version) },
            compute: { [self] in try measured() }
        )
        return (figures.all, figures.hidden)
    }

    /// Measures the files.
    ///
    /// If the library changes meanwhile, it repeats this, up to three times in all.
    private func measured() throws -> Figures {
        var figures = Figures()
        for _ in 0..<3 {
            let version = try library.version
            enumerations.add(1, ordering: .relaxed)
            figures.start = version
            figures.all = Sizes(originals: bytes("originals"), edits: bytes("edits"))
            figures.hidden = try hiddenSizes()
            guard try library.version != version else {
                figures.version = version
                break
            }
        }
        return figures
    }

    /// Indicates whether the sizes of an earlier version are still correct at a later version.
    private func isCurrent(_ known: Int64?, at version: Int64) throws -> Bool {
        guard let known else { return false }
        if known >= version { return true }
        return try !RecentChanges(library: library).contain(since: known, to: version) { change in
            change.kind != .updated || change.contentChanged || change.properties.isEmpty
                || !Self.properties.isDisjoint(with: change.properties)
        }
    }

    /// Indicates whether the photos that are hidden at a version are among the hidden ones of sizes
    /// that were measured before.
    private func areWithoutHidden(_ figures: Figures, at version: Int64) throws -> Bool {
        guard figures.start < version else { return true }
        return try !RecentChanges(library: library).contain(since: figures.start, to: version) {
            $0.properties.contains("isHidden") || $0.kind == .updated && $0.properties.isEmpty
        }
    }

    private func hiddenSizes() throws -> Sizes {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.predicate = NSPredicate(format: "isHidden == YES")
        var sizes = Sizes()
        for assets in [
            try library.fetchAssets(with: options),
            try library.recentlyDeletedAssets(with: options),
        ] {
            for asset in assets.all {
                for file in try library.resources(of: asset.localIdentifier) {
                    if file.relativePath.hasPrefix("originals/") {
                        sizes.originals += file.fileSize
                    } else if file.relativePath.hasPrefix("edits/") {
                        sizes.edits += file.fileSize
                    }
                }
            }
        }
        return sizes
    }

    /// Returns the total length of the files below a folder of the library.
    ///
    /// The allocated size is not used: Foundation on Linux multiplies blocks of 512 bytes by the
    /// block size of the file system, which is typically eight times too much.
    private func bytes(
        _ folder: String,
        where condition: (String) -> Bool = { _ in true }
    ) -> Int64 {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey]
        let files = FileManager.default.enumerator(
            at: library.url.appending(path: folder),
            includingPropertiesForKeys: Array(keys)
        )
        var total: Int64 = 0
        while let url = files?.nextObject() as? URL {
            let values = try? url.resourceValues(forKeys: keys)
            guard values?.isRegularFile ?? false, condition(url.lastPathComponent) else {
                continue
            }
            total += Int64(values?.fileSize ?? 0)
        }
        return total
    }
}

extension PhotoLibraryBundle {
    /// The number of assets that a fetch with default options finds.
    ///
    /// The library maintains this number, so no asset is read.
    fileprivate var visibleAssetCount: Int {
        using {
            PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum,
                subtype: .smartAlbumUserLibrary,
                options: nil
            ).firstObject?.estimatedAssetCount ?? 0
        }
    }
}
