internal import Glibc
internal import Synchronization
package import WorkerProtocol

/// Another program's library, or an export of a library, that a dedicated worker reads.
///
/// The worker has access only to the files that it receives: the database with its log and other
/// parts, or the lines of the export. It ends when this object is released.
///
/// Thread-safe; calls block their thread.
package final class ForeignLibrary: Sendable {
    /// The reason why no records can be read.
    package enum Failure: Error, Sendable {
        /// No worker is available.
        case worker(WorkerError)
        /// The library is damaged, of an unknown kind or over a limit; the text is for users.
        case library(String)
    }

    /// The time limit for a worker's answer, which allows for a check of the whole database on
    /// opening.
    private static let timeLimit = Duration.seconds(600)

    private struct State {
        var worker: WorkerProcess
        var first: ForeignBatch?
        /// The number of batches that were requested but not received yet.
        var requested = 0
        /// The failure to send a request for another batch; nil if there was none.
        var failure: WorkerProcess.Outcome?
    }

    /// The number of batches that a worker may prepare in advance.
    ///
    /// It prepares one while this process decodes another.
    private static let batchesAhead = 2

    private let state: Mutex<State>

    /// Starts a worker, and opens a database with its write-ahead log and the other parts of the
    /// library.
    ///
    /// The files must not change while they are read. The descriptors are sent to the worker and
    /// may be closed afterwards.
    package init(
        pool: WorkerPool,
        database: Int32,
        log: Int32?,
        parts: [ForeignLibraryPart: Int32] = [:]
    ) throws(Failure) {
        let worker: WorkerProcess
        do throws(WorkerError) {
            worker = try pool.startLibraryWorker()
        } catch { throw .worker(error) }
        guard let readable = ReadOnlyDescriptor(database) else {
            throw .library("The copy of its database cannot be opened.")
        }
        let readableLog = log.flatMap { ReadOnlyDescriptor($0) }
        guard log == nil || readableLog != nil else {
            throw .library("The copy of its database's log cannot be opened.")
        }
        var readableParts: [(part: ForeignLibraryPart, file: ReadOnlyDescriptor)] = []
        for (part, descriptor) in parts {
            guard let readable = ReadOnlyDescriptor(descriptor) else {
                throw .library("The copy of a part of it cannot be opened (\(part.rawValue)).")
            }
            readableParts.append((part, readable))
        }
        let outcome = worker.ask(
            [(.readLibrary, readable.number)]
                + readableParts.map { (.libraryPart($0.part), $0.file.number) }
                + [(.libraryLog, readableLog?.number)],
            timeLimit: Self.timeLimit
        )
        withExtendedLifetime((readable, readableLog, readableParts)) {}
        let first = try Self.batch(outcome)
        state = Mutex(State(worker: worker, first: first))
    }

    /// Starts a worker and opens the file `library.jsonl` of an export.
    ///
    /// The file must not change while it is read. The descriptor is sent to the worker and may be
    /// closed afterwards.
    package init(pool: WorkerPool, export: Int32) throws(Failure) {
        let worker: WorkerProcess
        do throws(WorkerError) {
            worker = try pool.startLibraryWorker()
        } catch { throw .worker(error) }
        guard let readable = ReadOnlyDescriptor(export) else {
            throw .library("The copy of its library.jsonl cannot be opened.")
        }
        let outcome = worker.ask([(.readExport, readable.number)], timeLimit: Self.timeLimit)
        withExtendedLifetime(readable) {}
        let first = try Self.batch(outcome)
        state = Mutex(State(worker: worker, first: first))
    }

    /// Returns the next batch of records, which has at most `limit` records.
    ///
    /// The worker prepares batches in advance, so a new limit applies only after the batches that
    /// were requested before. The first batch is read on opening, without this limit.
    package func next(_ limit: Int) throws(Failure) -> ForeignBatch {
        let result: Result<ForeignBatch, Failure> = state.withLock { state in
            do throws(Failure) {
                let batch: ForeignBatch
                if let first = state.first {
                    batch = first
                    state.first = nil
                } else {
                    batch = try Self.batch(Self.answer(&state, limit))
                }
                if !batch.isLast { Self.request(upTo: Self.batchesAhead, limit, &state) }
                return .success(batch)
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Returns to the first record, so that the same worker reads all records again.
    package func readAgain() throws(Failure) {
        let result: Result<Void, Failure> = state.withLock { state in
            do throws(Failure) {
                // What was requested after the last batch.
                while state.requested > 0 { _ = try Self.batch(Self.answer(&state, 1)) }
                let again = state.worker.ask([(.readAgain, nil)], timeLimit: Self.timeLimit)
                state.first = try Self.batch(again)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    private static func answer(_ state: inout State, _ limit: Int) -> WorkerProcess.Outcome {
        request(upTo: 1, limit, &state)
        if state.requested == 0, let failure = state.failure { return failure }
        state.requested -= 1
        let outcome = state.worker.answer(timeLimit: timeLimit)
        // The failed request has collected the worker's status, so that it alone tells the reason.
        if case .lost = outcome, let failure = state.failure { return failure }
        return outcome
    }

    /// Requests batches until `count` batches are requested but not yet received, or until a
    /// request cannot be sent.
    private static func request(upTo count: Int, _ limit: Int, _ state: inout State) {
        while state.requested < count, state.failure == nil {
            state.failure = state.worker.send([(.nextRecords(limit), nil)])
            if state.failure == nil { state.requested += 1 }
        }
    }

    private static func batch(_ outcome: WorkerProcess.Outcome) throws(Failure) -> ForeignBatch {
        switch outcome {
        case .answered(.records(let batch), _):
            guard batch.records.count <= 2 * ForeignBatch.maximumRecords,
                batch.isLast || !batch.records.isEmpty
            else { throw .library(WorkerPool.confusion) }
            return batch
        case .answered(.failed(let reason), _), .answered(.unsupported(let reason), _):
            throw .library(reason)
        case .answered: throw .library(WorkerPool.confusion)
        case .lost(let loss): throw .library(loss.reason)
        }
    }
}
