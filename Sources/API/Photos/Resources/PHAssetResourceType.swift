/// The role of a file in its asset.
///
/// A file can have a type without a name here, so programs must handle unknown types. Copies of
/// assets must keep them, which is possible because raw values are preserved.
public enum PHAssetResourceType: RawRepresentable, Hashable, Sendable {
    /// The original photo.
    case photo
    /// The original movie.
    case video
    /// The original audio recording.
    case audio
    /// The second original of a photo, such as the RAW file next to a JPEG.
    case alternatePhoto
    /// The edited photo.
    case fullSizePhoto
    /// The edited movie.
    case fullSizeVideo
    /// The adjustment data that describes an edit.
    case adjustmentData
    /// The photo that an edit was based on, if it is not the original.
    case adjustmentBasePhoto
    /// The movie of a Live Photo.
    case pairedVideo
    /// The edited movie of a Live Photo.
    case fullSizePairedVideo
    /// The version of a Live Photo's movie that an edit was made from.
    case adjustmentBasePairedVideo
    /// The movie that the edit of a movie was based on.
    case adjustmentBaseVideo
    /// A photo whose final processing is deferred.
    case photoProxy
    /// A type without a name, such as an XMP sidecar.
    case unnamed(Int)

    /// Creates the type with a raw value; never returns nil.
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

    /// The type's number.
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
