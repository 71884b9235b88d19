internal import Foundation
internal import Photos
internal import PhotosManagement

/// Determines which assets are hidden, so that events of library-wide operations do not reveal
/// them.
enum HiddenAssets {
    /// Returns the UUID in an asset's local identifier; nil for another object's identifier.
    static func uuid(of localIdentifier: String?) -> String? {
        guard let localIdentifier, localIdentifier.hasSuffix("/L0/001") else { return nil }
        return String(localIdentifier.prefix { $0 != "/" })
    }

    /// Returns the UUIDs, among the given ones, of assets that are or may be hidden.
    ///
    /// An asset that no longer exists is included, since it may have been hidden. If the library
    /// cannot be read, all UUIDs are returned.
    static func among(_ uuids: Set<String>, in library: PhotoLibraryBundle) -> Set<String> {
        guard !uuids.isEmpty else { return [] }
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        // Those of shared albums are not hidden, although the library does not list them.
        options.includeAssetSourceTypes = [.typeUserLibrary, .typeCloudShared, .typeiTunesSynced]
        options.predicate = NSPredicate(
            format: "isHidden = NO AND localIdentifier IN %@",
            uuids.map { $0 + "/L0/001" }
        )
        guard let present = try? library.fetchAssets(with: options),
            let deleted = try? library.recentlyDeletedAssets(with: options)
        else { return uuids }
        return uuids.subtracting((present.all + deleted.all).map(\.bareIdentifier))
    }
}
