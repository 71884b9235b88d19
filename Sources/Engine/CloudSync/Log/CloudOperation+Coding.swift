extension CloudOperation: SegmentCodable {
    static var minimumSize: Int { 5 }

    func write(to writer: inout SegmentWriter) {
        // Each operation has a length, so that a version that does not know its kind can keep its
        // bytes.
        writer.append(kind)
        writer.append(countedBy: writeBody)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        try self.init(kind: try reader.byte(), body: try reader.part())
    }

    /// The number that encodes the operation's kind.
    private var kind: UInt8 {
        switch self {
        case .create: 1
        case .set: 2
        case .same: 3
        case .stored: 4
        case .verified: 5
        case .condemn: 6
        case .gone: 7
        case .purge: 8
        case .final: 9
        case .join: 10
        case .retire: 11
        case .epoch: 12
        case .unknown(let kind, _): kind
        }
    }

    private func writeBody(to writer: inout SegmentWriter) {
        switch self {
        case .create(let object, let creation):
            writer.append(object)
            writer.append(creation)
        case .set(let object, let key, let rank, let value):
            writer.append(object)
            writer.append(key)
            writer.append(rank)
            writer.append(value)
        case .same(let first, let second):
            writer.append(first)
            writer.append(second)
        case .stored(let content, let blob, let key):
            writer.append(content)
            writer.append(blob)
            writer.append(counted: key)
        case .verified(let blob, let day):
            writer.append(blob)
            writer.append(day)
        case .condemn(let blob), .gone(let blob): writer.append(blob)
        case .purge(let object, let trash, let date):
            writer.append(object)
            writer.append(trash)
            writer.append(date)
        case .join(let name): writer.append(name)
        case .final(let id), .retire(let id), .epoch(let id): writer.append(id)
        case .unknown(_, let body): for byte in body { writer.append(byte) }
        }
    }

    /// Decodes one operation; an operation of an unknown kind becomes `unknown` with its bytes.
    private init(kind: UInt8, body: SegmentReader) throws(CloudFormatError) {
        var reader = body
        switch kind {
        case 1: self = .create(try reader.id(), try Creation(from: &reader))
        case 2:
            let object = try reader.id()
            let key = try RegisterKey(from: &reader)
            self = .set(object, key, rank: try reader.uint64(), try reader.value())
        case 3: self = .same(try reader.id(), try reader.id())
        case 4:
            let content = try reader.content()
            self = .stored(content, blob: try reader.blob(), key: try reader.counted())
        case 5: self = .verified(try reader.blob(), day: try reader.uint32())
        case 6: self = .condemn(try reader.blob())
        case 7: self = .gone(try reader.blob())
        case 8:
            let object = try reader.id()
            let trash = try ChangeStamp(from: &reader)
            self = .purge(object, trash: trash, date: try reader.value())
        case 9: self = .final(try reader.id())
        case 10: self = .join(name: try reader.text())
        case 11: self = .retire(try reader.id())
        case 12: self = .epoch(try reader.id())
        default: self = .unknown(kind: kind, reader.rest())
        }
        try reader.finish()
    }
}
