internal import PhotoModel

extension LibraryState: SegmentCodable {
    static var minimumSize: Int { 33 }

    func write(to writer: inout SegmentWriter) {
        writer.reserve(encodedSize)
        writer.append(UInt32(clamping: objects.count))
        for id in objects.keys.sorted() { writeObject(id, to: &writer) }
        writeRest(to: &writer)
    }

    /// Writes an object with its UUID.
    func writeObject(_ id: CloudID, to writer: inout SegmentWriter) {
        writer.append(id)
        objects.write(id, to: &writer)
        writer.append(formerContents[id, default: []])
    }

    /// Writes what follows the objects.
    func writeRest(to writer: inout SegmentWriter) {
        writer.append(finals)
        writer.append(blobs)
        writer.append(pairs)
        writer.append(joined)
        writer.append(retired)
        writer.append(publishedRetirements)
        writer.append(epoch)
        writer.append(unknown)
    }

    /// The approximate number of bytes of the encoding.
    private var encodedSize: Int { objects.encodedSize + 64 * finals.count + 160 * blobs.count }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init()
        let count = try reader.count(ofAtLeast: 16 + CloudObject.minimumSize + 4)
        reserveCapacity(count)
        var last: CloudID?
        for _ in 0..<count {
            let id = try reader.id()
            if let last, last >= id { throw reader.error("objects are in no order") }
            last = id
            let start = reader.offset
            let object = try CloudObject(from: &reader)
            let encoding = reader.bytes(from: start)
            let former: Set<ContentID> = try reader.set()
            guard former.isEmpty || former.isDisjoint(with: object.contents) else {
                throw reader.error("a former content is a current one")
            }
            restore(id, object, encoding: encoding, former: former)
        }
        let finals: Set<CloudID> = try reader.set()
        guard !finals.contains(where: objects.contains) else {
            throw reader.error("an object that was purged for ever is there")
        }
        restore(finals: finals, blobs: try reader.dictionary())
        pairs = try reader.set()
        joined = try reader.dictionary()
        retired = try reader.set()
        publishedRetirements = try reader.set()
        epoch = try reader.optional()
        unknown = try reader.set()
    }
}

extension CloudObject: SegmentCodable {
    static var minimumSize: Int { 9 }

    func write(to writer: inout SegmentWriter) {
        // Both are there or neither.
        writer.append(creation)
        if creation != nil, let created { writer.append(created) }
        writer.append(registers)
        writer.append(purges)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init()
        creation = try reader.optional()
        if creation != nil { created = try ChangeStamp(from: &reader) }
        registers = try reader.dictionary()
        purges = try reader.dictionary()
    }
}

extension CloudBlob: SegmentCodable {
    static var minimumSize: Int { 15 }

    func write(to writer: inout SegmentWriter) {
        writer.append(content)
        writer.append(counted: key)
        writer.append(verifiedDay)
        writer.append(isCondemned)
        writer.append(condemned)
        writer.append(isGone)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init()
        content = try reader.optional()
        key = try reader.counted()
        verifiedDay = try reader.uint32()
        isCondemned = try reader.flag()
        condemned = try reader.set()
        isGone = try reader.flag()
    }
}

extension UnknownOperation: SegmentCodable {
    static var minimumSize: Int { 29 }

    func write(to writer: inout SegmentWriter) {
        writer.append(stamp)
        writer.append(kind)
        writer.append(counted: bytes)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let stamp = try ChangeStamp(from: &reader)
        self.init(kind: try reader.byte(), bytes: try reader.counted(), stamp: stamp)
    }
}
