internal import PhotoModel

extension CloudID: SegmentCodable {
    static var minimumSize: Int { 16 }

    func write(to writer: inout SegmentWriter) {
        writer.append(high)
        writer.append(low)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) { self = try reader.id() }
}

extension ContentID: SegmentCodable {
    static var minimumSize: Int { 32 }

    func write(to writer: inout SegmentWriter) {
        writer.append(first)
        writer.append(second)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) { self = try reader.content() }
}

extension BlobName: SegmentCodable {
    static var minimumSize: Int { 32 }

    func write(to writer: inout SegmentWriter) {
        writer.append(device)
        writer.append(id)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) { self = try reader.blob() }
}

extension UInt64: SegmentCodable {
    static var minimumSize: Int { 8 }

    func write(to writer: inout SegmentWriter) { writer.append(self) }

    init(from reader: inout SegmentReader) throws(CloudFormatError) { self = try reader.uint64() }
}

extension String: SegmentCodable {
    static var minimumSize: Int { 4 }

    func write(to writer: inout SegmentWriter) { writer.append(self) }

    init(from reader: inout SegmentReader) throws(CloudFormatError) { self = try reader.text() }
}

extension LogPosition: SegmentCodable {
    static var minimumSize: Int { 24 }

    func write(to writer: inout SegmentWriter) {
        writer.append(sequence)
        writer.append(hash)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init(sequence: try reader.uint64(), hash: try reader.id())
    }
}

extension LogPlace: SegmentCodable {
    static var minimumSize: Int { 40 }

    func write(to writer: inout SegmentWriter) {
        writer.append(device)
        writer.append(position)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init(device: try reader.id(), position: try LogPosition(from: &reader))
    }
}

extension ChangeStamp: SegmentCodable {
    static var minimumSize: Int { 24 }

    func write(to writer: inout SegmentWriter) {
        writer.append(time.rawValue)
        writer.append(device)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init(time: try reader.time(), device: try reader.id())
    }
}

extension TwinPair: SegmentCodable {
    static var minimumSize: Int { 32 }

    func write(to writer: inout SegmentWriter) {
        writer.append(first)
        writer.append(second)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let (first, second) = (try reader.id(), try reader.id())
        guard first <= second else { throw reader.error("a pair of twins is in the wrong order") }
        self.init(first, second)
    }
}

extension ObjectName: SegmentCodable {
    static var minimumSize: Int { 17 }

    func write(to writer: inout SegmentWriter) {
        switch self {
        case .segment(let device, let position):
            writer.append(UInt8(1))
            writer.append(device)
            writer.append(position)
        case .head(let device):
            writer.append(UInt8(2))
            writer.append(device)
        case .blob(let blob):
            writer.append(UInt8(3))
            writer.append(blob)
        case .snapshot(let id):
            writer.append(UInt8(4))
            writer.append(id)
        }
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        switch try reader.byte() {
        case 1: self = .segment(try reader.id(), try LogPosition(from: &reader))
        case 2: self = .head(try reader.id())
        case 3: self = .blob(try reader.blob())
        case 4: self = .snapshot(try reader.id())
        case let tag: throw reader.error("an object has the unknown kind \(tag)")
        }
    }
}
