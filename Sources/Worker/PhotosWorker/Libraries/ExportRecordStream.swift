internal import Media
internal import WorkerProtocol

/// The records of an export's `library.jsonl`: first the header, then the assets, then albums and
/// folders.
///
/// Assets are in the order of their lines, and so are albums and folders. The mapped file is read
/// in two passes, so only one line is in memory at a time.
final class ExportRecordStream: RecordStream {
    typealias Failure = ForeignDatabase.Failure

    private enum Phase {
        case header, assets, collections, over
    }

    /// The maximum number of albums and folders.
    private static let maximumCollections = 100_000
    /// The maximum number of assets.
    private static let maximumAssets = 5_000_000
    /// The maximum number of members of all albums together.
    private static let maximumMemberships = 10_000_000

    private let file: MappedFile
    private var phase = Phase.header
    /// The offset of the next line; `number` is the number of lines read so far.
    private var offset = 0
    private var number = 0
    private var assets = 0
    private var memberships = 0
    private var stated = 0
    private var seen: Set<String> = []
    /// The positions of the lines of albums and folders, which are read after all assets.
    private var postponed: [(offset: Int, number: Int)] = []
    private var pending: [ForeignRecord] = []

    init(_ descriptor: Int32) throws(Failure) {
        guard let file = MappedFile.map(descriptor) else {
            throw Failure(reason: "Its library.jsonl is not a regular file, or it cannot be read.")
        }
        guard file.size <= Int64(MappedFile.limitInBytes) else {
            throw Failure(reason: "Its library.jsonl is too large (\(file.size) bytes).")
        }
        self.file = file
    }

    func next(_ limit: Int) throws(Failure) -> ForeignBatch {
        var records = Array(pending.prefix(limit))
        pending.removeFirst(records.count)
        while records.count < limit {
            switch phase {
            case .header:
                records.append(.counts(try header()))
                phase = .assets
            case .assets:
                guard let line = nextLine() else {
                    if assets < stated { records.append(.broken(shortage)) }
                    phase = .collections
                    postponed.reverse()
                    continue
                }
                if let record = try record(of: line) { records.append(record) }
            case .collections:
                guard let place = postponed.popLast() else {
                    phase = .over
                    continue
                }
                (offset, number) = place
                if let line = nextLine() { records += try collection(of: line) }
            case .over: return ForeignBatch(records: records, isLast: pending.isEmpty)
            }
        }
        // Members of a large album are several records.
        pending += records[limit...]
        records.removeSubrange(limit...)
        return ForeignBatch(records: records, isLast: false)
    }

    func takeBack(_ records: ArraySlice<ForeignRecord>) { pending = records + pending }

    private struct Line {
        var bytes: ByteView
        var offset: Int
        var number: Int
        /// Indicates whether the file ends before the line's line break.
        var isCut: Bool
    }

    /// Returns the next line that is not empty.
    private func nextLine() -> Line? {
        let bytes = file.bytes
        while offset < bytes.count {
            let end = bytes.index(of: UInt8(ascii: "\n"), from: offset)
            let line = Line(
                bytes: bytes.part(at: offset, length: (end ?? bytes.count) - offset) ?? .empty,
                offset: offset,
                number: number + 1,
                isCut: end == nil
            )
            offset = (end ?? bytes.count) + 1
            number += 1
            if !line.bytes.isEmpty { return line }
        }
        return nil
    }

    private func header() throws(Failure) -> ForeignCounts {
        guard let line = nextLine() else {
            throw Failure(reason: "Its library.jsonl is empty.")
        }
        switch ExportLineParser.parse(line.bytes) {
        case .header(var counts, let assets):
            stated = assets
            // Lines are counted as they come; this is the number for progress.
            counts.assets = assets
            return counts
        case .broken(let problem) where !problem.isAsset: throw Failure(reason: problem.reason)
        default:
            throw Failure(
                reason: "Its library.jsonl does not begin with the header of an export."
            )
        }
    }

    /// The problem to report for a file that has fewer assets than its header states.
    private var shortage: ForeignProblem {
        ForeignProblem(
            item: nil,
            reason: "library.jsonl states \(stated) photos and has \(assets): it was cut off, or"
                + " photos were permanently deleted during the export.",
            isAsset: false
        )
    }

    private func record(of line: Line) throws(Failure) -> ForeignRecord? {
        switch ExportLineParser.parse(line.bytes) {
        case .asset(let asset):
            try countAsset()
            guard seen.insert(asset.item).inserted else {
                let reason = "Another line before it has the identifier \(asset.item)."
                return broken(line, ForeignProblem(item: nil, reason: reason, isAsset: true))
            }
            return .asset(asset)
        case .collection:
            guard postponed.count < Self.maximumCollections else {
                throw Failure(reason: "Its library.jsonl has too many albums.")
            }
            postponed.append((line.offset, line.number - 1))
            return nil
        case .header:
            let reason = "It is a second header."
            return broken(line, ForeignProblem(item: nil, reason: reason, isAsset: false))
        case .broken(let problem):
            if problem.isAsset { try countAsset() }
            return broken(line, problem)
        }
    }

    private func countAsset() throws(Failure) {
        assets += 1
        guard assets <= Self.maximumAssets else {
            throw Failure(reason: "Its library.jsonl has too many photos.")
        }
    }

    private func broken(_ line: Line, _ problem: ForeignProblem) -> ForeignRecord {
        var problem = problem
        let end = line.isCut ? " The file ends there: it was cut off." : ""
        problem.reason =
            "Line \(line.number) of library.jsonl cannot be used: \(problem.reason)\(end)"
        return .broken(problem)
    }

    private func collection(of line: Line) throws(Failure) -> [ForeignRecord] {
        guard case .collection(let collection, let members) = ExportLineParser.parse(line.bytes)
        else { return [] }
        guard seen.insert(collection.item).inserted else {
            let reason = "Another line before it has the identifier \(collection.item)."
            return [broken(line, ForeignProblem(item: nil, reason: reason, isAsset: false))]
        }
        memberships += members.count
        guard memberships <= Self.maximumMemberships else {
            throw Failure(reason: "Its library.jsonl has too many places in albums.")
        }
        return [.collection(collection)] + ForeignRecord.members(of: collection.item, members)
    }
}
