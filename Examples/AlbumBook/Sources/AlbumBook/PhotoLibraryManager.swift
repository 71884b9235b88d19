import Foundation
import MobileCoreServices
import Photos

/// The layer between an older program and the photo library.
class PhotoLibraryManager {
    static let shared = PhotoLibraryManager()

    func requestAccess(completion: @escaping (Bool) -> Void) {
        switch PHPhotoLibrary.authorizationStatus() {
        case .authorized:
            completion(true)
        case .notDetermined:
            PHPhotoLibrary.requestAuthorization { status in
                DispatchQueue.global().async { completion(status == .authorized) }
            }
        case .denied, .restricted, .limited:
            completion(false)
        @unknown default:
            completion(false)
        }
    }

    /// The photos between two dates, newest first.
    func assets(from start: NSDate, to end: Date) -> PHFetchResult<PHAsset> {
        let options = PHFetchOptions()
        options.includeAssetSourceTypes = [.typeUserLibrary, .typeiTunesSynced, .typeCloudShared]
        options.predicate = NSPredicate(
            format: "creationDate >= %@ AND creationDate <= %@ AND mediaType = %i",
            start,
            end as CVarArg,
            PHAssetMediaType.image.rawValue
        )
        options.sortDescriptors = [
            NSSortDescriptor(key: "creationDate", ascending: false),
            NSSortDescriptor(key: "modificationDate", ascending: true),
        ]
        return PHAsset.fetchAssets(with: options)
    }

    func smartAlbums() -> [PHAssetCollection] {
        var collections: [PHAssetCollection] = []
        let result = PHAssetCollection.fetchAssetCollections(
            with: .smartAlbum,
            subtype: .any,
            options: nil
        )
        result.enumerateObjects { collection, _, stop in
            autoreleasepool {
                if collection.estimatedAssetCount > 0 { collections.append(collection) }
            }
            if collections.count >= 50 { stop.pointee = true }
        }
        return collections
    }

    func fileSize(of asset: PHAsset) -> Int64? {
        guard let resource = PHAssetResource.assetResources(for: asset).first else { return nil }
        return (resource.value(forKey: "fileSize") as? NSNumber)?.int64Value
    }

    func isImage(_ asset: PHAsset) -> Bool {
        guard let resource = PHAssetResource.assetResources(for: asset).first else { return false }
        return UTTypeConformsTo(resource.uniformTypeIdentifier as CFString, kUTTypeImage)
    }

    /// The file's data and URL; the call blocks.
    func data(of asset: PHAsset) -> (Data?, URL?) {
        var found: Data?
        var url: URL?
        let semaphore = DispatchSemaphore(value: 0)
        let options = PHImageRequestOptions()
        options.version = .unadjusted
        PHImageManager.default().requestImageData(for: asset, options: options) {
            data,
            _,
            _,
            info in
            found = data
            url = info?["PHImageFileURLKey"] as? URL
            semaphore.signal()
        }
        let now = DispatchTime.now().uptimeNanoseconds
        _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: now + 30 * NSEC_PER_SEC))
        return (found, url)
    }

    /// Adds photos to the album with a title, and creates the album if necessary.
    func add(_ assets: [PHAsset], toAlbum title: String) throws -> PHAssetCollection? {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "title = %@", title)
        let album = PHAssetCollection.fetchAssetCollections(
            with: .album,
            subtype: .any,
            options: options
        ).firstObject
        var identifier = album?.localIdentifier
        try PHPhotoLibrary.shared().performChangesAndWait {
            let request: PHAssetCollectionChangeRequest?
            if let album = album {
                request = PHAssetCollectionChangeRequest(for: album)
            } else {
                request = .creationRequestForAssetCollection(withTitle: title)
                identifier = request?.placeholderForCreatedAssetCollection.localIdentifier
            }
            request?.addAssets(assets as NSFastEnumeration)
        }
        return PHAssetCollection.fetchAssetCollections(
            withLocalIdentifiers: [identifier].compactMap { $0 },
            options: nil
        ).firstObject
    }

    func delete(_ album: PHAssetCollection, completion: @escaping (Bool, Error?) -> Void) {
        PHPhotoLibrary.shared().performChanges(
            {
                PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray)
            },
            completionHandler: completion
        )
    }
}

extension PHPhotoLibrary {
    /// An asynchronous change, as many programs defined it before PhotoKit had one.
    func performChanges(_ changeBlock: @escaping () -> Void, tag: String) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, Error>) in
            performChanges(changeBlock) { isDone, error in
                if isDone {
                    continuation.resume()
                } else {
                    continuation.resume(throwing: error ?? Failure("\(tag) failed"))
                }
            }
        }
    }
}
