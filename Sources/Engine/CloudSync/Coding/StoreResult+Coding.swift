internal import PhotoModel

extension StoreResult: SegmentCodable {
    static var minimumSize: Int { 1 }

    func write(to writer: inout SegmentWriter) {
        switch self {
        case .done: writer.append(UInt8(1))
        case .stored(let key):
            writer.append(UInt8(2))
            writer.append(counted: key)
        case .found(let body):
            writer.append(UInt8(3))
            writer.append(body)
        case .damaged: writer.append(UInt8(4))
        case .missing: writer.append(UInt8(5))
        case .listed(let names):
            writer.append(UInt8(6))
            writer.append(names)
        case .heads(let heads):
            writer.append(UInt8(7))
            writer.append(heads)
        case .failed: writer.append(UInt8(8))
        }
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        switch try reader.byte() {
        case 1: self = .done
        case 2: self = .stored(key: try reader.counted())
        case 3: self = .found(try CloudObjectBody(from: &reader))
        case 4: self = .damaged
        case 5: self = .missing
        case 6: self = .listed(try reader.list())
        case 7: self = .heads(try reader.dictionary())
        case 8: self = .failed
        case let tag: throw reader.error("an answer has the unknown kind \(tag)")
        }
    }
}

extension CloudObjectBody: SegmentCodable {
    static var minimumSize: Int { 9 }

    func write(to writer: inout SegmentWriter) {
        switch self {
        case .segment(let sealed):
            writer.append(UInt8(1))
            writer.append(sealed)
        case .head(let sequence):
            writer.append(UInt8(2))
            writer.append(sequence)
        case .blob(let content):
            writer.append(UInt8(3))
            writer.append(content)
        case .snapshot(let snapshot):
            writer.append(UInt8(4))
            writer.append(snapshot)
        }
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        switch try reader.byte() {
        case 1: self = .segment(try SealedSegment(from: &reader))
        case 2: self = .head(try reader.uint64())
        case 3: self = .blob(try reader.content())
        case 4: self = .snapshot(try CloudSnapshot(from: &reader))
        case let tag: throw reader.error("an object has the unknown kind \(tag)")
        }
    }
}

extension ExistingObject: SegmentCodable {
    static var minimumSize: Int { 42 }

    func write(to writer: inout SegmentWriter) {
        writer.append(id)
        writer.append(creation)
        writer.append(created.rawValue)
        writer.append(UInt32(clamping: values.count))
        for (key, value, time) in values {
            writer.append(key)
            writer.append(value)
            writer.append(time.rawValue)
        }
        writer.append(UInt32(clamping: defaults.count))
        for (key, value) in defaults {
            writer.append(key)
            writer.append(value)
        }
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let id = try reader.id()
        let creation = try Creation(from: &reader)
        let created = try reader.time()
        self.init(id: id, creation: creation, values: [], defaults: [], created: created)
        for _ in 0..<(try reader.count(ofAtLeast: 12)) {
            let key = try RegisterKey(from: &reader)
            values.append((key, try reader.value(), try reader.time()))
        }
        for _ in 0..<(try reader.count(ofAtLeast: 4)) {
            defaults.append((try RegisterKey(from: &reader), try reader.value()))
        }
    }
}
