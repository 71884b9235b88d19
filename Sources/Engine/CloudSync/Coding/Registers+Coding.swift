internal import PhotoModel

extension Creation: SegmentCodable {
    static var minimumSize: Int { 10 }

    func write(to writer: inout SegmentWriter) {
        writer.append(kind.rawValue)
        writer.append(isImported)
        writer.append(originals)
        writer.append(counted: constants)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        guard let kind = CloudObjectKind(rawValue: try reader.byte()) else {
            throw reader.error("an object has an unknown kind")
        }
        let isImported = try reader.flag()
        let originals = try reader.resources()
        self.init(
            kind: kind,
            isImported: isImported,
            originals: originals,
            constants: try reader.counted()
        )
    }
}

extension RegisterKey: SegmentCodable {
    static var minimumSize: Int { 3 }

    func write(to writer: inout SegmentWriter) {
        writer.append(group.rawValue)
        writer.append(item)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let group = RegisterGroup(rawValue: try reader.uint16())
        self.init(group, try reader.item())
    }
}

extension Register: SegmentCodable {
    static var minimumSize: Int { 33 }

    func write(to writer: inout SegmentWriter) {
        writer.append(rank)
        writer.append(stamp)
        writer.append(value)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let rank = try reader.uint64()
        let stamp = try ChangeStamp(from: &reader)
        self.init(rank: rank, stamp: stamp, value: try reader.value())
    }
}

extension CloudTransaction: SegmentCodable {
    static var minimumSize: Int { 28 }

    func write(to writer: inout SegmentWriter) {
        writer.append(time.rawValue)
        writer.append(author)
        writer.append(operations)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let time = try reader.time()
        let author = try reader.id()
        self.init(time: time, author: author, operations: try reader.list())
    }
}

extension SealedSegment: SegmentCodable {
    static var minimumSize: Int { Segment.minimumSize + 16 }

    func write(to writer: inout SegmentWriter) {
        writer.append(hash)
        writer.append(segment)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let hash = try reader.id()
        self.init(segment: try Segment(from: &reader), hash: hash)
    }
}
