internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A fetch of albums and folders, with the client's options converted into a library request.
struct CollectionFetch {
    private var request: CollectionFetchRequest
    private let predicate: NSPredicate?
    private let wantsSteps: Bool
    private let connection: LibraryConnection

    init(
        _ scope: CollectionFetchRequest.Scope,
        kind: ObjectKind? = nil,
        options: PHFetchOptions?,
        connection: LibraryConnection = .current
    ) {
        self.connection = connection
        predicate = options?.predicate
        wantsSteps = options?.wantsIncrementalChangeDetails ?? true
        request = CollectionFetchRequest(scope: scope, kind: kind)
        guard let options else { return }
        request.sort = options.sortKeys
        request.limit = max(0, options.fetchLimit)
    }

    /// Returns the fetch result; if the fetch fails, logs the reason and returns an empty result.
    func result<Collection: PHCollection>() -> PHFetchResult<Collection> {
        do throws(LibraryError) {
            return try checkedResult()
        } catch {
            connection.reportUnlessUnavailable(error)
            return PHFetchResult()
        }
    }

    /// Returns the fetch result, or throws the reason that the fetch failed.
    func checkedResult<Collection: PHCollection>() throws(LibraryError) -> PHFetchResult<Collection>
    {
        let query = AdvanceRequest.Query.collections(request)
        let answer = try FetchTrack.Answer(query, where: predicate, of: connection)
        return PHFetchResult(
            FetchedCollections(answer, wantsSteps: wantsSteps, connection: connection)
        )
    }
}

extension PHFetchOptions {
    /// The sort descriptors, converted to key names and directions.
    var sortKeys: [AssetFetchRequest.SortKey] {
        (sortDescriptors ?? []).map {
            AssetFetchRequest.SortKey($0.key ?? "\($0.keyPath)", ascending: $0.ascending)
        }
    }
}
