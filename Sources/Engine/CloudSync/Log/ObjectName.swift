/// The name of a blob: the device that uploaded it and a random identifier.
///
/// The device is an incarnation (see ``SyncMachine``). Names are never reused.
package struct BlobName: Hashable, Comparable, Sendable {
    package var device: CloudID
    package var id: CloudID

    package init(device: CloudID, id: CloudID) {
        self.device = device
        self.id = id
    }

    package static func < (left: BlobName, right: BlobName) -> Bool {
        left.device == right.device ? left.id < right.id : left.device < right.device
    }
}

/// The name of an object in the store.
package enum ObjectName: Hashable, Sendable, CustomStringConvertible {
    case segment(CloudID, LogPosition)
    case head(CloudID)
    case blob(BlobName)
    case snapshot(CloudID)

    package var description: String {
        switch self {
        case .segment(let device, let position):
            let number = String(position.sequence)
            let zeros = String(repeating: "0", count: max(0, 12 - number.count))
            return "log/\(device.hexadecimal)/\(zeros)\(number)-\(position.hash.hexadecimal)"
        case .head(let device): return "head/\(device.hexadecimal)"
        case .blob(let blob): return "blob/\(blob.device.hexadecimal)/\(blob.id.hexadecimal)"
        case .snapshot(let id): return "snap/\(id.hexadecimal)/manifest"
        }
    }

    /// Parses the name of an object in a listing; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, let first = CloudID(hexadecimal: parts[1]) else { return nil }
        switch (parts[0], parts.count) {
        case ("log", 3):
            let last = parts[2].split(separator: "-", omittingEmptySubsequences: false)
            guard last.count == 2, last[0].utf8.count == 12,
                let hash = CloudID(hexadecimal: last[1]),
                last[0].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let sequence = UInt64(last[0]), sequence > 0
            else { return nil }
            self = .segment(first, LogPosition(sequence: sequence, hash: hash))
        case ("head", 2): self = .head(first)
        case ("blob", 3):
            guard let id = CloudID(hexadecimal: parts[2]) else { return nil }
            self = .blob(BlobName(device: first, id: id))
        case ("snap", 3):
            guard parts[2] == "manifest" else { return nil }
            self = .snapshot(first)
        default: return nil
        }
    }
}
