internal import CSQLiteShim
internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Answers requests for the records of one library of another program.
struct LibraryServer {
    private let connection: MessageConnection
    private let limits: WorkerLimits

    init(connection: MessageConnection, limits: WorkerLimits) {
        self.connection = connection
        self.limits = limits
    }

    /// Serves the records of the library to which a database belongs, until the host disconnects.
    func run(_ database: Int32) throws {
        var parts: [ForeignLibraryPart: Int32] = [:]
        defer { for descriptor in parts.values { close(descriptor) } }
        var (next, log) = try connection.receive(WorkerRequest.self)
        while case .libraryPart(let part) = next, let file = log, parts[part] == nil {
            parts[part] = file
            (next, log) = try connection.receive(WorkerRequest.self)
        }
        guard case .libraryLog = next else {
            if let log { close(log) }
            return try connection.send(WorkerReply.ended(reason: "no log came for a database"))
        }
        defer { if let log { close(log) } }
        let seconds = limits.maximumProcessorSeconds
        let (openLog, openParts) = (log, parts)
        try answer { () throws(ForeignDatabase.Failure) -> any RecordStream in
            try ForeignRecordStream(
                database,
                log: openLog,
                parts: openParts,
                secondsPerStatement: seconds
            )
        }
    }

    /// Serves the records of an export's `library.jsonl`, until the host disconnects.
    func runExport(_ lines: Int32) throws {
        _ = cphotos_limit_processor_time(UInt64(max(1, limits.maximumProcessorSeconds)))
        try answer { () throws(ForeignDatabase.Failure) -> any RecordStream in
            try ExportRecordStream(lines)
        }
    }

    private func answer(
        _ open: () throws(ForeignDatabase.Failure) -> any RecordStream
    ) throws {
        do throws(ForeignDatabase.Failure) {
            while true { try serve(try open()) }
        } catch {
            try connection.send(WorkerReply.failed(reason: error.reason))
            // Whatever the host asks next has the same answer.
            while true {
                let (_, stray) = try connection.receive(WorkerRequest.self)
                if let stray { close(stray) }
                try connection.send(WorkerReply.failed(reason: error.reason))
            }
        }
    }

    /// Answers requests for batches until the host asks to read all records again.
    private func serve(_ stream: any RecordStream) throws(ForeignDatabase.Failure) {
        do {
            var limit = ForeignBatch.maximumRecords
            while true {
                var batch = try stream.next(limit)
                try send(&batch, stream)
                let (request, stray) = try connection.receive(WorkerRequest.self)
                if let stray { close(stray) }
                // The limit applies to each request, not to the library as a whole.
                _ = cphotos_limit_processor_time(UInt64(max(1, limits.maximumProcessorSeconds)))
                if case .readAgain = request { return }
                guard case .nextRecords(let wanted) = request else {
                    throw ForeignDatabase.Failure(reason: "A request came out of turn.")
                }
                // A statement may wait long for the host between two rows.
                cphotos_library_restart_time()
                limit = min(max(1, wanted), ForeignBatch.maximumRecords)
            }
        } catch let failure as ForeignDatabase.Failure {
            throw failure
        } catch ConnectionError.closed {
            exit(0)
        } catch {
            throw ForeignDatabase.Failure(reason: "Its records cannot be sent: \(error).")
        }
    }

    /// Sends a batch, or as many of its first records as fit into a message.
    private func send(_ batch: inout ForeignBatch, _ stream: any RecordStream) throws {
        while true {
            do throws(ConnectionError) {
                return try connection.send(WorkerReply.records(batch))
            } catch {
                guard case .tooLong = error, batch.records.count > 1 else {
                    guard case .tooLong = error, case .asset(var asset)? = batch.records.first
                    else { throw error }
                    if asset.exact != nil {
                        let problem = ForeignProblem(
                            item: asset.item,
                            reason: "Its texts are too long to be real.",
                            isAsset: true
                        )
                        batch.records = [.broken(problem)]
                        try connection.send(WorkerReply.records(batch))
                        return
                    }
                    asset.people = []
                    asset.placeNames = []
                    asset.comments = []
                    asset.facts.keywords = []
                    asset.edit?.data = nil
                    asset.notes.append(
                        ForeignNote(
                            code: "textTooLong",
                            text: "Its keywords, people and comments are too long to be real."
                        )
                    )
                    batch.records = [.asset(asset)]
                    try connection.send(WorkerReply.records(batch))
                    return
                }
                let half = batch.records.count / 2
                stream.takeBack(batch.records[half...])
                batch.records.removeSubrange(half...)
                batch.isLast = false
            }
        }
    }
}
