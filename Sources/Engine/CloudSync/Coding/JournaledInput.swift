internal import PhotoModel

/// A journal entry: an input of the state machine and the environment of the corresponding step.
///
/// The host appends it before it carries out the outputs of the step. After a crash it repeats the
/// inputs that follow the last checkpoint, which gives the same machine, and then the input
/// ``SyncInput/start``.
package struct JournaledInput: Sendable {
    package var input: SyncInput
    package var environment: SyncEnvironment

    /// The first bytes of each input: the format and its version.
    private static let magic = "spi1"

    package init(_ input: SyncInput, _ environment: SyncEnvironment) {
        self.input = input
        self.environment = environment
    }

    package var encoded: [UInt8] {
        var writer = SegmentWriter()
        writer.append(magic: Self.magic)
        writer.append(environment.now)
        writer.append(environment.fresh)
        writer.append(input)
        return writer.bytes
    }

    /// Decodes one input; throws an error if bytes remain after the input.
    package init(decoding bytes: [UInt8]) throws(CloudFormatError) {
        var reader = SegmentReader(bytes)
        try reader.magic(Self.magic, of: "input")
        environment = SyncEnvironment(now: try reader.uint64(), fresh: try reader.id())
        input = try SyncInput(from: &reader)
        try reader.finish()
    }
}

extension SyncInput: SegmentCodable {
    static var minimumSize: Int { 1 }

    func write(to writer: inout SegmentWriter) {
        switch self {
        case .commit(let operations, let contents):
            writer.append(UInt8(1))
            writer.append(operations)
            writer.append(contents)
        case .export(let transactions, let contents, let isComplete):
            writer.append(UInt8(2))
            writer.append(transactions)
            writer.append(contents)
            writer.append(isComplete)
        case .adopt(let objects):
            writer.append(UInt8(3))
            writer.append(objects)
        case .perform(let duty):
            writer.append(UInt8(4))
            writer.append(duty)
        case .answer(let request, let result):
            writer.append(UInt8(5))
            // A number of no request stays one.
            writer.append(UInt64(bitPattern: Int64(request)))
            writer.append(result)
        case .start: writer.append(UInt8(6))
        case .absent(let contents):
            writer.append(UInt8(7))
            writer.append(contents)
        }
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        switch try reader.byte() {
        case 1:
            let operations: [CloudOperation] = try reader.list()
            self = .commit(operations, adding: try reader.list())
        case 2:
            let transactions: [CloudTransaction] = try reader.list()
            let contents: [ContentID] = try reader.list()
            self = .export(transactions, adding: contents, isComplete: try reader.flag())
        case 3: self = .adopt(try reader.list())
        case 4: self = .perform(try Duty(from: &reader))
        case 5:
            let request = Int(Int64(bitPattern: try reader.uint64()))
            self = .answer(request: request, try StoreResult(from: &reader))
        case 6: self = .start
        case 7: self = .absent(try reader.list())
        case let tag: throw reader.error("an input has the unknown kind \(tag)")
        }
    }
}

extension Duty: SegmentCodable {
    static var minimumSize: Int { 1 }

    func write(to writer: inout SegmentWriter) {
        switch self {
        case .publish: writer.append(UInt8(1))
        case .pollAll: writer.append(UInt8(2))
        case .pollHeads: writer.append(UInt8(3))
        case .poll(let device):
            writer.append(UInt8(4))
            writer.append(device)
        case .evict(let contents):
            writer.append(UInt8(5))
            writer.append(contents)
        case .download(let content):
            writer.append(UInt8(6))
            writer.append(content)
        case .replenish(let limit): Self.write(7, 16, limit: limit, to: &writer)
        case .condemn(let limit): Self.write(8, 17, limit: limit, to: &writer)
        case .collect(let limit): Self.write(9, 18, limit: limit, to: &writer)
        case .finishPurges(let limit): Self.write(10, 19, limit: limit, to: &writer)
        case .pairTwins(let limit): Self.write(11, 15, limit: limit, to: &writer)
        case .snapshot: writer.append(UInt8(12))
        case .compact: writer.append(UInt8(13))
        case .retire(let device):
            writer.append(UInt8(14))
            writer.append(device)
        case .removeAbandoned(let blobs):
            writer.append(UInt8(20))
            writer.append(blobs)
        case .pollOtherHeads(let logs):
            writer.append(UInt8(21))
            writer.append(logs)
        }
    }

    /// Writes a duty with a limit: one code for the limit 1, or another code and the limit.
    ///
    /// The first one is the code of earlier versions, in which each such duty had the limit 1.
    private static func write(
        _ single: UInt8,
        _ several: UInt8,
        limit: Int,
        to writer: inout SegmentWriter
    ) {
        guard limit != 1 else {
            writer.append(single)
            return
        }
        writer.append(several)
        writer.append(UInt32(clamping: limit))
    }

    init(from reader: inout SegmentReader) throws(CloudFormatError) {
        switch try reader.byte() {
        case 1: self = .publish
        case 2: self = .pollAll
        case 3: self = .pollHeads
        case 4: self = .poll(try reader.id())
        case 5: self = .evict(try reader.list())
        case 6: self = .download(try reader.content())
        case 7: self = .replenish(limit: 1)
        case 8: self = .condemn(limit: 1)
        case 9: self = .collect(limit: 1)
        case 10: self = .finishPurges(limit: 1)
        case 11: self = .pairTwins(limit: 1)
        case 12: self = .snapshot
        case 13: self = .compact
        case 14: self = .retire(try reader.id())
        case 15: self = .pairTwins(limit: try reader.dutyLimit())
        case 16: self = .replenish(limit: try reader.dutyLimit())
        case 17: self = .condemn(limit: try reader.dutyLimit())
        case 18: self = .collect(limit: try reader.dutyLimit())
        case 19: self = .finishPurges(limit: try reader.dutyLimit())
        case 20: self = .removeAbandoned(try reader.set())
        case 21: self = .pollOtherHeads(than: try reader.set())
        case let tag: throw reader.error("a duty has the unknown kind \(tag)")
        }
    }
}

extension SegmentReader {
    /// Reads the limit of a duty; throws if it is 1, which has a code of its own.
    fileprivate mutating func dutyLimit() throws(CloudFormatError) -> Int {
        let value = try uint32()
        guard value != 1 else { throw error("a limit of 1 has the wrong code") }
        return Int(value)
    }
}
