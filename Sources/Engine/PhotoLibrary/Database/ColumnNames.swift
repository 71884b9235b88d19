/// Finds columns by the bytes of their names, without making strings of them.
struct ColumnNames {
    private let names: [[UInt8]]
    /// The index of a name at the place of its hash, or at a place after it; -1 for none.
    private let slots: [Int]

    /// Creates an index of different names, of which there must be at most 128.
    init(_ names: [String]) {
        let names = names.map { Array($0.utf8) }
        var slots = Array(repeating: -1, count: 256)
        for (index, name) in names.enumerated() {
            var slot = name.withUnsafeBufferPointer { Self.slot($0) }
            while slots[slot] >= 0 { slot = (slot + 1) & 255 }
            slots[slot] = index
        }
        self.names = names
        self.slots = slots
    }

    /// Returns the index of the column with a given name; nil if there is none.
    func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        var slot = Self.slot(name)
        while slots[slot] >= 0 {
            if names[slots[slot]].elementsEqual(name) { return slots[slot] }
            slot = (slot + 1) & 255
        }
        return nil
    }

    /// Returns a number that differs between most names of columns.
    private static func slot(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        let middle = Int(name[name.count / 2])
        return (name.count * 5 + Int(first) * 39 + Int(last) * 57 + middle) & 255
    }
}
