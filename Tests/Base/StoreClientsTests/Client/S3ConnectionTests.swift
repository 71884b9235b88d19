import FoundationEssentials
import Glibc
import ObjectStorage
import StoreClients
import StoreFixture
import Synchronization
import Testing
import TestSupport

/// Connections that are slow, cut or silent, and what requests look like on them.
@Suite(.timeLimit(.minutes(2))) struct S3ConnectionTests {
    @Test func requestsCarryTheirChecksums() async throws {
        try await ScriptedStore.run { _ in
            [.send(answer())]
        } _: { world in
            try await world.put(Array("hello".utf8))
            let request = try #require(world.server.received.first)
            #expect(request.method == "PUT")
            #expect(request.target == "/bucket/prefix/log/1")
            #expect(request.body == Array("hello".utf8))
            #expect(request.header("content-md5") == "XUFAKrxLKna5cZ2REBfFkg==")
            #expect(
                request.header("x-amz-content-sha256")
                    == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
            )
            #expect(request.header("host") == "127.0.0.1:\(world.server.port)")
            let names = request.head.lowercased().split(separator: "\r\n").dropFirst()
                .compactMap { $0.split(separator: ":").first.map(String.init) }
            #expect(!names.contains { $0.contains("checksum") || $0.contains("crc") })
            #expect(!request.head.contains("hush"))
        }
    }

    @Test func answersCutAnywhereAreRepeated() async throws {
        let bytes = pattern(300)
        let whole = answer(200, ["ETag: \"1\""], body: bytes)
        let tail = { @Sendable (start: Int) in
            answer(
                206,
                ["ETag: \"1\"", "Content-Range: bytes \(start)-299/300"],
                body: Array(bytes[start...])
            )
        }
        for cut in stride(from: 0, to: whole.count, by: 1) {
            try await ScriptedStore.run { request in
                if request.number == 0 { return [.send(Array(whole.prefix(cut))), .close] }
                let range = request.header("range")?.dropFirst(6).dropLast(4)
                return [.send(range.flatMap { Int($0) }.map(tail) ?? whole)]
            } _: { world async throws in
                #expect(try await world.get() == bytes, "cut at \(cut)")
                #expect(world.server.received.count == 2)
            }
        }
    }

    @Test func headsOfConfirmationsCutAnywhereAreRepeated() async throws {
        let whole = answer(200, ["ETag: \"1\""])
        for cut in 0..<whole.count {
            try await ScriptedStore.run { request in
                request.number == 0
                    ? [.send(Array(whole.prefix(cut))), .close] : [.send(whole)]
            } _: { world in
                try await world.put([1])
                #expect(world.server.received.count == 2)
            }
        }
    }

    @Test func continuedReadsNoticeOtherVersions() async throws {
        try await ScriptedStore.run(change: { $0.idleTimeout = .milliseconds(200) }) { request in
            if request.header("range") == nil {
                return [.send(answer(200, ["ETag: \"1\""], body: [1, 2], length: 4)), .hang]
            }
            let headers = ["ETag: \"2\"", "Content-Range: bytes 2-3/4"]
            return [.send(answer(206, headers, body: [3, 4]))]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { _ = try await world.get() }
            #expect(error?.code == .damaged)
        }
    }

    @Test(
        arguments: [
            (200, ["X: y"], 0..<2), (206, ["Content-Range: bytes 1-2/4"], 0..<2),
            (206, ["Content-Range: bytes 0-0/4"], 0..<2),
            (206, ["Content-Range: bytes 0-2/4"], 0..<2),
            (206, ["X: y"], 0..<2), (206, ["Content-Range: bytes 0-1/1"], 0..<2),
            (206, ["Content-Range: bytes 0-1/4"], 0..<3),
        ] as [(Int, [String], Range<Int64>)]
    )
    func otherRangesAreRefused(
        _ status: Int,
        _ headers: [String],
        _ range: Range<Int64>
    ) async throws {
        try await ScriptedStore.run { _ in
            [.send(answer(status, headers, body: [1, 2]))]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) {
                _ = try await world.get(range)
            }
            #expect([.unexpectedAnswer, .unsupported].contains(error?.code))
            #expect(world.server.received.count == 1)
        }
    }

    @Test func announcedSizesAreCheckedBeforeReading() async throws {
        try await ScriptedStore.run { _ in
            [.send(answer(length: 1 << 40)), .sendForever([1, 2, 3])]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { _ = try await world.get() }
            #expect(error?.code == .tooLarge)
        }
        let unsized = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
        for text in [unsized, "HTTP/1.0 200 OK\r\n\r\nx"] {
            try await ScriptedStore.run { _ in
                [.send(Array(text.utf8)), .close]
            } _: { world in
                let error = await #expect(throws: ObjectStoreError.self) {
                    _ = try await world.get()
                }
                #expect(error?.code == .unexpectedAnswer, "\(error?.description ?? "")")
            }
        }
    }

    @Test func silenceEndsAtTheTimeLimit() async throws {
        try await ScriptedStore.run(change: { $0.clock = .system }) { _ in
            [.hang]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) {
                try await world.put([1], timeout: .milliseconds(300))
            }
            #expect(error?.code == .timedOut)
            #expect(error?.hasUnknownOutcome == true)
            let read = await #expect(throws: ObjectStoreError.self) {
                _ = try await world.get(timeout: .milliseconds(300))
            }
            #expect(read?.code == .timedOut)
            #expect(read?.hasUnknownOutcome == false)
        }
    }

    @Test func silenceIsRepeatedAfterTheIdleTime() async throws {
        try await ScriptedStore.run(change: { $0.idleTimeout = .milliseconds(200) }) { request in
            request.number == 0 ? [.hang] : [.send(answer())]
        } _: { world in
            try await world.put([1])
            #expect(world.server.received.count == 2)
        }
    }

    @Test func bodiesThatStopAreContinued() async throws {
        try await ScriptedStore.run(change: { $0.idleTimeout = .milliseconds(200) }) { request in
            if request.header("range") == nil {
                return [.send(answer(body: [1], length: 3)), .hang]
            }
            return [.send(answer(206, ["Content-Range: bytes 1-2/3"], body: [2, 3]))]
        } _: { world async throws in
            #expect(try await world.get() == [1, 2, 3])
        }
    }

    @Test func canceledRequestsEndAtOnce() async throws {
        let arrived = AsyncStream<Void>.makeStream()
        try await ScriptedStore.run { _ in
            arrived.continuation.yield()
            return [.hang]
        } _: { world in
            let task = Task { try await world.put([1]) }
            for await _ in arrived.stream.prefix(1) {}
            task.cancel()
            let error = await #expect(throws: ObjectStoreError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(error?.hasUnknownOutcome == true)
        }
    }

    @Test func refusedConnectionsHaveNoEffect() async throws {
        try await ScriptedStore.run { _ in
            []
        } _: { world in
            world.server.stop()
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == .unreachable)
            #expect(error?.hasUnknownOutcome == false)
            #expect(world.clock.pauses.count == 5)
        }
    }

    @Test func earlyRefusalOfALargeBodyIsReported() async throws {
        try await ScriptedStore.run(readsBodies: false) { _ in
            [.send(failure(403, "AccessDenied", ["Connection: close"])), .hang]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) {
                try await world.put(pattern(8 << 20))
            }
            #expect(error?.code == .accessDenied, "\(error?.description ?? "")")
        }
    }

    @Test func changedFilesAreNotWritten() async throws {
        let folder = try TemporaryFolder("photos-source")
        let file = try folder.write(Data(pattern(1 << 20)), to: "file")
        let descriptor = open(file.path, O_RDWR)
        defer { close(descriptor) }
        let source = try ObjectSource(descriptor: descriptor, range: 0..<1 << 20)
        ftruncate(descriptor, 1 << 19)
        try await ScriptedStore.run { _ in
            [.send(answer())]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) {
                _ = try await world.store.put(
                    ObjectKey("log/1"),
                    from: source,
                    mode: .create,
                    timeout: ScriptedStore.long
                )
            }
            #expect(error?.code == .inputOutput)
            #expect(world.server.received.isEmpty)
        }
        withExtendedLifetime(folder) {}
    }
}
