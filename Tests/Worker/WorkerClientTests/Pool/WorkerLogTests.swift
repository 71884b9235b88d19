import Foundation
import Logging
import TestSupport
import Testing
import WorkerProtocol

@testable import WorkerClient

/// Starts, losses, kills and retries of workers are recorded, and no file is named.
@Suite(.timeLimit(.minutes(1)), .needsProgram("perl")) struct WorkerLogTests {
    let records = LogRecords()
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(Data("a file".utf8), to: "Grandma.jpg")
    }

    private func pool(
        _ behaviour: FakeWorker.Behaviour,
        timeLimit: Duration = .seconds(20)
    ) throws -> WorkerPool {
        WorkerPool(
            configuration: .init(
                executable: try FakeWorker(in: folder, behaviour: behaviour).path,
                maximumWorkers: 1,
                timeLimit: timeLimit
            ),
            logger: records.logger("photos.workers")
        )
    }

    @Test func aLossAndTheRetryAreRecorded() throws {
        _ = try pool(.crashOnce).probe(path: file.path)
        #expect(
            records.all.map { "\($0.level) \($0.message)" } == [
                "debug A worker was started.",
                "info A worker was lost.",
                "info A request is retried in a new worker.",
                "debug A worker was started.",
            ]
        )
        let loss = try #require(records.of("A worker was lost.").first)
        #expect(loss.metadata["worker.blame"] == "file")
        #expect(loss.metadata["worker.reason"]?.contains("SIGSEGV") == true)
        #expect(Int32(loss.metadata["worker.process"] ?? "") != nil)
        #expect(records.all.allSatisfy { !"\($0.metadata)".contains("Grandma") })
    }

    @Test func aKillIsRecorded() throws {
        _ = try pool(.hang, timeLimit: .milliseconds(300)).probe(path: file.path)
        #expect(records.of("A worker was killed.").count == 2)
        #expect(records.of("A request is retried in a new worker.").count == 1)
        #expect(records.of("A file is not read again, since it ended workers.").count == 1)
    }
}
