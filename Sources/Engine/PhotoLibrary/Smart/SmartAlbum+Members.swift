internal import PhotoModel

/// The membership conditions of smart albums, as SQL over assets and as functions of facets.
///
/// An index supports each SQL condition. The counts of an album are summed over facets.
extension SmartAlbum {
    /// Returns the SQL condition for membership, in addition to visibility; nil if there is none.
    ///
    /// Each condition is spelled as in its index, since SQLite uses the index only then. For bursts
    /// the rows of visible frames are read as well. For `firstRecentDay`, see
    /// `SmartAlbum.firstRecentDay(at:)`.
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

    /// Indicates whether assets with a facet are members of the album.
    ///
    /// Always true for `recentlyAdded`, whose membership depends on dates. Stored facets count lone
    /// frames among the bursts.
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

    /// Indicates whether assets with a facet are visible in the album by default.
    func shows(_ facet: AssetFacet) -> Bool {
        holds(facet) && facet.isShown(by: AssetVisibility(self))
    }

    /// The column that determines the default order of members.
    var order: String { self == .recentlyAdded ? "addedDate" : "creationDate" }

    /// The media subtype that makes an asset a member; nil if membership does not depend on one
    /// subtype.
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
