public import Foundation

/// A protocol whose initializer lets `AVAsset(url:)` return an ``AVURLAsset``, as in AVFoundation.
public protocol AVAssetOpening {}

extension AVAssetOpening {
    /// Creates an ``AVURLAsset`` for the file at a URL.
    ///
    /// Only `AVAsset` and `AVURLAsset` support this initializer. A subclass must declare its own.
    public init(url: URL) {
        let opened = AVURLAsset(url: url, options: nil)
        guard let asset = opened as? Self else {
            preconditionFailure("\(Self.self)(url:) needs an initializer of its own.")
        }
        self = asset
    }
}

/// An asset for the file at a URL.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // Unchecked because the class is open; its stored state is immutable.

    /// The file's URL.
    ///
    /// A file in a library must not be written to.
    public let url: URL

    /// Creates an asset for a file, which is read on the first access to a value.
    ///
    /// - Parameters:
    ///   - url: A file URL; the network is never used.
    ///   - options: Ignored; durations and times are always exact.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(file: MovieFile(url: url))
    }

    /// Creates an asset for a file that is already open.
    package init(opened file: MovieFile) {
        url = file.url
        super.init(file: file)
    }

    /// Returns the file types that can be read.
    open class func audiovisualTypes() -> [AVFileType] {
        [.mov, .mp4, .m4v, .m4a, .mobile3GPP]
            + [
                "public.avi", "org.matroska.mkv", "org.webmproject.webm", "public.mpeg",
                "public.mpeg-2-transport-stream", "public.avchd-mpeg-2-transport-stream",
                "com.microsoft.windows-media-wmv",
            ]
            .map { AVFileType($0) }
    }

    /// Returns the MIME types of the file types that can be read.
    open class func audiovisualMIMETypes() -> [String] {
        audiovisualTypes().compactMap { UTType($0.rawValue)?.preferredMIMEType }
    }

    /// A debug description with the file's URL.
    open override var description: String { "<\(type(of: self)) \(url.absoluteString)>" }
}

/// An `AVURLAsset` option that requests exact timing; timing is always exact, even without the
/// option.
public let AVURLAssetPreferPreciseDurationAndTimingKey =
    "AVURLAssetPreferPreciseDurationAndTimingKey"
