public import Foundation
public import PhotosCompanions

/// The objects that a fetch found, in order: a snapshot that never changes.
///
/// Behaves like an array. Objects are loaded in batches when they are looked at, and may be loaded
/// again. It can be used from any thread.
open class PHFetchResult<ObjectType: AnyObject>: NSObject, NSCopying, NSFastEnumeration,
    @unchecked Sendable
{
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    /// Nil for a result without objects, and for a test double.
    let objects: (any FetchedObjects)?

    /// A result without objects.
    public override init() {
        objects = nil
        super.init()
    }

    init(_ objects: any FetchedObjects) {
        self.objects = objects
        super.init()
    }

    /// How many objects there are.
    ///
    /// Never changes.
    open var count: Int { objects?.count ?? 0 }

    /// The object at an index.
    ///
    /// - Parameter index: Has to be within the bounds: anything else is a programming error, as it is
    ///   with arrays, and stops the program.
    /// - Returns: The object, loaded with those around it.
    open func object(at index: Int) -> ObjectType {
        let count = self.count
        precondition(
            index >= 0 && index < count,
            "PHFetchResult.object(at:): index \(index) is not within 0..<\(count)"
        )
        guard let object = objects?.object(at: index) as? ObjectType else {
            preconditionFailure("PHFetchResult.object(at:): the result holds no \(ObjectType.self)")
        }
        return object
    }

    /// The object at an index, which has to be within the bounds.
    open subscript(index: Int) -> ObjectType { object(at: index) }

    /// The first object; nil when there is none.
    open var firstObject: ObjectType? { count == 0 ? nil : object(at: 0) }

    /// The last object; nil when there is none.
    open var lastObject: ObjectType? { count == 0 ? nil : object(at: count - 1) }

    /// The objects at some indexes, in their order.
    ///
    /// All have to be within the bounds.
    open func objects(at indexes: IndexSet) -> [ObjectType] {
        indexes.map { object(at: $0) }
    }

    // MARK: - Looking for objects

    /// Whether an object equal to this one is in the result.
    open func contains(_ anObject: ObjectType) -> Bool {
        index(of: anObject) != NSNotFound
    }

    /// Where an object equal to this one is; `NSNotFound` when it is nowhere.
    open func index(of anObject: ObjectType) -> Int {
        index(of: anObject, in: NSRange(location: 0, length: count))
    }

    /// Where in a range an object equal to this one is; `NSNotFound` when it is nowhere.
    ///
    /// - Parameters:
    ///   - anObject: The object to look for.
    ///   - range: Has to be within the bounds.
    /// - Returns: An index of the whole result.
    open func index(of anObject: ObjectType, in range: NSRange) -> Int {
        let count = self.count
        precondition(
            range.location >= 0 && range.length >= 0 && range.location <= count
                && range.length <= count - range.location,
            "PHFetchResult.index(of:in:): \(range) is not within 0..<\(count)"
        )
        let bounds = range.location..<range.location + range.length
        guard let object = anObject as? PHObject else { return NSNotFound }
        return objects?.index(of: object, in: bounds) ?? NSNotFound
    }

    /// How many of the objects are assets of a media type.
    ///
    /// Counts without loading them.
    open func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        objects?.countOfAssets(with: mediaType) ?? 0
    }

    // MARK: - Enumerating

    /// Calls a block with each object and its index, in order, until it sets the flag.
    open func enumerateObjects(
        _ block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(options: [], using: block)
    }

    /// Calls a block with each object and its index, until it sets the flag.
    ///
    /// - Parameters:
    ///   - opts: Backwards, or on several threads at once in no particular order. Returns when all
    ///     calls have returned.
    ///   - block: The third argument stops the enumeration when it is set to true. Calls that run at
    ///     the same time still end.
    open func enumerateObjects(
        options opts: NSEnumerationOptions = [],
        using block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(at: IndexSet(integersIn: 0..<count), options: opts, using: block)
    }

    /// Calls a block with the objects at some indexes, until it sets the flag.
    ///
    /// - Parameters:
    ///   - indexes: Have to be within the bounds.
    ///   - opts: Backwards, or on several threads at once in no particular order.
    ///   - block: The third argument stops the enumeration when it is set to true.
    open func enumerateObjects(
        at indexes: IndexSet,
        options opts: NSEnumerationOptions = [],
        using block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        let count = self.count
        precondition(
            (indexes.first ?? 0) >= 0 && (indexes.last ?? -1) < count,
            "PHFetchResult.enumerateObjects(at:): the indexes are not within 0..<\(count)"
        )
        FetchEnumeration(indexes: indexes, options: opts).run { index, stop in
            block(self.object(at: index), index, stop)
        }
    }

    /// The objects in order.
    open func makeEnumerationIterator() -> AnyIterator<Any> {
        var next = 0
        return AnyIterator {
            guard next < self.count else { return nil }
            defer { next += 1 }
            return self.object(at: next)
        }
    }

    // MARK: - NSObject

    /// Itself: results never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: results never change.
    open override func copy() -> Any { self }

    /// The class and the count, for a person.
    open override var description: String { "<\(type(of: self)) count=\(count)>" }
}

extension PHFetchResult: FetchResultIdentifiers {
    var localIdentifiers: [String] {
        (0..<count).compactMap { (object(at: $0) as? PHObject)?.localIdentifier }
    }
}
