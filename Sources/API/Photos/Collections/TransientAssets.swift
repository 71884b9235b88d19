internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The assets of an album that lives in memory only.
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
            // A result that a program made itself, or an empty one.
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

    /// How many of them are still there.
    var count: Int { fetch(nil).count }

    /// The assets that options leave, in the album's order.
    func fetch(_ options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        let whole = (options?.copy() as? PHFetchOptions) ?? PHFetchOptions()
        // They were put in one by one, so none of them is left out.
        whole.includeHiddenAssets = true
        whole.includeAllBurstAssets = true
        whole.includeAssetSourceTypes = [
            .typeUserLibrary, .typeCloudShared, .typeiTunesSynced,
        ]
        return AssetFetch(.rowIDs(ids), options: whole, connection: connection).result()
    }

    /// The earliest or the latest creation date; nil when none has one.
    func date(isLatest: Bool) -> Date? {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "creationDate != nil")
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: !isLatest)]
        options.fetchLimit = 1
        return fetch(options).firstObject?.creationDate
    }
}
