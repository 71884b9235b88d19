public import Foundation

/// An object of a photo library: a snapshot that never changes.
///
/// Two objects are equal when their local identifiers are, whenever they were fetched.
open class PHObject: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    /// What it was loaded with; nil for an object of no library.
    package let batch: ObjectBatch?

    /// An object of no library.
    ///
    /// Programs subclass the classes of objects as test doubles.
    public override init() {
        batch = nil
        super.init()
    }

    package init(batch: ObjectBatch) {
        self.batch = batch
        super.init()
    }

    /// The row id in its library; nil for an object without a row.
    package var rowID: Int64? { nil }

    /// What identifies the object in its library for as long as it exists; empty for an object of no
    /// library.
    open var localIdentifier: String { "" }

    /// Equal when the local identifiers are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? PHObject)?.localIdentifier == localIdentifier
    }

    /// Agrees with equality.
    open override var hash: Int { localIdentifier.hashValue }

    /// Itself: objects never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: objects never change.
    open override func copy() -> Any { self }

    /// A property by its name, for programs that are used to key-value coding.
    ///
    /// Numbers, raw values and booleans come as `NSNumber`.
    ///
    /// - Returns: Nil for a property without a value, and for a key that there is not.
    open func value(forKey key: String) -> Any? {
        switch key {
        case "localIdentifier": localIdentifier
        default: nil
        }
    }

    /// The class and the local identifier, for a person.
    open override var description: String { "<\(type(of: self)) \(localIdentifier)>" }
}
