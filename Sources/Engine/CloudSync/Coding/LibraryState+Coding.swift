internal import PhotoModel

extension LibraryState: SegmentCodable {
    static var minimumSize: Int { 33 }

    func write(to writer: inout SegmentWriter) {
        writer.append(UInt32(clamping: objects.count))
        for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
            writer.append(id)
            writer.append(object)
            writer.append(formerContents(of: id, object))
        }
        writer.append(finals)
        writer.append(blobs)
        writer.append(pairs)
        writer.append(joined)
        writer.append(retired)
        writer.append(publishedRetirements)
        writer.append(epoch)
        writer.append(unknown)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let count = try reader.count(ofAtLeast: 16 + CloudObject.minimumSize + 4)
        var objects = [CloudID: CloudObject](minimumCapacity: count)
        var former: [CloudID: Set<ContentID>] = [:]
        var last: CloudID?
        for _ in 0..<count {
            let id = try reader.id()
            if let last, last >= id { throw reader.error("objects are in no order") }
            last = id
            let object = try CloudObject(from: &reader)
            let contents: Set<ContentID> = try reader.set()
            if !contents.isEmpty {
                guard contents.isDisjoint(with: object.contents) else {
                    throw reader.error("a former content is a current one")
                }
                former[id] = contents
            }
            objects[id] = object
        }
        let finals: Set<CloudID> = try reader.set()
        guard !finals.contains(where: { objects[$0] != nil }) else {
            throw reader.error("an object that was purged for ever is there")
        }
        self.init(
            objects: objects,
            formerContents: former,
            finals: finals,
            blobs: try reader.dictionary()
        )
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
