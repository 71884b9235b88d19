import Foundation
import TestSupport
import Testing
@testable import WorkerClient
import WorkerProtocol

/// The cost of a worker's crash, hang or lie: one file, one clear error.
@Suite(.timeLimit(.minutes(1)), .needsProgram("perl"))
struct WorkerFailureTests {
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(Data("a file".utf8), to: "file")
    }

    @Test(arguments: [
        (FakeWorker.Behaviour.crash, "SIGSEGV"), (.overrun, "seconds of processor time"),
        (.exit, "exit code 3"), (.garbage, "reply is invalid"),
        (.endless, "exceeds the limit"), (.deaf, "closed its connection"),
    ])
    func aLostWorkerIsOneClearError(_ behaviour: FakeWorker.Behaviour, _ words: String) throws {
        let pool = try FakeWorker(in: folder, behaviour: behaviour).pool()
        let answer = try pool.probe(path: file.path)
        let reason = answer.reason
        #expect(reason?.contains(words) == true, "\(reason ?? "no reason")")
        #expect(!answer.isPassing)
        // Tried once in a fresh worker, and not again: the same message without another worker.
        #expect(pool.startCount == 2)
        #expect(try pool.probe(path: file.path).reason == reason)
        #expect(pool.startCount == 2)
    }

    @Test func aForbiddenCallIsNotTriedAgain() throws {
        let pool = try FakeWorker(in: folder, behaviour: .forbiddenCall).pool()
        let reason = try pool.probe(path: file.path).reason
        #expect(reason?.contains("forbidden system call") == true, "\(reason ?? "no reason")")
        #expect(try pool.probe(path: file.path).reason == reason)
        #expect(pool.startCount == 1)
    }

    @Test(arguments: [FakeWorker.Behaviour.killedOnce, .crashOnce])
    func aFreshWorkerGetsAFileThatEndedOne(_ behaviour: FakeWorker.Behaviour) throws {
        let pool = try FakeWorker(in: folder, behaviour: behaviour).pool()
        #expect(try pool.probe(path: file.path).reason == "a fake")
        #expect(pool.startCount == 2)
    }

    /// The system or the worker is to blame: the file is tried again on each request.
    @Test(arguments: [
        (FakeWorker.Behaviour.killed, "ended by the system or another program (SIGKILL)"),
        (.ended, "the worker stopped: no file came."),
    ])
    func whatIsNotTheFilesFaultIsNotHeldAgainstIt(
        _ behaviour: FakeWorker.Behaviour,
        _ words: String
    ) throws {
        let pool = try FakeWorker(in: folder, behaviour: behaviour).pool()
        let answer = try pool.probe(path: file.path)
        let reason = answer.reason
        #expect(reason?.contains(words) == true, "\(reason ?? "no reason")")
        #expect(reason?.contains("malicious") == false)
        #expect(answer.isPassing)
        #expect(pool.startCount == 2)
        #expect(try pool.probe(path: file.path).reason == reason)
        #expect(pool.startCount == 4)
    }

    /// Sending the memory to the worker may fail by then, or not.
    @Test func aWorkerThatEndsBeforeItWasSentAllIsHeard() throws {
        let pool = try FakeWorker(in: folder, behaviour: .endedEarly).pool()
        let reason = try pool.probe(path: file.path, renditionSide: 64).reason
        #expect(
            reason?.contains("the worker stopped: no file came.") == true,
            "\(reason ?? "no reason")"
        )
    }

    @Test func aHangEndsAtTheTimeLimit() throws {
        let pool = try FakeWorker(in: folder, behaviour: .hang).pool(timeLimit: .seconds(1))
        let start = ContinuousClock.now
        let reason = try pool.probe(path: file.path).reason
        #expect(reason?.contains("longer than 1 seconds") == true, "\(reason ?? "no reason")")
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try pool.probe(path: file.path).reason == reason)
        #expect(pool.startCount == 2)
    }

    @Test func aCrashCostsOneFileOnly() throws {
        let bad = try folder.write(Data("another file".utf8), to: "bad")
        let pool = try FakeWorker(in: folder, behaviour: .crashOnBad).pool()
        #expect(try pool.probe(path: file.path).reason == "a fake")
        #expect(try pool.probe(path: bad.path).reason?.contains("SIGSEGV") == true)
        #expect(try pool.probe(path: file.path).reason == "a fake")
        // The worker that had read another file, a fresh one that the file also kills, and one
        // after.
        #expect(pool.startCount == 3)
    }

    /// A file is not blamed for a worker that another file broke.
    @Test func aFileIsBlamedOnlyWhenAFreshWorkerIsLostToIt() throws {
        let other = try folder.write(Data("another file".utf8), to: "other")
        let pool = try FakeWorker(in: folder, behaviour: .crashLate).pool()
        #expect(try pool.probe(path: file.path).reason == "a fake")
        #expect(try pool.probe(path: other.path).reason == "a fake")
        #expect(pool.startCount == 2)
    }

    /// A worker could write to a file through a writable descriptor.
    @Test func whatAWorkerGetsIsForReadingOnly() throws {
        let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let readable = try #require(ReadOnlyDescriptor(descriptor))
        var byte: UInt8 = 0
        #expect(pread(readable.number, &byte, 1, 0) == 1)
        #expect(pwrite(readable.number, &byte, 1, 0) == -1)
        #expect(ftruncate(readable.number, 0) == -1)
    }

    @Test func aChangedFileIsTriedAgain() throws {
        let pool = try FakeWorker(in: folder, behaviour: .crash).pool()
        _ = try pool.probe(path: file.path)
        try Data("a longer file".utf8).write(to: file)
        _ = try pool.probe(path: file.path)
        #expect(pool.startCount == 4)
    }

    @Test func pixelsWithoutMemoryAreNoPixels() throws {
        let pool = try FakeWorker(in: folder, behaviour: .noMemory).pool()
        let answer = try pool.probe(path: file.path)
        #expect(answer.facts != nil)
        #expect(answer.pixels == nil)
    }

    @Test func anotherVersionIsNamed() throws {
        let hello = #"{"hello":{"version":99,"sandbox":{"landlockABI":1,"hasSeccomp":true}}}"#
        let worker = try FakeWorker(in: folder, behaviour: .exit, hello: hello)
        let error = #expect(throws: WorkerError.self) {
            _ = try worker.pool().probe(path: file.path)
        }
        #expect(error?.message.contains("version 99") == true)
        #expect(error?.recovery?.contains("make install") == true)
    }

    @Test func aRefusalSaysWhyAndWhatHelps() throws {
        let hello = #"{"failed":{"reason":"the kernel has no Landlock."}}"#
        let worker = try FakeWorker(in: folder, behaviour: .exit, hello: hello)
        let error = #expect(throws: WorkerError.self) {
            _ = try worker.pool().probe(path: file.path)
        }
        #expect(error?.message.contains("no Landlock") == true)
        #expect(error?.recovery?.contains("PHOTOS_WORKER_UNCONFINED=1") == true)
    }

    @Test(arguments: [true, false])
    func aWorkerThatIsKilledAsItStartsIsStartedOnceMore(_ isKilledOnce: Bool) throws {
        let real = try FakeWorker(in: folder, behaviour: .unsupported).path
        let mark = folder.file("started").path
        let script = """
            #!/bin/sh
            if \(isKilledOnce ? "test ! -e \(mark)" : "true"); then : >'\(mark)'; kill -9 $$; fi
            exec '\(real)'
            """
        let url = try folder.write(Data(script.utf8), to: "starting")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        let pool = WorkerPool(configuration: .init(executable: url.path))
        if isKilledOnce {
            #expect(try pool.probe(path: file.path).reason == "a fake")
        } else {
            let error = #expect(throws: WorkerError.self) { _ = try pool.probe(path: file.path) }
            #expect(error?.message.contains("ended by the system") == true)
            #expect(error?.recovery?.contains("low memory") == true)
        }
    }

    @Test func aMissingWorkerSaysHowToInstallIt() throws {
        let path = folder.file("nowhere").path
        let pool = WorkerPool(configuration: .init(executable: path))
        let error = #expect(throws: WorkerError.self) { _ = try pool.probe(path: file.path) }
        #expect(error?.message.contains(path) == true)
        #expect(error?.recovery?.contains("make install") == true)
    }

    @Test func anotherProgramIsNoWorker() throws {
        let pool = WorkerPool(configuration: .init(executable: "/bin/true"))
        let error = #expect(throws: WorkerError.self) { _ = try pool.probe(path: file.path) }
        #expect(error?.message.contains("/bin/true") == true)
    }
}
