public import Foundation

/// An identifier that refers to the same asset, album or folder in all copies of a library.
///
/// For an asset, it contains the library and the SHA-256 digest of the original. For an album or a
/// folder, it contains the library and the collection's UUID. It therefore stays the same when a
/// library is copied, restored or moved, and it finds an asset in any library that contains the
/// same bytes.
///
/// The libraries of one cloud library give out equal identifiers. Those that a library gave out
/// before it joined, or in a cloud library that it left, still identify its objects.
open class PHCloudIdentifier: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    private let text: String

    private static let key = "stringValue"

    /// Creates an identifier from a string.
    ///
    /// Every string is accepted, but one that is not a ``stringValue`` identifies no object.
    public init(stringValue: String) {
        text = stringValue
        super.init()
    }

    /// Decodes an archived identifier, or returns nil if the archive does not contain one.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key) as String? else {
            return nil
        }
        self.text = text
        super.init()
    }

    /// Archives the identifier.
    ///
    /// It requires a keyed coder such as `NSKeyedArchiver`.
    open func encode(with coder: NSCoder) {
        coder.encode(text as NSString, forKey: Self.key)
    }

    /// Indicates whether the class supports secure coding, which is always true.
    open class var supportsSecureCoding: Bool { true }

    /// The identifier as a string, suitable for storage.
    open var stringValue: String { text }

    /// Returns the identifier itself, because identifiers are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the identifier itself, because identifiers are immutable.
    open override func copy() -> Any { self }

    /// Returns whether the strings of both identifiers are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? PHCloudIdentifier)?.stringValue == stringValue
    }

    /// A hash value that is consistent with equality.
    open override var hash: Int { stringValue.hashValue }

    /// The class and the string, for debugging.
    open override var description: String { "<\(type(of: self)) \(stringValue)>" }
}
