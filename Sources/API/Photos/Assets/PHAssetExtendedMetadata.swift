public import Foundation

/// What people wrote about an asset, and the name that it came with.
open class PHAssetExtendedMetadata: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is an immutable value.

    private let storedCaption: String?
    private let storedFilename: String?
    private let storedKeywords: [String]

    /// Nothing written, no name.
    public override convenience init() {
        self.init(caption: nil, originalFilename: nil, keywords: [])
    }

    init(caption: String?, originalFilename: String?, keywords: [String]) {
        storedCaption = caption
        storedFilename = originalFilename
        storedKeywords = keywords
        super.init()
    }

    /// The caption; nil when there is none.
    open var caption: String? { storedCaption }

    /// The file name of the original when it was imported.
    open var originalFilename: String? { storedFilename }

    /// The keywords, without an order.
    open var keywords: [String] { storedKeywords }
}
