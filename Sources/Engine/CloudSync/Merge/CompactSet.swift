/// A set that allocates memory only for more than one element.
package struct CompactSet<Element: Hashable & Sendable>: Hashable, Sendable {
    private enum Elements: Hashable, Sendable {
        case one(Element)
        case several(Set<Element>)
    }

    private var elements: Elements

    package init(_ element: Element) {
        elements = .one(element)
    }

    package var count: Int {
        switch elements {
        case .one: 1
        case .several(let elements): elements.count
        }
    }

    mutating func insert(_ element: Element) {
        switch elements {
        case .one(let first): if first != element { elements = .several([first, element]) }
        case .several(var several):
            // The set is not copied if it has one owner.
            elements = .one(element)
            several.insert(element)
            elements = .several(several)
        }
    }

    /// Returns the set without an element; nil if no other remains.
    func removing(_ element: Element) -> CompactSet? {
        switch elements {
        case .one(let first): return first == element ? nil : self
        case .several(var several):
            several.remove(element)
            var result = self
            result.elements =
                several.count == 1 ? several.first.map(Elements.one) ?? elements : .several(several)
            return result
        }
    }
}

extension CompactSet: Sequence {
    package func makeIterator() -> AnyIterator<Element> {
        switch elements {
        case .one(let element): AnyIterator(CollectionOfOne(element).makeIterator())
        case .several(let elements): AnyIterator(elements.makeIterator())
        }
    }
}

extension Dictionary {
    mutating func insert<Element>(_ element: Element, at key: Key)
    where Value == CompactSet<Element> {
        if self[key]?.insert(element) == nil { self[key] = CompactSet(element) }
    }

    mutating func remove<Element>(_ element: Element, at key: Key)
    where Value == CompactSet<Element> {
        self[key] = self[key]?.removing(element)
    }
}
