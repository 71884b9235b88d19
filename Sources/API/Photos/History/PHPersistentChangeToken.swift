public import Foundation
package import LibraryService

/// A place in a library's history: everything up to one change.
///
/// Keep it, in memory or archived with `NSKeyedArchiver`, and hand it to
/// ``PHPhotoLibrary/fetchPersistentChanges(since:)`` later, in another process or after a restart. It
/// stays valid when the library is moved, and until history is pruned beyond it.
open class PHPersistentChangeToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open; the stored properties are immutable and Sendable.

    /// The library that it belongs to; empty for a token that was made while there was none.
    package let libraryUUID: String
    /// Of the last change that is included.
    package let version: Int64
    /// What tells that change from another of its number; nil in tokens that older versions archived.
    package let stamp: HistoryStamp?

    private enum Key {
        static let library = "library"
        static let version = "version"
        static let stamp = "stamp"
    }

    /// A token of no library: history never reaches back to it.
    ///
    /// Programs subclass it as a test double.
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

    /// Reads an archived token; nil when it is none.
    public required init?(coder: NSCoder) {
        guard
            let library = coder.decodeObject(of: NSString.self, forKey: Key.library) as String?,
            coder.containsValue(forKey: Key.version)
        else { return nil }
        libraryUUID = library
        version = coder.decodeInt64(forKey: Key.version)
        // Asking for a key that isn't there fails the whole archive.
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
    /// Needs a coder with keys, as `NSKeyedArchiver` is.
    open func encode(with coder: NSCoder) {
        coder.encode(libraryUUID as NSString, forKey: Key.library)
        coder.encode(version, forKey: Key.version)
        if let stamp { coder.encode(stamp.description as NSString, forKey: Key.stamp) }
    }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: tokens never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: tokens never change.
    open override func copy() -> Any { self }

    /// Equal when they stand for the same place of the same library.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PHPersistentChangeToken else { return false }
        return other.libraryUUID == libraryUUID && other.version == version
            && other.stamp == stamp
    }

    /// Agrees with equality.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(libraryUUID)
        hasher.combine(version)
        return hasher.finalize()
    }

    /// The library and the place, for a person.
    open override var description: String { "<\(type(of: self)) \(libraryUUID):\(version)>" }
}
