internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import ProgramAccess

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

    /// Why the program may not see all that it asked for; nil when it may.
    var refusal: LibraryError? {
        guard let permission = connection.permission else { return nil }
        if let refusal = permission.refusal { return refusal }
        let wantsHidden = request.includesHidden || request.smartAlbum == .allHidden
        return wantsHidden ? permission.refusalOfHidden : nil
    }

    /// The result, with a logged reason when it is less than was asked for.
    ///
    /// What the program may not see is left out of it. It is empty when there can be none.
    func result() -> PHFetchResult<PHAsset> {
        if let refusal, connection.permission?.status(for: .readWrite) != .notDetermined {
            connection.permission?.report(refusal)
        }
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
