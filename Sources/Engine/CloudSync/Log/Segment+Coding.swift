internal import PhotoModel

extension Segment {
    /// The first bytes of each segment: the format and its version.
    private static let magic: [UInt8] = [0x73, 0x70, 0x73, 0x31]

    /// The largest segment that is read; one is written at 256 KiB or for a single transaction.
    package static let maximumSize = 16 << 20

    /// Encodes the segment; equal segments have equal bytes.
    package func encoded() -> [UInt8] {
        var writer = SegmentWriter()
        for byte in Self.magic { writer.append(byte) }
        writer.append(device)
        writer.append(sequence)
        writer.append(previous)
        writer.append(UInt32(clamping: vector.count))
        for (device, position) in vector.sorted(by: { $0.key < $1.key }) {
            writer.append(device)
            writer.append(position.sequence)
            writer.append(position.hash)
        }
        writer.append(UInt32(clamping: transactions.count))
        for transaction in transactions { writer.append(transaction) }
        return writer.bytes
    }

    /// Decodes bytes that another device wrote.
    ///
    /// - Throws: ``CloudFormatError`` for anything but exactly one segment.
    package init(decoding bytes: [UInt8]) throws(CloudFormatError) {
        var reader = SegmentReader(bytes)
        guard bytes.count <= Self.maximumSize else { throw reader.error("it is too large") }
        for byte in Self.magic where try reader.byte() != byte {
            throw reader.error("it is no segment of a known format")
        }
        let device = try reader.id()
        let sequence = try reader.uint64()
        let previous = try reader.id()
        guard sequence > 0, (sequence == 1) == (previous == Self.origin) else {
            throw reader.error("its number does not fit the previous segment")
        }
        var vector: VersionVector = [:]
        for _ in 0..<(try reader.count(ofAtLeast: 40)) {
            let key = try reader.id()
            let position = LogPosition(sequence: try reader.uint64(), hash: try reader.id())
            guard vector.updateValue(position, forKey: key) == nil else {
                throw reader.error("its vector names a device twice")
            }
        }
        var transactions: [CloudTransaction] = []
        for _ in 0..<(try reader.count(ofAtLeast: 28)) {
            transactions.append(try reader.transaction())
        }
        guard reader.remaining == 0 else { throw reader.error("bytes follow its end") }
        self.init(
            device: device,
            sequence: sequence,
            previous: previous,
            vector: vector,
            transactions: transactions
        )
    }
}

extension CloudOperation {
    /// The kind and the bytes of the operation.
    var encoded: (kind: UInt8, body: [UInt8]) {
        var writer = SegmentWriter()
        switch self {
        case .create(let object, let creation):
            writer.append(object)
            writer.append(creation.kind.rawValue)
            writer.append(creation.isImported ? UInt8(1) : 0)
            writer.append(creation.originals)
            writer.append(counted: creation.constants)
            return (1, writer.bytes)
        case .set(let object, let key, let rank, let value):
            writer.append(object)
            writer.append(key.group.rawValue)
            writer.append(key.item)
            writer.append(rank)
            writer.append(value)
            return (2, writer.bytes)
        case .same(let first, let second):
            writer.append(first)
            writer.append(second)
            return (3, writer.bytes)
        case .stored(let content, let blob, let key):
            writer.append(content)
            writer.append(blob)
            writer.append(counted: key)
            return (4, writer.bytes)
        case .verified(let blob, let day):
            writer.append(blob)
            writer.append(day)
            return (5, writer.bytes)
        case .condemn(let blob):
            writer.append(blob)
            return (6, writer.bytes)
        case .gone(let blob):
            writer.append(blob)
            return (7, writer.bytes)
        case .purge(let object, let trash, let date):
            writer.append(object)
            writer.append(trash.time.rawValue)
            writer.append(trash.device)
            writer.append(date)
            return (8, writer.bytes)
        case .final(let object):
            writer.append(object)
            return (9, writer.bytes)
        case .join(let name):
            writer.append(name)
            return (10, writer.bytes)
        case .retire(let device):
            writer.append(device)
            return (11, writer.bytes)
        case .epoch(let id):
            writer.append(id)
            return (12, writer.bytes)
        case .unknown(let kind, let body): return (kind, body)
        }
    }

    /// Decodes one operation; a kind of a later version keeps its bytes.
    init(kind: UInt8, body: [UInt8]) throws(CloudFormatError) {
        var reader = SegmentReader(body)
        switch kind {
        case 1:
            let object = try reader.id()
            guard let kind = CloudObjectKind(rawValue: try reader.byte()) else {
                throw reader.error("an object has an unknown kind")
            }
            let isImported = try reader.flag()
            let originals = try reader.resources()
            let creation = Creation(
                kind: kind,
                isImported: isImported,
                originals: originals,
                constants: try reader.counted()
            )
            self = .create(object, creation)
        case 2:
            let object = try reader.id()
            let group = RegisterGroup(rawValue: try reader.uint16())
            let item = try reader.item()
            let rank = try reader.uint64()
            self = .set(object, RegisterKey(group, item), rank: rank, try reader.value())
        case 3: self = .same(try reader.id(), try reader.id())
        case 4:
            let content = try reader.content()
            self = .stored(content, blob: try reader.blob(), key: try reader.counted())
        case 5: self = .verified(try reader.blob(), day: try reader.uint32())
        case 6: self = .condemn(try reader.blob())
        case 7: self = .gone(try reader.blob())
        case 8:
            let object = try reader.id()
            let time = HybridTime(rawValue: try reader.uint64())
            guard time.rawValue < HybridTime.limit else {
                throw reader.error("the time of a purge's trash is invalid")
            }
            let trash = ChangeStamp(time: time, device: try reader.id())
            self = .purge(object, trash: trash, date: try reader.value())
        case 9: self = .final(try reader.id())
        case 10: self = .join(name: try reader.text())
        case 11: self = .retire(try reader.id())
        case 12: self = .epoch(try reader.id())
        default:
            self = .unknown(kind: kind, body)
            return
        }
        guard reader.remaining == 0 else { throw reader.error("bytes follow an operation's end") }
    }
}
