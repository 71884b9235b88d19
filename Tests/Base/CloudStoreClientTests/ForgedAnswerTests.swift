import CloudStoreClient
import FoundationEssentials
import Glibc
import ObjectStorage
import StoreFixture
import StoreProtocol
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

/// Answers of a process that an attacker controls.
@Suite(.timeLimit(.minutes(2))) struct ForgedAnswerTests {
    /// Answers each call with a result.
    private func peer(_ result: StoreResult, hasParts: Bool = false) -> ProcessStore {
        ScriptedPeer(hasParts: hasParts) { connection, request in
            guard case .call(let number, _, _) = request else { return }
            try connection.send(StoreReply.done(number, result))
        }.store
    }

    private func failure(
        _ body: () async throws -> Void
    ) async throws -> ObjectStoreError {
        try #require(await #expect(throws: ObjectStoreError.self) { try await body() })
    }

    @Test func otherVersionsAreRefused() async throws {
        let store = ScriptedPeer(version: 99) { _, _ in }.store
        let error = try await failure { try await store.write("log/1", [1]) }
        #expect(error.code == .programUnavailable)
        #expect(error.description.contains("version 99"))
        #expect(!error.hasUnknownOutcome)
    }

    @Test func unconfinedProcessesAreRefused() async throws {
        for report in [
            SandboxReport(landlockABI: 0, hasSeccomp: true),
            SandboxReport(landlockABI: 3, hasSeccomp: false),
        ] {
            let store = ScriptedPeer(report: report) { _, _ in }.store
            let error = try await failure { try await store.write("log/1", [1]) }
            #expect(error.code == .programUnavailable)
            #expect(error.description.contains("Landlock"))
        }
    }

    @Test func resultsOfOtherCallsAreRefused() async throws {
        let extent = StoreResult.extent(size: 0, delivered: 0, nil)
        for result in [extent, .aborted, .tag("a"), .uploads([])] {
            let store = peer(result)
            let error = try await failure { try await store.write("log/1", [1]) }
            #expect(error.code == .unexpectedAnswer)
            #expect(error.hasUnknownOutcome)
        }
        let error = try await failure { _ = try await peer(.receipt(nil)).keys() }
        #expect(error.code == .unexpectedAnswer)
        #expect(!error.hasUnknownOutcome)
    }

    @Test func pagesAreChecked() async throws {
        let pages: [StoreResult] = [
            .page(keys: "a\nb", sizes: [1], isLast: true, nil),
            .page(keys: "b\na", sizes: [1, 1], isLast: true, nil),
            .page(keys: "a\na", sizes: [1, 1], isLast: true, nil),
            .page(keys: "../etc", sizes: [1], isLast: true, nil),
            .page(keys: "a", sizes: [-1], isLast: true, nil),
            .page(keys: "", sizes: [], isLast: false, nil),
            .page(
                keys: (10_000..<15_000).map(String.init).joined(separator: "\n"),
                sizes: Array(repeating: 1, count: 5000),
                isLast: true,
                nil
            ),
        ]
        for page in pages {
            let error = try await failure { _ = try await peer(page).keys() }
            #expect(error.code == .unexpectedAnswer)
        }
        let other = StoreResult.page(keys: "log/2/1", sizes: [1], isLast: true, nil)
        let error = try await failure { _ = try await peer(other).keys("log/1/") }
        #expect(error.code == .unexpectedAnswer)
        let early = StoreResult.page(keys: "log/1", sizes: [1], isLast: true, nil)
        let early1 = try await failure { _ = try await peer(early).keys(after: "log/1") }
        #expect(early1.code == .unexpectedAnswer)
        #expect(try await peer(early).keys() == ["log/1"])
    }

    @Test func uploadsAndDatesAreBounded() async throws {
        let long = UnfinishedUpload(
            identifier: String(repeating: "a", count: 5000),
            key: nil,
            started: nil
        )
        let error = try await failure {
            _ = try await peer(.uploads([SentUpload(long)]))
                .unfinishedUploads(below: .all, timeout: limit)
        }
        #expect(error.code == .unexpectedAnswer)
        for seconds in [-1, 1e18, -.greatestFiniteMagnitude] as [Double] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(try await peer(.receipt(date)).remove("log/1").serverDate == nil)
        }
        let key = try ObjectKey("blob/1")
        let begun = UnfinishedUpload(identifier: "a", key: try ObjectKey("blob/2"), started: nil)
        let multipart = try #require(peer(.uploads([SentUpload(begun)]), hasParts: true).multipart)
        let other = try await failure {
            _ = try await multipart.beginUpload(of: key, timeout: limit)
        }
        #expect(other.code == .unexpectedAnswer)
    }

    /// Bytes that a GET did not ask for.
    @Test(arguments: [
        [10, 10, 10, 10],  // More pieces than permitted.
        [0], [101], [60, 60], [2 << 20],
    ])
    func piecesAreLimited(_ sizes: [Int]) async throws {
        let received = Mutex(0)
        let store = ScriptedPeer { connection, request in
            guard case .call(let number, _, _) = request else { return }
            for size in sizes {
                try connection.send(StoreReply.piece(number, Data(count: size)))
            }
            let total = Int64(sizes.reduce(0, +))
            try connection.send(
                StoreReply.done(number, .extent(size: total, delivered: total, nil))
            )
        }.store
        let error = try await failure {
            _ = try await store.get(ObjectKey("a"), range: nil, limit: 100, timeout: limit) {
                piece in
                received.withLock { $0 += piece.count }
                // Takes no further piece.
                try await Task.sleep(for: .seconds(3600))
            }
        }
        #expect(error.code == .unexpectedAnswer)
        #expect(received.withLock(\.self) <= 100)
    }

    /// Opens an object of at most 100 bytes with a process that answers with a result and a file.
    private func open(_ result: StoreResult, with file: OpenFile?) async throws -> ObjectFile? {
        let store = ScriptedPeer { connection, request in
            guard case .call(let number, .open, _) = request else { return }
            try connection.send(
                StoreReply.done(number, result),
                descriptor: file?.descriptor
            )
        }.store
        return try await store.file(of: ObjectKey("blob/1"), limit: 100, timeout: limit)
    }

    @Test func openedFilesAreChecked() async throws {
        let folder = try TemporaryFolder("photos-forged")
        try folder.write(Data([1, 2, 3]), to: "object")
        let root = try OpenFile.root(folder.path)
        let (file, _) = try root.regularFile("object")
        let opened = try #require(try await open(.opened(size: 3), with: file))
        try opened.check()
        #expect(opened.size == 3)
        #expect(try opened.read(0..<3) == [1, 2, 3])
        for (result, sent) in [
            (.opened(size: nil), file), (.opened(size: 3), nil), (.opened(size: -1), file),
            (.opened(size: 101), file), (.aborted, file),
        ] as [(StoreResult, OpenFile?)] {
            let error = try await failure { _ = try await open(result, with: sent) }
            #expect(error.code == .unexpectedAnswer, "\(result)")
        }
        // Only a regular file is read.
        let other = try #require(try await open(.opened(size: 3), with: root))
        let error = #expect(throws: ObjectStoreError.self) { try other.check() }
        #expect(error?.code == .damaged)
    }

    /// A process with a network is never asked for a file, and another one at most once in vain.
    @Test(arguments: [false, true])
    func processesWithoutFilesAreNotAskedAgain(hasParts: Bool) async throws {
        let calls = Mutex(0)
        let store = ScriptedPeer(hasParts: hasParts) { connection, request in
            guard case .call(let number, _, _) = request else { return }
            calls.withLock { $0 += 1 }
            try connection.send(StoreReply.done(number, .opened(size: nil)))
        }.store
        for _ in 0..<2 {
            let file = try await store.file(of: ObjectKey("blob/1"), limit: 100, timeout: limit)
            #expect(file == nil)
        }
        #expect(calls.withLock(\.self) == (hasParts ? 0 : 1))
    }

    @Test func extentsMatchWhatArrived() async throws {
        for (size, delivered) in [(10, 9), (10, 11), (9, 10), (-1, 10)] as [(Int64, Int64)] {
            let store = ScriptedPeer { connection, request in
                guard case .call(let number, _, _) = request else { return }
                try connection.send(StoreReply.piece(number, Data(count: 10)))
                try connection.send(
                    StoreReply.done(number, .extent(size: size, delivered: delivered, nil))
                )
            }.store
            let error = try await failure { _ = try await store.read("a") }
            #expect(error.code == .unexpectedAnswer, "\(size) \(delivered)")
        }
    }

    @Test func answersToNobodyEndTheProcess() async throws {
        for reply in [
            .done(77, .aborted), .piece(77, Data([1])), .hello(version: 1),
            .ready(SandboxReport(landlockABI: 1, hasSeccomp: true)),
        ] as [StoreReply] {
            let store = ScriptedPeer { connection, _ in try connection.send(reply) }.store
            let error = try await failure { try await store.write("log/1", [1]) }
            #expect(error.code == .unexpectedAnswer)
            #expect(error.hasUnknownOutcome)
        }
    }

    @Test func bytesThatAreNoMessageEndTheProcess() async throws {
        let messages: [[UInt8]] = [
            [0, 0, 0, 2, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 4, 1, 2, 3, 4],
            [0, 0, 0, 0],
        ]
        for bytes in messages {
            let store = ScriptedPeer { connection, _ in
                _ = bytes.withUnsafeBytes { send(connection.socket, $0.baseAddress, $0.count, 0) }
            }.store
            let error = try await failure { try await store.write("log/1", [1]) }
            #expect(error.code == .unexpectedAnswer, "\(bytes)")
            #expect(error.hasUnknownOutcome)
        }
    }

    @Test func cutAnswersAreALostProcess() async throws {
        struct End: Error {}
        let attempts = Mutex(0)
        let store = ScriptedPeer { connection, request in
            guard case .call(let number, _, _) = request else { return }
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            guard isFirst else {
                return try connection.send(StoreReply.done(number, .receipt(nil)))
            }
            let bytes: [UInt8] = [0x80, 0, 0, 100, 1, 2, 3]
            _ = bytes.withUnsafeBytes { send(connection.socket, $0.baseAddress, $0.count, 0) }
            throw End()
        }.store
        let error = try await failure { try await store.write("log/1", [1]) }
        #expect(error.code == .unreachable)
        #expect(error.hasUnknownOutcome)
        try await store.write("log/1", [1])
        #expect(attempts.withLock(\.self) == 2)
    }

    @Test func errorsAreCleaned() async throws {
        let store = ScriptedPeer { connection, request in
            guard case .call(let number, _, _) = request else { return }
            var failure = StoreFailure(.init(.full, "Full.", recovery: "Free space."))
            failure.code = "made up"
            failure.message = "\u{1B}[31m" + String(repeating: "x", count: 100_000)
            failure.reason = "a\nb"
            failure.retryAfter = 1e300
            failure.serverDate = Date(timeIntervalSince1970: 1e300)
            try connection.send(StoreReply.failed(number, failure))
        }.store
        let error = try await failure { try await store.write("log/1", [1]) }
        #expect(error.code == .unexpectedAnswer)
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        #expect(error.description.count < 12_000)
        #expect(error.retryAfter == .seconds(86_400))
        #expect(error.serverDate == nil)
    }

    @Test func allCodesCross() {
        for code in ObjectStoreError.Code.all {
            var error = ObjectStoreError(code, "Message.", reason: "Reason.", recovery: "Recovery.")
            error.hasUnknownOutcome = true
            error.retryAfter = .milliseconds(1500)
            error.region = "elsewhere"
            let same = StoreFailure(error).error
            #expect(same.code == code && same.description == error.description)
            #expect(same.hasUnknownOutcome && same.region == "elsewhere")
            #expect(same.retryAfter == .milliseconds(1500))
        }
    }
}
