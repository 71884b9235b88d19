/// The chunk offset table of a track (`stco`, `co64`).
struct ChunkTable {
    private static let maximumChunks = 20_000_000

    var offsets: [Int]
    /// Indicates whether each offset has eight bytes.
    var isLong: Bool

    /// Parses a chunk offset box; returns nil for a box of another type and for inconsistent
    /// content.
    init?(_ box: IndexBox) {
        guard box.name == "stco" || box.name == "co64" else { return nil }
        isLong = box.name == "co64"
        let width = isLong ? 8 : 4
        let read = box.bytes.withUnsafeBytes { bytes -> [Int]? in
            let view = ByteView(bytes)
            guard let count = view.integer32(at: 4), count <= Self.maximumChunks,
                count * width <= view.count - 8
            else { return nil }
            var offsets: [Int] = []
            offsets.reserveCapacity(count)
            for index in 0..<count {
                guard let value = view.number(at: 8 + index * width, length: width),
                    value <= UInt64(Int.max / 2)
                else { return nil }
                offsets.append(Int(value))
            }
            return offsets
        }
        guard let read else { return nil }
        offsets = read
    }

    /// Modifies the chunk offset tables of all tracks.
    static func change(in index: inout IndexBox, _ body: (inout ChunkTable) -> Void) {
        // A table that becomes long changes its name and is visited again, so such a `body` must be
        // idempotent.
        for name in ["stco", "co64"] {
            index.change(name) { box in
                guard var table = ChunkTable(box) else { return }
                body(&table)
                box = table.box
            }
        }
    }

    var box: IndexBox {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + offsets.count * (isLong ? 8 : 4))
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: UInt32(clamping: offsets.count))
        for offset in offsets {
            if isLong {
                bytes.append(bigEndian: UInt64(max(0, offset)))
            } else {
                bytes.append(bigEndian: UInt32(clamping: offset))
            }
        }
        return IndexBox(isLong ? "co64" : "stco", .bytes(bytes))
    }
}
