public import Foundation

/// What an object is called beyond one library: its content and where it belongs.
///
/// For an asset that is the library and the SHA-256 of its original; for an album or a folder the
/// library and what names it there. So it stays the same when a library is copied, restored or moved,
/// and an asset is found by it in any library that has the same bytes.
open class PHCloudIdentifier: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    private let text: String

    private static let key = "stringValue"

    /// The identifier with a text.
    ///
    /// Any text is taken; one that was not made by ``stringValue`` names nothing.
    public init(stringValue: String) {
        text = stringValue
        super.init()
    }

    /// Reads an archived identifier; nil when it is none.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key) as String? else {
            return nil
        }
        self.text = text
        super.init()
    }

    /// Archives the identifier.
    ///
    /// Needs a coder with keys, as `NSKeyedArchiver` is.
    open func encode(with coder: NSCoder) {
        coder.encode(text as NSString, forKey: Self.key)
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// The identifier as a text that can be kept anywhere.
    open var stringValue: String { text }

    /// Itself: identifiers never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: identifiers never change.
    open override func copy() -> Any { self }

    /// Equal when the texts are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? PHCloudIdentifier)?.stringValue == stringValue
    }

    /// Agrees with equality.
    open override var hash: Int { stringValue.hashValue }

    /// The class and the text, for a person.
    open override var description: String { "<\(type(of: self)) \(stringValue)>" }
}
