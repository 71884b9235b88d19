internal import Foundation
internal import Photos
internal import PhotosManagement

/// Which assets are hidden, for what work on the library as a whole tells of single ones.
enum HiddenAssets {
    /// Those with some UUIDs that are hidden, deleted ones too.
    ///
    /// All of them where the library cannot be read: then nothing is told.
    static func among(_ uuids: Set<String>, in library: PhotoLibraryBundle) -> Set<String> {
        guard !uuids.isEmpty else { return [] }
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.predicate = NSPredicate(
            format: "isHidden = YES AND localIdentifier IN %@",
            uuids.map { $0 + "/L0/001" }
        )
        guard let present = try? library.fetchAssets(with: options),
            let deleted = try? library.recentlyDeletedAssets(with: options)
        else { return uuids }
        return Set((present.all + deleted.all).map(\.bareIdentifier))
    }
}
