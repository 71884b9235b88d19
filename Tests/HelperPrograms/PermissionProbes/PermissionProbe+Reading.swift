internal import LibraryService
internal import PhotoModel

extension PermissionProbe {
    private static var everything: AssetFetchRequest {
        var request = AssetFetchRequest()
        request.includesHidden = true
        return request
    }

    /// The calls that read.
    static let reading: [PermissionProbe] = [
        PermissionProbe("status") { service, _ in
            try service.status().libraryUUID.isEmpty ? "no" : "yes"
        },
        .act("limitFetches") { service, _ in
            try service.limitFetches(FetchLimitRequest(seconds: 60))
        },
        .act("cancel") { service, _ in
            try service.cancel(CancelRequest(tickets: [CallTicket(number: 7)]))
        },
        .act("subscribe") { service, _ in _ = try service.subscribe() },
        .act("pin") { service, _ in _ = try service.pin() },
        .act("unpin") { service, _ in try service.unpin(UnpinRequest(pin: 7)) },
        .assets("openSession") { service, asset in
            let session = try service.openSession(SessionRequest())
            defer { session.close() }
            return try session.fetch(everything).ids.contains(asset.id)
        },
        .assets("openSession: without hidden") { service, asset in
            let session = try service.openSession(SessionRequest(restriction: .withoutHidden))
            defer { session.close() }
            return try session.fetch(everything).ids.contains(asset.id)
        },
        .act("openSession: as another author") { service, _ in
            try service.openSession(SessionRequest(author: "nobody")).close()
        },
        PermissionProbe("close") { service, _ in
            let session = try service.openSession(SessionRequest())
            session.close()
            return (try? session.status()) == nil ? "done" : "still open"
        },
        .assets("fetch") { service, asset in
            try service.fetch(everything).ids.contains(asset.id)
        },
        .assets("loadAssets") { service, asset in
            let request = AssetLoadRequest(ids: RowIDBuffer([asset.id]))
            return try !service.loadAssets(request).assets.isEmpty
        },
        .assets("countAssets") { service, asset in
            let request = AssetCountRequest(ids: RowIDBuffer([asset.id]))
            return try !service.countAssets(request).counts.isEmpty
        },
        .assets("captureDays") { service, asset in
            let request = CaptureDaysRequest(ids: RowIDBuffer([asset.id]))
            return try service.captureDays(request).runs.contains { $0.day != nil }
        },
        .act("searchFacets") { service, _ in
            _ = try service.searchFacets(SearchFacetsRequest(limit: 9))
        },
        .assets("fetchCollections") { service, asset in
            let request = CollectionFetchRequest(scope: .containing(asset: asset.uuid))
            return try !service.fetchCollections(request).ids.isEmpty
        },
        PermissionProbe("loadCollections") { service, subjects in
            let request = CollectionLoadRequest(ids: RowIDBuffer([subjects.albumID]))
            return try service.loadCollections(request).collections.isEmpty ? "no" : "yes"
        },
        .assets("history") { service, asset in
            try service.history(HistoryRequest(since: 0, limit: .max)).versions
                .flatMap(\.changes).contains { $0.uuid == asset.uuid }
        },
        .act("historyHorizon: read") { service, _ in
            _ = try service.historyHorizon(HistoryHorizonRequest(days: nil))
        },
        .assets("touched") { service, asset in
            let request = TouchedRequest(since: 0, through: try service.status().version)
            return try service.touched(request).assets.contains(asset.id)
        },
        .assets("advance") { service, asset in
            let request = AdvanceRequest(
                query: .assets(everything),
                ids: RowIDBuffer(),
                snapshot: LibrarySnapshot(version: 0, epoch: 0)
            )
            switch try service.advance(request).outcome {
            case .unchanged: return false
            case .steps(let ids, _), .reload(let ids): return ids.contains(asset.id)
            }
        },
        // A session knows only what it has delivered.
        PermissionProbe("advanceHeld") { service, subjects in
            let request = AdvanceRequest(
                query: .assets(everything),
                ids: RowIDBuffer([-subjects.albumID]),
                snapshot: LibrarySnapshot(version: 0, epoch: 0)
            )
            let reply = try service.advanceHeld(HeldAdvanceRequest(request))
            return reply == .unknown ? "unknown" : "known"
        },
        .assets("objectChanges") { service, asset in
            let request = ObjectChangesRequest(
                kind: .asset,
                ids: RowIDBuffer([asset.id]),
                since: 0
            )
            return try service.objectChanges(request).outcomes.contains { $0 != .deleted }
        },
    ]

    /// The calls that read files and images.
    static let files: [PermissionProbe] = [
        .assets("listResources") { service, asset in
            let request = ResourceListRequest(assetUUID: asset.uuid)
            return try !service.listResources(request).resources.isEmpty
        },
        .assets("openResource") { service, asset in
            _ = try service.openResource(ResourceOpenRequest(resourceUUID: asset.resource))
            return true
        },
        .assets("cloudStates") { service, asset in
            let request = CloudStatesRequest(assetUUIDs: [asset.uuid])
            return try service.cloudStates(request).states.contains { $0 != nil }
        },
        // All files are here, so there is nothing to download.
        .assets("downloadResources") { service, asset in
            try service.downloadResources(
                DownloadRequest([
                    .resource(asset.resource), .image(assetUUID: asset.uuid, version: .current),
                ])
            )
            return true
        },
        // The original of each asset has a label.
        .assets("keptMetadata") { service, asset in
            let request = KeptMetadataRequest(assetUUID: asset.uuid)
            return try service.keptMetadata(request).metadata.label != nil
        },
        .assets("findContent") { service, asset in
            let request = FindContentRequest(digests: [asset.sha256])
            return try service.findContent(request).matches.contains { !$0.isEmpty }
        },
        .assets("assetDigests") { service, asset in
            let request = AssetDigestsRequest(assetUUIDs: [asset.uuid])
            return try service.assetDigests(request).digests.contains { $0 != nil }
        },
        .assets("image") { service, asset in
            let shape = PixelShape(size: PixelSize(width: 8, height: 8))
            return try service.image(ImageRequest(assetUUID: asset.uuid, shape: shape)) != nil
        },
        .assets("readyImages") { service, asset in
            let shape = PixelShape(size: PixelSize(width: 8, height: 8))
            let request = ImageRequest(assetUUID: asset.uuid, shape: shape, quality: .atHand)
            let answers = try service.readyImages(ReadyImagesRequest([request])).answers
            if case .failed(let error) = answers.first { throw error }
            return answers.count == 1
        },
        .assets("thumbnail") { service, asset in
            _ = try service.thumbnail(ThumbnailRequest(assetUUID: asset.uuid))
            return true
        },
        .assets("imageData") { service, asset in
            let request = ImageDataRequest(assetUUID: asset.uuid, version: .current)
            _ = try service.imageData(request)
            return true
        },
        // The assets are photos.
        .assets("movieData") { service, asset in
            let request = MovieDataRequest(assetUUID: asset.uuid, version: .current)
            _ = try service.movieData(request)
            return true
        },
        // Each asset is edited.
        .assets("adjustments") { service, asset in
            let request = AdjustmentsRequest(assetUUID: asset.uuid)
            return try service.adjustments(request).adjustments != nil
        },
        // With no patience, one photo is examined, if the client sees any.
        .act("duplicates") { service, _ in
            _ = try service.duplicates(DuplicatesRequest(patience: 0))
        },
        .act("renditionStatus") { service, _ in _ = try service.renditionStatus() },
        .act("readerStatus") { service, _ in _ = try service.readerStatus() },
        .act("fileDigests") { service, subjects in
            _ = try service.fileDigests(of: [file(subjects.photo)])
        },
        PermissionProbe("identify") { service, subjects in
            let request = IdentifyRequest(filename: "photo.jpg")
            let reply = try service.identify(request, file: file(subjects.photo))
            return reply.mediaType == .image ? "image" : "unknown"
        },
    ]
}
