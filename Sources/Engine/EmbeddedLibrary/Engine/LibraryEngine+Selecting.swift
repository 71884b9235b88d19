internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import ProgramAccess

extension LibraryEngine {
    /// The maximum number of assets, newest first, that the user can select from.
    private static let offered = 5_000

    /// Returns the newest assets of the library that are not hidden, as its owner sees them.
    func selectable() throws(LibraryError) -> SelectableLibrary {
        let service = try session()
        defer { service.close() }
        var request = AssetFetchRequest()
        request.sort = [AssetFetchRequest.SortKey("creationDate", ascending: false)]
        request.limit = Self.offered
        let ids = try service.fetch(request).ids
        let records = try service.loadAssets(AssetLoadRequest(ids: ids)).assets
        let style = Date.ISO8601FormatStyle().year().month().day()
        return SelectableLibrary(
            uuid: try service.status().libraryUUID,
            assets: records.map { record in
                SelectableAsset(
                    uuid: record.uuid,
                    name: record.originalFilename,
                    date: record.creationDate.map { $0.formatted(style) } ?? "",
                    isSelected: false
                )
            }
        )
    }
}
