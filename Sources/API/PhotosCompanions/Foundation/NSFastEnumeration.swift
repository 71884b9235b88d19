public import Foundation

/// Something whose elements can be gone through one after the other.
///
/// Foundation on Linux lacks it. PhotoKit takes collections of objects as this type, so that arrays,
/// sets and fetch results all do.
public protocol NSFastEnumeration {
    /// The elements in order, from the first.
    func makeEnumerationIterator() -> AnyIterator<Any>
}

extension Array: NSFastEnumeration {
    /// The elements in order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        var iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension Set: NSFastEnumeration {
    /// The elements in no particular order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        var iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension NSArray: NSFastEnumeration {
    /// The elements in order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        var iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension NSSet: NSFastEnumeration {
    /// The elements in no particular order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        let iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

extension NSOrderedSet: NSFastEnumeration {
    /// The elements in order.
    public func makeEnumerationIterator() -> AnyIterator<Any> {
        let iterator = makeIterator()
        return AnyIterator { iterator.next() }
    }
}

/// Goes through anything that can be enumerated, as a Swift sequence.
public struct NSFastEnumerationIterator: IteratorProtocol, Sequence {
    private let elements: AnyIterator<Any>

    /// Starts before the first element.
    public init(_ enumerable: any NSFastEnumeration) {
        elements = enumerable.makeEnumerationIterator()
    }

    /// The next element, nil after the last.
    public mutating func next() -> Any? {
        elements.next()
    }
}
