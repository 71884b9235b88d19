import Foundation
import LibraryService
import Logging
import PhotoModel
import Photos
import RemoteLibrary
import Synchronization
import TestSupport

/// A library in memory that records its requests.
///
/// It answers fetches with those assets, in order, that remain after a `.rowIDs` scope and the
/// limit. Predicates are recorded but not evaluated, except for conjunctions of lists of row ids.
final class FakeLibrary: LibraryService {
    struct Record {
        var requests: [AssetFetchRequest] = []
        var loads: [Int] = []
        var failure: LibraryError?
        var assets: [AssetRecord] = []
        var resources: [ResourceRecord] = []
        var files: [String: String] = [:]
        /// The error for a resource without a file.
        var lossCode = LibraryError.Code.missingResource
        var counts = 0
        /// The history that observers see.
        var past = FakeHistory()
        var commits: [CommitRequest] = []
        /// The bytes of the files that no commit has used.
        var stagedFiles: [FileToken: Data] = [:]
        /// The bytes of each commit.
        var committedFiles: [[Data]] = []
        var imageRequests: [ImageRequest] = []
        /// The requests of each call for readily available images.
        var readyRequests: [[ImageRequest]] = []
        /// Indicates whether renditions serve requests for complete images, too.
        var hasWholeRenditions = false
        /// The number of answers to such a call.
        var readyCount = Int.max
        /// Called during such a call, with its number.
        var whileReading: (@Sendable (Int) throws(LibraryError) -> Void)?
        /// The tickets of canceled requests.
        var cancelledTickets: Set<CallTicket> = []
        /// Answers requests for pictures.
        var picture: FakePicture?
        /// What exports of the library read; nil if it cannot be exported.
        var export: FakeExport?
        /// Called while records are loaded.
        var whileLoading: (@Sendable () -> Void)?
        /// Called once, during a subscription.
        var whileSubscribing: (@Sendable () -> Void)?
    }

    let state = Mutex(Record())
    let log = LogBook()

    init(assets: Int = 0) {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        state.withLock { state in
            state.assets = (0..<assets).map { index in
                var asset = AssetRecord(
                    id: Int64(index + 1),
                    uuid: Self.uuid(index + 1),
                    mediaType: index % 3 == 0 ? .video : .image,
                    originalFilename: "IMG_\(index + 1).JPG",
                    contentType: "public.jpeg",
                    addedDate: date
                )
                asset.creationDate = date + Double(index)
                return asset
            }
        }
    }

    static func uuid(_ id: Int) -> String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(id)".count) + "\(id)"
    }

    /// A connection to the fake, through the encoding of a connection if `$PHOTOS_DAEMON` says so.
    var connection: LibraryConnection {
        let isLoopback = ProcessInfo.processInfo.environment["PHOTOS_DAEMON"] == "loopback"
        let service: any LibraryService = isLoopback ? LoopbackLibrary(self) : self
        return LibraryConnection(
            to: service,
            logger: log.logger,
            watchInterval: .milliseconds(50)
        )
    }

    var requests: [AssetFetchRequest] { state.withLock(\.requests) }

    func close() {}

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService { self }

    func limitFetches(_ request: FetchLimitRequest) throws(LibraryError) {}

    func failIfAsked() throws(LibraryError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    func status() throws(LibraryError) -> LibraryStatus {
        try failIfAsked()
        let past = state.withLock { state in
            state.past.questions += 1
            return state.past
        }
        Signals.send()
        return LibraryStatus(
            path: "/library",
            version: past.version,
            stamp: FakeHistory.stamp(of: past.version),
            readOnlyReason: nil,
            libraryUUID: past.libraryUUID,
            epoch: past.epoch
        )
    }

    func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply {
        try failIfAsked()
        let all = state.withLock { state in
            state.requests.append(request)
            return state.assets
        }
        var ids = all.map(\.id)
        switch request.scope {
        case .rowIDs(let wanted): ids = ids.filter { wanted.contains($0) }
        case .identifiers(let wanted):
            ids = all.filter { wanted.contains($0.localIdentifier) }.map(\.id)
        case .library, .burst, .recentlyDeleted, .album, .moment: break
        }
        if case .and(let conditions) = request.predicate {
            for case .rowIDs(let wanted) in conditions { ids = ids.filter { wanted.contains($0) } }
        }
        if request.limit > 0 { ids = Array(ids.prefix(request.limit)) }
        return AssetFetchReply(snapshot: snapshot, ids: RowIDBuffer(ids))
    }

    func loadAssets(_ request: AssetLoadRequest) throws(LibraryError) -> AssetLoadReply {
        try failIfAsked()
        state.withLock { $0.whileLoading }?()
        let assets = state.withLock { state in
            state.loads.append(request.ids.count)
            return state.assets
        }
        // Ids start at 1, in order; rows can be missing.
        let found = request.ids.compactMap { id in
            assets.indices.contains(Int(id) - 1) && assets[Int(id) - 1].id == id
                ? assets[Int(id) - 1] : assets.first { $0.id == id }
        }
        return AssetLoadReply(version: snapshot.version, assets: found)
    }

    func countAssets(_ request: AssetCountRequest) throws(LibraryError) -> AssetCountReply {
        try failIfAsked()
        return state.withLock { state in
            state.counts += 1
            let wanted = Set(request.ids)
            let types = state.assets.filter { wanted.contains($0.id) }.map(\.mediaType)
            return AssetCountReply(counts: Dictionary(types.map { ($0, 1) }, uniquingKeysWith: +))
        }
    }

    func captureDays(_ request: CaptureDaysRequest) throws(LibraryError) -> CaptureDaysReply {
        try failIfAsked()
        return CaptureDaysReply(runs: [CaptureDaysReply.Run(day: nil, count: request.ids.count)])
    }

    func searchFacets(_ request: SearchFacetsRequest) throws(LibraryError) -> SearchFacetsReply {
        try failIfAsked()
        return SearchFacetsReply(cameras: [], places: [])
    }

    func listResources(_ request: ResourceListRequest) throws(LibraryError) -> ResourceListReply {
        try failIfAsked()
        return ResourceListReply(
            resources: state.withLock { state in
                state.resources.filter { $0.assetUUID == request.assetUUID }
            }
        )
    }

    func openResource(
        _ request: ResourceOpenRequest
    ) throws(LibraryError) -> (ResourceOpenReply, Descriptor) {
        try failIfAsked()
        let (record, path, code) = state.withLock { state in
            (
                state.resources.first { $0.uuid == request.resourceUUID },
                state.files[request.resourceUUID], state.lossCode
            )
        }
        guard let record, let path else {
            throw LibraryError(code, "There is no such file.")
        }
        return (ResourceOpenReply(resource: record), Descriptor(owning: open(path, O_RDONLY)))
    }

    private static let unused = LibraryError(.internalError, "The fake does not import.")

    func beginImport(_ request: ImportSessionRequest) throws(LibraryError) -> ImportSessionReply {
        throw Self.unused
    }

    func knownFiles(_ request: KnownFilesRequest) throws(LibraryError) -> KnownFilesReply {
        throw Self.unused
    }

    func importFiles(
        _ request: ImportFilesRequest,
        files: [Descriptor]
    ) throws(LibraryError) -> ImportFilesReply {
        throw Self.unused
    }

    func openTakeout(_ request: TakeoutOpenRequest, files: [Descriptor]) throws(LibraryError)
        -> TakeoutOpenReply
    {
        throw Self.unused
    }

    func stepTakeout(_ request: TakeoutStepRequest) throws(LibraryError) -> TakeoutStepReply {
        throw Self.unused
    }

    func endImport(_ request: ImportEndRequest) throws(LibraryError) { throw Self.unused }

    func beginMigration(
        _ request: MigrationBeginRequest,
        files: [Descriptor]
    ) throws(LibraryError) -> MigrationBeginReply {
        throw Self.unused
    }

    func continueMigration(_ request: MigrationStepRequest) throws(LibraryError)
        -> MigrationStepReply
    {
        throw Self.unused
    }

    func endMigration(_ request: MigrationEndRequest) throws(LibraryError) { throw Self.unused }

    func verify(_ request: VerifyRequest) throws(LibraryError) -> VerifyReply {
        throw Self.unused
    }
}

extension FakeLibrary {
    /// Runs code whose fetches use this library.
    func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try PHPhotoLibrary.using(connection, body)
    }

    /// Adds a resource with these bytes; `size` is the size that the library records.
    func addResource(_ data: Data, size: Int? = nil, in folder: TemporaryFolder) throws {
        let uuid = UUID().uuidString
        let file = try folder.write(data, to: "stored/\(uuid)")
        state.withLock { state in
            state.files[uuid] = file.path
            state.resources.append(
                ResourceRecord(
                    id: Int64(state.resources.count + 1),
                    uuid: uuid,
                    assetID: 1,
                    assetUUID: Self.uuid(1),
                    type: .photo,
                    originalFilename: "IMG_1.JPG",
                    contentType: "public.jpeg",
                    path: "originals/\(uuid)",
                    size: Int64(size ?? data.count),
                    sha256: String(repeating: "0", count: 64),
                    pixelSize: PixelSize(width: 1, height: 1)
                )
            )
        }
    }

    /// Returns the resources of the first asset.
    func resources() -> [PHAssetResource] {
        use {
            guard let asset = PHAsset.fetchAssets(with: nil).firstObject else { return [] }
            return PHAssetResource.assetResources(for: asset)
        }
    }
}
