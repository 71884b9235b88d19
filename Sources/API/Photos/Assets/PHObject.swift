public import Foundation

/// An immutable snapshot of an object in a photo library.
///
/// Two objects are equal when their local identifiers are equal, regardless of when they were
/// fetched.
open class PHObject: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    /// The batch of objects that this object was loaded with, or nil for an object without a
    /// library.
    package let batch: ObjectBatch?

    /// Creates an object without a library.
    ///
    /// Programs subclass the object classes to make test doubles.
    public override init() {
        batch = nil
        super.init()
    }

    package init(batch: ObjectBatch) {
        self.batch = batch
        super.init()
    }

    /// The row id in the object's library, or nil for an object without a row.
    package var rowID: Int64? { nil }

    /// The object's permanent identifier, or an empty string for an object without a library.
    open var localIdentifier: String { "" }

    /// Returns whether the local identifiers of both objects are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? PHObject)?.localIdentifier == localIdentifier
    }

    /// A hash value that is consistent with equality.
    open override var hash: Int { localIdentifier.hashValue }

    /// Returns the object itself, because objects are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the object itself, because objects are immutable.
    open override func copy() -> Any { self }

    /// Returns the value of a property by its name, for programs that rely on key-value coding.
    ///
    /// Numbers, raw values and Booleans are returned as `NSNumber`.
    ///
    /// - Returns: The value, or nil for a property without a value and for an unknown key.
    open func value(forKey key: String) -> Any? {
        switch key {
        case "localIdentifier": localIdentifier
        default: nil
        }
    }

    /// The class and the local identifier, for debugging.
    open override var description: String { "<\(type(of: self)) \(localIdentifier)>" }
}
