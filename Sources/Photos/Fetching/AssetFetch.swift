internal import Foundation
internal import LibraryService
internal import PhotoModel

/// One fetch of assets: a client's options, turned into a request for the library.
struct AssetFetch {
    private var request: AssetFetchRequest
    private let predicate: NSPredicate?
    private let wantsSteps: Bool
    private let connection: LibraryConnection

    init(
        _ scope: AssetFetchRequest.Scope,
        mediaType: PHAssetMediaType? = nil,
        options: PHFetchOptions?,
        connection: LibraryConnection = .current
    ) {
        self.connection = connection
        predicate = options?.predicate
        wantsSteps = options?.wantsIncrementalChangeDetails ?? true
        request = AssetFetchRequest(scope: scope)
        request.mediaType = mediaType.flatMap { MediaType(rawValue: $0.rawValue) }
        guard let options else { return }
        request.sort = options.sortKeys
        request.limit = max(0, options.fetchLimit)
        request.includesHidden = options.includeHiddenAssets
        request.includesAllBurstMembers = options.includeAllBurstAssets
        request.sourceTypes = SourceTypes(rawValue: options.includeAssetSourceTypes.rawValue)
    }

    /// The result, empty and with a logged reason when there can be none.
    func result() -> PHFetchResult<PHAsset> {
        do throws(LibraryError) {
            return try checkedResult()
        } catch {
            connection.reportUnlessUnavailable(error)
            return PHFetchResult()
        }
    }

    /// The result, or why there can be none.
    func checkedResult() throws(LibraryError) -> PHFetchResult<PHAsset> {
        let query = AdvanceRequest.Query.assets(request)
        let answer = try FetchTrack.Answer(query, where: predicate, of: connection)
        return PHFetchResult(
            FetchedAssets(answer, wantsSteps: wantsSteps, connection: connection)
        )
    }
}
