public import Foundation
public import PhotosCompanions

/// An immutable, ordered snapshot of the objects that a fetch found.
///
/// It behaves like an array. Objects are loaded in batches on first access, and may be loaded again
/// later. It can be used from any thread.
open class PHFetchResult<ObjectType: AnyObject>: NSObject, NSCopying, NSFastEnumeration,
    @unchecked Sendable
{
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    /// The storage, or nil for an empty result or a test double.
    let objects: (any FetchedObjects)?

    /// Creates an empty result.
    public override init() {
        objects = nil
        super.init()
    }

    init(_ objects: any FetchedObjects) {
        self.objects = objects
        super.init()
    }

    /// The number of objects, which never changes.
    open var count: Int { objects?.count ?? 0 }

    /// Returns the object at an index.
    ///
    /// - Parameter index: An index within the bounds. As with arrays, any other value is a
    ///   programming error and stops the program.
    /// - Returns: The object, which is loaded together with its neighbors.
    open func object(at index: Int) -> ObjectType {
        let count = self.count
        precondition(
            index >= 0 && index < count,
            "PHFetchResult.object(at:): index \(index) is not within 0..<\(count)"
        )
        guard let object = objects?.object(at: index) as? ObjectType else {
            preconditionFailure(
                "PHFetchResult.object(at:): the result contains no \(ObjectType.self)"
            )
        }
        return object
    }

    /// Returns the object at an index, which must be within the bounds.
    open subscript(index: Int) -> ObjectType { object(at: index) }

    /// The first object, or nil when the result is empty.
    open var firstObject: ObjectType? { count == 0 ? nil : object(at: 0) }

    /// The last object, or nil when the result is empty.
    open var lastObject: ObjectType? { count == 0 ? nil : object(at: count - 1) }

    /// Returns the objects at the given indexes, in ascending order of index.
    ///
    /// All indexes must be within the bounds.
    open func objects(at indexes: IndexSet) -> [ObjectType] {
        indexes.map { object(at: $0) }
    }

    // MARK: - Finding objects

    /// Returns whether the result contains an object that is equal to the given one.
    open func contains(_ anObject: ObjectType) -> Bool {
        index(of: anObject) != NSNotFound
    }

    /// Returns the index of the object that is equal to the given one, or `NSNotFound` if there is
    /// none.
    open func index(of anObject: ObjectType) -> Int {
        index(of: anObject, in: NSRange(location: 0, length: count))
    }

    /// Returns the index of the object that is equal to the given one, or `NSNotFound` if there is
    /// none in the range.
    ///
    /// - Parameters:
    ///   - anObject: The object to find.
    ///   - range: The range to search, which must be within the bounds.
    /// - Returns: An index into the whole result.
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

    /// Returns the number of assets of a media type.
    ///
    /// It counts without loading objects.
    open func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        objects?.countOfAssets(with: mediaType) ?? 0
    }

    // MARK: - Enumerating

    /// Calls a block with each object and its index, in order, until the block sets the stop flag.
    open func enumerateObjects(
        _ block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(options: [], using: block)
    }

    /// Calls a block with each object and its index until the block sets the stop flag.
    ///
    /// It returns after all calls have returned.
    ///
    /// - Parameters:
    ///   - opts: Options for reverse order, or for concurrent calls in no particular order.
    ///   - block: The block to call. It stops the enumeration by setting its third argument to
    ///     true; calls that already run on other threads still finish.
    open func enumerateObjects(
        options opts: NSEnumerationOptions = [],
        using block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        enumerateObjects(at: IndexSet(integersIn: 0..<count), options: opts, using: block)
    }

    /// Calls a block with the objects at the given indexes until the block sets the stop flag.
    ///
    /// - Parameters:
    ///   - indexes: The indexes, all within the bounds.
    ///   - opts: Options for reverse order, or for concurrent calls in no particular order.
    ///   - block: The block to call. It stops the enumeration by setting its third argument to
    ///     true.
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

    /// Returns an iterator over the objects, in order.
    open func makeEnumerationIterator() -> AnyIterator<Any> {
        var next = 0
        return AnyIterator {
            guard next < self.count else { return nil }
            defer { next += 1 }
            return self.object(at: next)
        }
    }

    // MARK: - NSObject

    /// Returns the result itself, because results are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the result itself, because results are immutable.
    open override func copy() -> Any { self }

    /// The class and the count, for debugging.
    open override var description: String { "<\(type(of: self)) count=\(count)>" }
}

extension PHFetchResult: FetchResultIdentifiers {
    var localIdentifiers: [String] {
        (0..<count).compactMap { (object(at: $0) as? PHObject)?.localIdentifier }
    }
}
