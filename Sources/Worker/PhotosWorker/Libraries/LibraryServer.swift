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

    /// Reads one library and answers until the host disconnects.
    func run(_ database: Int32) throws {
        let (next, log) = try connection.receive(WorkerRequest.self)
        guard case .libraryLog = next else {
            if let log { close(log) }
            return try connection.send(WorkerReply.ended(reason: "no log came for a database"))
        }
        defer { if let log { close(log) } }
        do throws(ForeignDatabase.Failure) {
            let stream = try ForeignRecordStream(
                database,
                log: log,
                secondsPerStatement: limits.maximumProcessorSeconds
            )
            try serve(stream)
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

    private func serve(_ stream: ForeignRecordStream) throws(ForeignDatabase.Failure) {
        do {
            var limit = ForeignBatch.maximumRecords
            while true {
                var batch = try stream.next(limit)
                try send(&batch, stream)
                let (request, stray) = try connection.receive(WorkerRequest.self)
                if let stray { close(stray) }
                guard case .nextRecords(let wanted) = request else {
                    throw ForeignDatabase.Failure(reason: "A request came out of turn.")
                }
                // The limit applies to each request, not to the library as a whole.
                _ = cphotos_limit_processor_time(UInt64(max(1, limits.maximumProcessorSeconds)))
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

    /// Sends a batch, or as much of it as fits into a message.
    private func send(_ batch: inout ForeignBatch, _ stream: ForeignRecordStream) throws {
        while true {
            do throws(ConnectionError) {
                return try connection.send(WorkerReply.records(batch))
            } catch {
                guard case .tooLong = error, batch.records.count > 1 else {
                    guard case .tooLong = error, case .asset(var asset)? = batch.records.first
                    else { throw error }
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
