extension SyncMachine.Session: SegmentCodable {
    static var minimumSize: Int { 11 }

    func write(to writer: inout SegmentWriter) {
        writer.append(UInt32(clamping: requests.count))
        for (number, purpose) in requests.sorted(by: { $0.key < $1.key }) {
            writer.append(UInt64(number))
            writer.append(purpose)
        }
        writer.append(poll)
        writer.append(isOwnLogChecked)
        writer.append(hasPolled)
        writer.append(failed)
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        self.init()
        let numbered: [UInt64: SyncMachine.Purpose] = try reader.dictionary()
        for (number, purpose) in numbered {
            guard let number = Int(exactly: number) else {
                throw reader.error("a request has too high a number")
            }
            requests[number] = purpose
        }
        poll = try reader.optional()
        isOwnLogChecked = try reader.flag()
        hasPolled = try reader.flag()
        failed = try reader.set()
    }
}

extension SyncMachine.Purpose: SegmentCodable {
    static var minimumSize: Int { 1 }

    func write(to writer: inout SegmentWriter) {
        switch self {
        case .putSegment(let position):
            writer.append(UInt8(1))
            writer.append(position)
        case .putBlob(let blob):
            writer.append(UInt8(2))
            writer.append(blob)
        case .ignored: writer.append(UInt8(3))
        case .getBlob(let content):
            writer.append(UInt8(4))
            writer.append(content)
        case .checkBlob(let content, let blob):
            writer.append(UInt8(5))
            writer.append(content)
            writer.append(blob)
        case .deleteBlob(let blob):
            writer.append(UInt8(6))
            writer.append(blob)
        case .list(let poll):
            writer.append(UInt8(7))
            writer.append(UInt64(poll))
        case .listHeads(let poll):
            writer.append(UInt8(8))
            writer.append(UInt64(poll))
        case .getSegment(let device, let position, let poll):
            writer.append(UInt8(9))
            writer.append(device)
            writer.append(position)
            writer.append(UInt64(poll))
        case .listSnapshots(let poll):
            writer.append(UInt8(10))
            writer.append(UInt64(poll))
        case .getSnapshot(let id, let poll):
            writer.append(UInt8(11))
            writer.append(id)
            writer.append(UInt64(poll))
        case .putSnapshot(let id, let snapshot):
            writer.append(UInt8(12))
            writer.append(id)
            writer.append(snapshot)
        case .checkSnapshot(let id, let vector, let state):
            writer.append(UInt8(13))
            writer.append(id)
            writer.append(vector)
            writer.append(state)
        }
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        switch try reader.byte() {
        case 1: self = .putSegment(try LogPosition(from: &reader))
        case 2: self = .putBlob(try reader.blob())
        case 3: self = .ignored
        case 4: self = .getBlob(try reader.content())
        case 5: self = .checkBlob(try reader.content(), try reader.blob())
        case 6: self = .deleteBlob(try reader.blob())
        case 7: self = .list(poll: Int(try reader.number()))
        case 8: self = .listHeads(poll: Int(try reader.number()))
        case 9:
            let device = try reader.id()
            let position = try LogPosition(from: &reader)
            self = .getSegment(device, position, poll: Int(try reader.number()))
        case 10: self = .listSnapshots(poll: Int(try reader.number()))
        case 11: self = .getSnapshot(try reader.id(), poll: Int(try reader.number()))
        case 12: self = .putSnapshot(try reader.id(), try CloudSnapshot(from: &reader))
        case 13:
            let id = try reader.id()
            let vector: VersionVector = try reader.dictionary()
            self = .checkSnapshot(id, vector, root: try LibraryState(from: &reader))
        case let tag: throw reader.error("a request has the unknown kind \(tag)")
        }
    }
}

extension SyncMachine.Poll: SegmentCodable {
    static var minimumSize: Int { 34 }

    func write(to writer: inout SegmentWriter) {
        writer.append(UInt64(number))
        switch scope {
        case .all: writer.append(UInt8(1))
        case .heads: writer.append(UInt8(2))
        case .one(let device):
            writer.append(UInt8(3))
            writer.append(device)
        case .otherHeads(let logs):
            writer.append(UInt8(4))
            writer.append(logs)
        }
        switch goal {
        case .reading: writer.append(UInt8(1))
        case .evicting(let contents):
            writer.append(UInt8(2))
            writer.append(contents)
        }
        writer.append(retired)
        writer.append(tips)
        writer.append(missing)
        writer.append(inbox)
        // A failed poll may count answers that it did not await.
        writer.append(UInt32(bitPattern: Int32(clamping: awaited)))
        writer.append(needsSnapshot)
        writer.append(triedSnapshots)
        // One byte, which was a flag before there was the second case.
        writer.append(UInt8((hasFailed ? 1 : 0) + (isDamaged ? 2 : 0)))
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        let number = Int(try reader.number())
        let scope: SyncMachine.PollScope
        switch try reader.byte() {
        case 1: scope = .all
        case 2: scope = .heads
        case 3: scope = .one(try reader.id())
        case 4: scope = .otherHeads(try reader.set())
        default: throw reader.error("a poll has an unknown scope")
        }
        let goal: SyncMachine.PollGoal
        switch try reader.byte() {
        case 1: goal = .reading
        case 2: goal = .evicting(try reader.list())
        default: throw reader.error("a poll has an unknown goal")
        }
        let retired: Set<CloudID> = try reader.set()
        self.init(
            number: number,
            scope: scope,
            goal: goal,
            retired: retired,
            tips: try reader.dictionary()
        )
        missing = try reader.dictionary()
        inbox = try reader.dictionary()
        awaited = Int(Int32(bitPattern: try reader.uint32()))
        needsSnapshot = try reader.flag()
        triedSnapshots = try reader.flag()
        let outcome = try reader.byte()
        guard outcome < 4 else { throw reader.error("a poll has an unknown outcome") }
        (hasFailed, isDamaged) = (outcome & 1 != 0, outcome & 2 != 0)
    }
}
