/// The part that a file plays in its asset.
///
/// Files can have types that have no name here, so programs have to expect unknown ones, and copies
/// of assets have to keep them: their raw values are preserved.
public enum PHAssetResourceType: RawRepresentable, Hashable, Sendable {
    /// The original photo.
    case photo
    /// The original movie.
    case video
    /// The original sound.
    case audio
    /// The other original of a photo, such as the RAW beside a JPEG.
    case alternatePhoto
    /// The photo as edited.
    case fullSizePhoto
    /// The movie as edited.
    case fullSizeVideo
    /// How it was edited.
    case adjustmentData
    /// What an edit started from, where that is not the original photo.
    case adjustmentBasePhoto
    /// The movie of a Live Photo.
    case pairedVideo
    /// The movie of a Live Photo as edited.
    case fullSizePairedVideo
    /// What the edit of a Live Photo's movie started from.
    case adjustmentBasePairedVideo
    /// What the edit of a movie started from.
    case adjustmentBaseVideo
    /// A photo that is processed later.
    case photoProxy
    /// A type without a name, such as an XMP sidecar.
    case unnamed(Int)

    /// The type with a raw value; never nil.
    public init?(rawValue: Int) {
        self =
            switch rawValue {
            case 1: .photo
            case 2: .video
            case 3: .audio
            case 4: .alternatePhoto
            case 5: .fullSizePhoto
            case 6: .fullSizeVideo
            case 7: .adjustmentData
            case 8: .adjustmentBasePhoto
            case 9: .pairedVideo
            case 10: .fullSizePairedVideo
            case 11: .adjustmentBasePairedVideo
            case 12: .adjustmentBaseVideo
            case 19: .photoProxy
            default: .unnamed(rawValue)
            }
    }

    /// The number of the type.
    public var rawValue: Int {
        switch self {
        case .photo: 1
        case .video: 2
        case .audio: 3
        case .alternatePhoto: 4
        case .fullSizePhoto: 5
        case .fullSizeVideo: 6
        case .adjustmentData: 7
        case .adjustmentBasePhoto: 8
        case .pairedVideo: 9
        case .fullSizePairedVideo: 10
        case .adjustmentBasePairedVideo: 11
        case .adjustmentBaseVideo: 12
        case .photoProxy: 19
        case .unnamed(let rawValue): rawValue
        }
    }
}
