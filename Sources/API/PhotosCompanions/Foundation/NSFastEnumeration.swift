public import Foundation

/// A collection whose elements can be enumerated.
///
/// Foundation on Linux lacks this protocol. PhotoKit's methods accept collections of objects as
/// this type: arrays, sets and fetch results.
public protocol NSFastEnumeration {
    /// Returns an iterator over the elements.
    func makeEnumerationIterator() -> AnyIterator<Any>
}

extension Array: NSFastEnumeration {
    /// Returns an iterator over the elements in order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        var iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension Set: NSFastEnumeration {
    /// Returns an iterator over the elements in no particular order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        var iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension NSArray: NSFastEnumeration {
    /// Returns an iterator over the elements in order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        var iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension NSSet: NSFastEnumeration {
    /// Returns an iterator over the elements in no particular order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        let iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension NSOrderedSet: NSFastEnumeration {
    /// Returns an iterator over the elements in order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        let iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

/// A Swift sequence over an enumerable collection.
public struct NSFastEnumerationIterator: IteratorProtocol, Sequence {
    private let elements: AnyIterator<Any>

    /// Creates an iterator that starts at the first element.
    public init(_ enumerable: any NSFastEnumeration) {
        elements = enumerable.makeEnumerationIterator()
    }

    /// Returns the next element; nil after the last.
    public mutating func next() -> Any? {
        elements.next()
    }
}
