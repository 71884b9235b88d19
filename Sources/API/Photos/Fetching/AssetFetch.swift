internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A fetch of assets, with the client's options converted into a library request.
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

    /// The reason that the program's permission restricts the result of this fetch, or nil if the
    /// result is unrestricted.
    var refusal: LibraryError? {
        connection.permission.flatMap { refusal(of: $0.permission(at: .readWrite)) }
    }

    private func refusal(of permission: AuthorizationStatusReply) -> LibraryError? {
        let wantsHidden = request.includesHidden || request.smartAlbum == .allHidden
        return permission.refusal ?? (wantsHidden ? permission.hiddenRefusal : nil)
    }

    /// Returns the fetch result, and logs the reason when the result is incomplete.
    ///
    /// The result leaves out assets that the program has no permission to see. It is empty when the
    /// fetch fails.
    func result() -> PHFetchResult<PHAsset> {
        if let object = connection.permission {
            let permission = object.permission(at: .readWrite)
            if permission.status != .notDetermined, let refusal = refusal(of: permission) {
                object.report(refusal)
            }
        }
        do throws(LibraryError) {
            return try checkedResult()
        } catch {
            connection.reportUnlessUnavailable(error)
            return PHFetchResult()
        }
    }

    /// Returns the fetch result, or throws the reason that the fetch failed.
    func checkedResult() throws(LibraryError) -> PHFetchResult<PHAsset> {
        let query = AdvanceRequest.Query.assets(request)
        let answer = try FetchTrack.Answer(query, where: predicate, of: connection)
        return PHFetchResult(
            FetchedAssets(answer, wantsSteps: wantsSteps, connection: connection)
        )
    }
}
