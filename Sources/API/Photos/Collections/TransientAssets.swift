internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The assets of an album that exists only in memory.
struct TransientAssets: Sendable {
    let localIdentifier = LocalIdentifier(new: .album).description
    let title: String?
    private let connection: LibraryConnection
    private let ids: RowIDBuffer

    init(_ assets: [PHAsset], title: String?) {
        let connection = assets.lazy.compactMap(\.connection).first ?? .current
        self.init(
            title: title,
            connection: connection,
            ids: RowIDBuffer(assets.compactMap { $0.connection === connection ? $0.rowID : nil })
        )
    }

    init(_ result: PHFetchResult<PHAsset>, title: String?) {
        guard let track = result.objects?.track else {
            // The result is empty, or a program created it itself.
            self.init((0..<result.count).map { result[$0] }, title: title)
            return
        }
        self.init(title: title, connection: track.connection, ids: track.own.ids)
    }

    private init(title: String?, connection: LibraryConnection, ids: RowIDBuffer) {
        self.title = title
        self.connection = connection
        self.ids = ids
    }

    /// The number of assets in the album that still exist in the library.
    var count: Int { fetch(nil).count }

    /// Returns the assets that match the options, in the album's order.
    func fetch(_ options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        let whole = (options?.copy() as? PHFetchOptions) ?? PHFetchOptions()
        // The assets were selected individually, so all of them are included.
        whole.includeHiddenAssets = true
        whole.includeAllBurstAssets = true
        whole.includeAssetSourceTypes = [
            .typeUserLibrary, .typeCloudShared, .typeiTunesSynced,
        ]
        return AssetFetch(.rowIDs(ids), options: whole, connection: connection).result()
    }

    /// Returns the earliest or the latest creation date, or nil if no asset has one.
    func date(isLatest: Bool) -> Date? {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "creationDate != nil")
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: !isLatest)]
        options.fetchLimit = 1
        return fetch(options).firstObject?.creationDate
    }
}
