import Foundation
import Photos
import PhotosManagement

/// The data that a program sees through each of PhotoKit's APIs: a line each, with a name and a
/// value.
struct Survey {
    /// An archived change token from when the library was empty, or `-`.
    let token: String
    /// The predicate formats to fetch with.
    let formats: [String]

    func run() {
        report("all", PHAsset.fetchAssets(with: nil))
        report("images", PHAsset.fetchAssets(with: .image, options: nil))
        for (name, options) in optionSets { report(name, PHAsset.fetchAssets(with: options)) }
        for (index, format) in formats.enumerated() {
            let options = PHFetchOptions()
            options.predicate = NSPredicate(format: format)
            report("format\(index)", PHAsset.fetchAssets(with: options))
        }
        let everything = PHAsset.fetchAssets(with: nil)
        say("count", everything.countOfAssets(with: .image))
        let hiddenAlbum = PHAssetCollection.fetchAssetCollections(
            with: .smartAlbum,
            subtype: .smartAlbumAllHidden,
            options: nil
        ).firstObject
        say("hiddenCount", hiddenAlbum?.estimatedAssetCount ?? 0)
        report(
            "hiddenAlbum",
            hiddenAlbum.map { PHAsset.fetchAssets(in: $0, options: nil) } ?? PHFetchResult()
        )
        let withHidden = PHFetchOptions()
        withHidden.includeHiddenAssets = true
        say("checked", code { try PHPhotoLibrary.shared().fetchAssets(with: nil) })
        say("checkedHidden", code { try PHPhotoLibrary.shared().fetchAssets(with: withHidden) })
        say(
            "checkedAlbum",
            code {
                try hiddenAlbum.map {
                    try PHPhotoLibrary.shared().fetchAssets(in: $0, options: nil)
                }
            }
        )
        let albums = PHAssetCollection.fetchAssetCollections(
            with: .album,
            subtype: .any,
            options: nil
        )
        say("albums", albums.count)
        say("top", PHCollection.fetchTopLevelUserCollections(with: nil).count)
        let album = albums.firstObject
        say("members", album.map { PHAsset.fetchAssets(in: $0, options: nil).count } ?? 0)
        var files = 0
        var bytes = 0
        everything.enumerateObjects { asset, _, _ in
            files += PHAssetResource.assetResources(for: asset).count
            bytes += Self.bytes(of: asset) > 0 ? 1 : 0
        }
        say("files", files)
        say("data", bytes)
        say("history", history)
    }

    private var optionSets: [(String, PHFetchOptions)] {
        let hidden = PHFetchOptions()
        hidden.includeHiddenAssets = true
        let limited = PHFetchOptions()
        limited.fetchLimit = 1
        let sorted = PHFetchOptions()
        sorted.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        let block = PHFetchOptions()
        block.predicate = NSPredicate { asset, _ in asset is PHAsset }
        return [("hidden", hidden), ("limit1", limited), ("newest", sorted), ("block", block)]
    }

    /// The number of assets in the history since the token; -1 if the token is rejected.
    private var history: Int {
        guard let data = Data(base64Encoded: token),
            let token = try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: PHPersistentChangeToken.self,
                from: data
            )
        else { return -2 }
        guard let changes = try? PHPhotoLibrary.shared().fetchPersistentChanges(since: token)
        else { return -1 }
        var names: Set<String> = []
        for change in changes {
            guard let details = try? change.changeDetails(for: .asset) else { continue }
            names.formUnion(details.insertedLocalIdentifiers)
            names.formUnion(details.updatedLocalIdentifiers)
            names.formUnion(details.deletedLocalIdentifiers)
        }
        return names.count
    }

    /// Returns the size of an asset's picture in bytes, if the program may read it.
    static func bytes(of asset: PHAsset?) -> Int {
        guard let asset else { return 0 }
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var count = 0
        _ = PHImageManager.default().requestImageDataAndOrientation(
            for: asset,
            options: options
        ) { data, _, _, _ in count = data?.count ?? 0 }
        return count
    }

    /// Returns the code of a fetch's error, or 0 if it throws none.
    private func code(_ fetch: () throws -> PHFetchResult<PHAsset>?) -> Int {
        do {
            _ = try fetch()
            return 0
        } catch {
            return (error as? PHPhotosError)?.errorCode ?? -2
        }
    }

    private func report(_ name: String, _ result: PHFetchResult<PHAsset>) {
        var names: [String] = []
        result.enumerateObjects { asset, _, _ in names.append(asset.localIdentifier) }
        AccessClient.say([name] + names)
    }

    private func say(_ name: String, _ number: Int) { AccessClient.say(name, "\(number)") }
}
