/// Ways in which an object's bytes can be altered.
enum Damage {
    /// All copies with one bit flipped: one of each byte, another one in each next byte.
    static func flips(of bytes: [UInt8]) -> some Sequence<(index: Int, bytes: [UInt8])> {
        bytes.indices.lazy.map { index in
            var copy = bytes
            copy[index] ^= 1 << UInt8(index % 8)
            return (index, copy)
        }
    }

    /// Some random changes: replaced, removed, doubled and added bytes, and exchanged parts.
    static func mutate(
        _ bytes: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var copy = bytes
        for _ in 0...Int.random(in: 0..<3, using: &generator) where !copy.isEmpty {
            let index = Int.random(in: 0..<copy.count, using: &generator)
            let end = Int.random(in: index...min(copy.count, index + 40), using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: copy[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: copy.removeSubrange(index..<end)
            case 2: copy.insert(contentsOf: copy[index..<end], at: index)
            case 3: copy.removeSubrange(index...)
            case 4: copy.append(UInt8.random(in: 0...255, using: &generator))
            default:
                // A number that claims too much.
                for place in index..<min(index + 4, copy.count) { copy[place] = 255 }
            }
        }
        return copy
    }
}
