public import Foundation
package import LibraryService

/// A position in a library's history, as a token for all changes up to that position.
///
/// Keep it in memory or archive it with `NSKeyedArchiver`. Pass it later to
/// ``PHPhotoLibrary/fetchPersistentChanges(since:)``, also in another process or after a restart.
/// It remains valid if the library is moved, until the history is pruned beyond it.
open class PHPersistentChangeToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open. Its stored properties are immutable and Sendable.

    /// The library's UUID, or an empty string for a token created while no library was available.
    package let libraryUUID: String
    /// The library version of the last change that the token includes.
    package let version: Int64
    /// The stamp that distinguishes the change from other changes with the same version; nil if
    /// unknown.
    ///
    /// It is unknown for tokens that were archived without a stamp.
    package let stamp: HistoryStamp?

    private enum Key {
        static let library = "library"
        static let version = "version"
        static let stamp = "stamp"
    }

    /// Creates a token without a library; fetching the changes since this token fails with
    /// `persistentChangeTokenExpired`.
    ///
    /// Programs subclass it to make a test double.
    public override init() {
        libraryUUID = ""
        version = 0
        stamp = nil
        super.init()
    }

    package init(libraryUUID: String, version: Int64, stamp: HistoryStamp?) {
        self.libraryUUID = libraryUUID
        self.version = version
        self.stamp = stamp
        super.init()
    }

    /// Decodes an archived token, or returns nil if the archive does not contain a valid token.
    public required init?(coder: NSCoder) {
        guard
            let library = coder.decodeObject(of: NSString.self, forKey: Key.library) as String?,
            coder.containsValue(forKey: Key.version)
        else { return nil }
        libraryUUID = library
        version = coder.decodeInt64(forKey: Key.version)
        // Decoding a missing key fails the whole archive.
        if coder.containsValue(forKey: Key.stamp) {
            let text = coder.decodeObject(of: NSString.self, forKey: Key.stamp) as String?
            stamp = text.flatMap { HistoryStamp($0) }
        } else {
            stamp = nil
        }
        super.init()
    }

    /// Archives the token.
    ///
    /// It requires a keyed coder such as `NSKeyedArchiver`.
    open func encode(with coder: NSCoder) {
        coder.encode(libraryUUID as NSString, forKey: Key.library)
        coder.encode(version, forKey: Key.version)
        if let stamp { coder.encode(stamp.description as NSString, forKey: Key.stamp) }
    }

    /// Indicates whether the class supports secure coding, which is always true.
    open class var supportsSecureCoding: Bool { true }

    /// Returns the token itself, because tokens are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the token itself, because tokens are immutable.
    open override func copy() -> Any { self }

    /// Returns whether both tokens represent the same position in the same library.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PHPersistentChangeToken else { return false }
        return other.libraryUUID == libraryUUID && other.version == version
            && other.stamp == stamp
    }

    /// A hash value that is consistent with equality.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(libraryUUID)
        hasher.combine(version)
        return hasher.finalize()
    }

    /// The library and the version, for debugging.
    open override var description: String { "<\(type(of: self)) \(libraryUUID):\(version)>" }
}
