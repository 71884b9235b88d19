internal import PhotoModel

/// Which assets a smart album holds, said twice: as SQL, which has an index for each album, and of
/// facets, which its count is summed up from.
extension SmartAlbum {
    /// The condition over columns of `asset`, besides visibility.
    ///
    /// Each is spelled as in its index: only then does SQLite use that. Of bursts the rows are looked at
    /// too, one for each that shows.
    ///
    /// Nil for none. Of `firstRecentDay`, see `SmartAlbum.firstRecentDay(at:)`.
    func condition(firstRecentDay: Int64) -> String? {
        switch self {
        case .userLibrary: nil
        case .recentlyAdded: "addedDate >= \(firstRecentDay * Int64(Self.secondsInDay))"
        case .favorites: "isFavorite = 1"
        case .videos: "mediaType = 2"
        case .bursts: "length(burstIdentifier) > 0 AND NOT \(AssetRecord.loneFrameCondition)"
        case .selfPortraits: "lensModel LIKE '%front%'"
        case .longExposures: "exposureTime >= 1"
        case .raw: "hasRAW = 1"
        case .allHidden: "isHidden = 1"
        case .unableToUpload: "0"
        default: subtype.map { "mediaSubtypes & \($0.rawValue)" }
        }
    }

    /// Whether assets of a facet are in it, `recentlyAdded` apart: that goes by date.
    ///
    /// Stored facets count single frames among the bursts.
    func holds(_ facet: AssetFacet) -> Bool {
        switch self {
        case .userLibrary, .recentlyAdded: true
        case .favorites: facet.traits.contains(.favorite)
        case .videos: facet.mediaType == MediaType.video.rawValue
        case .bursts: facet.traits.contains(.burst)
        case .selfPortraits: facet.traits.contains(.frontCamera)
        case .longExposures: facet.traits.contains(.longExposure)
        case .raw: facet.traits.contains(.raw)
        case .allHidden: facet.isHidden
        case .unableToUpload: false
        default: subtype.map { !facet.mediaSubtypes.isDisjoint(with: $0) } ?? false
        }
    }

    /// Whether assets of a facet show in it, when nothing special is asked for.
    func shows(_ facet: AssetFacet) -> Bool {
        holds(facet) && facet.isShown(by: AssetVisibility(self))
    }

    /// The column that its members come in the order of, when nothing is asked for.
    var order: String { self == .recentlyAdded ? "addedDate" : "creationDate" }

    /// The media subtype that makes an asset a member.
    private var subtype: MediaSubtypes? {
        switch self {
        case .panoramas: .photoPanorama
        case .screenshots: .photoScreenshot
        case .livePhotos: .photoLive
        case .depthEffect: .photoDepthEffect
        case .animated: .photoAnimation
        case .spatial: .spatialMedia
        case .slomoVideos: .videoHighFrameRate
        case .timelapses: .videoTimelapse
        case .screenRecordings: .videoScreenRecording
        case .cinematic: .videoCinematic
        default: nil
        }
    }
}
