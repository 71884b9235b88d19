public import Foundation

/// The caption, the keywords and the original file name of an asset.
open class PHAssetExtendedMetadata: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Every stored property is an immutable value.

    private let storedCaption: String?
    private let storedFilename: String?
    private let storedKeywords: [String]

    /// Creates empty metadata.
    public override convenience init() {
        self.init(caption: nil, originalFilename: nil, keywords: [])
    }

    init(caption: String?, originalFilename: String?, keywords: [String]) {
        storedCaption = caption
        storedFilename = originalFilename
        storedKeywords = keywords
        super.init()
    }

    /// The caption, or nil when the asset has none.
    open var caption: String? { storedCaption }

    /// The original's file name at import.
    open var originalFilename: String? { storedFilename }

    /// The keywords, in no particular order.
    open var keywords: [String] { storedKeywords }
}
