public import Foundation

/// Lets `AVAsset(url:)` be an ``AVURLAsset``, as it is with AVFoundation.
public protocol AVAssetOpening {}

extension AVAssetOpening {
    /// An asset of a file: an ``AVURLAsset``.
    ///
    /// Only `AVAsset` and `AVURLAsset` can be made so: a subclass of one's own needs an initializer.
    public init(url: URL) {
        let opened = AVURLAsset(url: url, options: nil)
        guard let asset = opened as? Self else {
            preconditionFailure("\(Self.self)(url:) needs an initializer of its own.")
        }
        self = asset
    }
}

/// A movie or a sound file at a place.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // Unchecked because the class is open; what it stores never changes.

    /// Where the file is.
    ///
    /// That of a library's file must not be written to.
    public let url: URL

    /// An asset of a file, which is read when something is first asked of it.
    ///
    /// - Parameters:
    ///   - url: A file; nothing is read from the network.
    ///   - options: Not used: durations and times are always exact.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(file: MovieFile(url: url))
    }

    /// An asset of a file that is open already.
    package init(opened file: MovieFile) {
        url = file.url
        super.init(file: file)
    }

    /// The types of the files that can be read.
    open class func audiovisualTypes() -> [AVFileType] {
        [.mov, .mp4, .m4v, .m4a, .mobile3GPP]
            + [
                "public.avi", "org.matroska.mkv", "org.webmproject.webm", "public.mpeg",
                "public.mpeg-2-transport-stream", "public.avchd-mpeg-2-transport-stream",
                "com.microsoft.windows-media-wmv",
            ]
            .map { AVFileType($0) }
    }

    /// The MIME types of the files that can be read.
    open class func audiovisualMIMETypes() -> [String] {
        audiovisualTypes().compactMap { UTType($0.rawValue)?.preferredMIMEType }
    }

    /// The file's path, for a person.
    open override var description: String { "<\(type(of: self)) \(url.absoluteString)>" }
}

/// An option of `AVURLAsset`, which is always as if it were set.
public let AVURLAssetPreferPreciseDurationAndTimingKey =
    "AVURLAssetPreferPreciseDurationAndTimingKey"
