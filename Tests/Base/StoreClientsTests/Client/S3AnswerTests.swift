import FoundationEssentials
import ObjectStorage
import StoreClients
import StoreFixture
import Testing

/// Answers of a service that fails, misbehaves or attacks.
@Suite(.timeLimit(.minutes(2))) struct S3AnswerTests {
    @Test(
        arguments: [
            (404, "NoSuchKey", .notFound), (404, "NoSuchBucket", .storeAbsent),
            (404, "", .notFound),
            (403, "AccessDenied", .accessDenied), (403, "", .accessDenied),
            (403, "SignatureDoesNotMatch", .wrongCredentials),
            (403, "InvalidAccessKeyId", .wrongCredentials),
            (400, "ExpiredToken", .wrongCredentials),
            (403, "QuotaExceeded", .full), (507, "", .full), (400, "EntityTooLarge", .tooLarge),
            (400, "AuthorizationHeaderMalformed", .wrongRegion),
            (301, "PermanentRedirect", .wrongRegion),
            (302, "", .wrongRegion), (501, "NotImplemented", .unsupported),
            (418, "", .unexpectedAnswer),
            (403, "RequestTimeTooSkewed", .clockSkew),
        ] as [(Int, String, ObjectStoreError.Code)]
    )
    func refusalsAreNotRepeated(
        _ status: Int,
        _ code: String,
        _ expected: ObjectStoreError.Code
    ) async throws {
        try await ScriptedStore.run { _ in
            [.send(failure(status, code))]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == expected, "\(error?.description ?? "")")
            #expect(error?.hasUnknownOutcome == false)
            #expect(error?.description.contains("hush") == false)
            #expect(world.server.received.count == 1)
        }
    }

    @Test(
        arguments: [
            (500, "InternalError", .serverFault, true), (502, "", .serverFault, true),
            (503, "", .serverFault, true), (503, "SlowDown", .throttled, false),
            (429, "", .throttled, false), (400, "BadDigest", .damaged, false),
            (400, "RequestTimeout", .unreachable, false),
            (409, "OperationAborted", .throttled, false),
        ] as [(Int, String, ObjectStoreError.Code, Bool)]
    )
    func passingFailuresAreRepeated(
        _ status: Int,
        _ code: String,
        _ expected: ObjectStoreError.Code,
        _ isUnknown: Bool
    ) async throws {
        try await ScriptedStore.run { _ in
            [.send(failure(status, code))]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == expected, "\(error?.description ?? "")")
            #expect(error?.hasUnknownOutcome == isUnknown)
            #expect(world.server.received.count == 6)
            // Doubling pauses, of which the test takes the half.
            #expect(world.clock.pauses == [100, 200, 400, 800, 1600].map { .milliseconds($0) })
        }
    }

    @Test func theStoresWishForAPauseIsGranted() async throws {
        try await ScriptedStore.run { request in
            [.send(request.number < 2 ? failure(503, "SlowDown", ["Retry-After: 7"]) : answer())]
        } _: { world in
            try await world.put([1])
            #expect(world.clock.pauses == [.seconds(7), .seconds(7)])
        }
    }

    @Test func longerPausesThanTheTimeLimitAreReported() async throws {
        try await ScriptedStore.run { _ in
            [.send(failure(503, "SlowDown", ["Retry-After: 4000"]))]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == .throttled)
            #expect(error?.retryAfter == .seconds(4000))
            #expect(world.server.received.count == 1)
        }
    }

    @Test func budgetLimitsAllRepetitions() async throws {
        try await ScriptedStore.run(change: { $0.retry.budget = 3 }) { _ in
            [.send(failure(500, "InternalError"))]
        } _: { world in
            for _ in 0..<4 {
                await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            }
            #expect(world.server.received.count == 4 + 3)
        }
    }

    @Test func laterRefusalDoesNotMakeAnOutcomeKnown() async throws {
        try await ScriptedStore.run { request in
            request.number == 0 ? [.close] : [.send(failure(403, "AccessDenied"))]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == .accessDenied)
            #expect(error?.hasUnknownOutcome == true)
            #expect(error?.description.contains("may have taken effect") == true)
        }
    }

    @Test func refusalThatIsCutIsAskedForAgain() async throws {
        try await ScriptedStore.run { request in
            request.number == 0
                ? [.send(failure(403, "RequestTimeTooSkewed").dropLast(20)), .close]
                : [.send(answer())]
        } _: { world in
            try await world.put([1])
            #expect(world.server.received.count == 2)
        }
    }

    @Test func redirectsAreNotFollowed() async throws {
        let other = try ScriptedServer { _ in [.send(answer())] }
        let location = "Location: http://127.0.0.1:\(other.port)/bucket/prefix/log/1"
        for status in [301, 302, 303, 307, 308] {
            try await ScriptedStore.run { _ in
                [.send(answer(status, [location, "x-amz-bucket-region: eu-west-9"]))]
            } _: { world in
                for error in [
                    await #expect(throws: ObjectStoreError.self) { try await world.put([1]) },
                    await #expect(throws: ObjectStoreError.self) { _ = try await world.get() },
                ] {
                    #expect(error?.code == .wrongRegion)
                    #expect(error?.region == "eu-west-9")
                    #expect(error?.description.contains("eu-west-9") == true)
                }
            }
        }
        #expect(other.received.isEmpty)
        other.stop()
    }

    @Test func clockIsCorrectedOnce() async throws {
        let date = "Date: Thu, 24 Nov 2022 10:00:00 GMT"
        try await ScriptedStore.run { request in
            let isRight = request.header("x-amz-date") == "20221124T100000Z"
            return [
                .send(isRight ? answer(200, [date]) : failure(403, "RequestTimeTooSkewed", [date]))
            ]
        } _: { world in
            let receipt = try await world.put([1])
            #expect(receipt.serverDate == StoreDate.fromHTTP("Thu, 24 Nov 2022 10:00:00 GMT"))
            #expect(world.server.received.count == 2)
            try await world.put([2])
            #expect(world.server.received.count == 3)
        }
        try await ScriptedStore.run { _ in
            [.send(failure(403, "RequestTimeTooSkewed", [date]))]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == .clockSkew)
            #expect(error?.serverDate == StoreDate.fromHTTP("Thu, 24 Nov 2022 10:00:00 GMT"))
            #expect(world.server.received.count == 2)
        }
    }

    @Test func compressedAnswersAreRefused() async throws {
        // A bomb would be small here and enormous after decompression, which nobody does.
        let bomb: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + Array(repeating: 0, count: 500)
        try await ScriptedStore.run { _ in
            [.send(answer(200, ["Content-Encoding: gzip"], body: bomb))]
        } _: { world in
            for error in [
                await #expect(throws: ObjectStoreError.self) { _ = try await world.get() },
                await #expect(throws: ObjectStoreError.self) { _ = try await world.keys() },
            ] {
                #expect(error?.code == .unexpectedAnswer)
            }
        }
    }

    @Test func neverEndingListingsAreCut() async throws {
        try await ScriptedStore.run { _ in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<ListBucketResult>"
            let piece = "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n"
            return [
                .send(Array(head.replacing("<ListBucketResult>", with: "").utf8)),
                .sendForever(Array(piece.utf8)),
            ]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { _ = try await world.keys() }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func neverEndingFailuresAreCut() async throws {
        try await ScriptedStore.run { _ in
            [
                .send(Array("HTTP/1.1 403 No\r\nContent-Length: 999999999999\r\n\r\n".utf8)),
                .sendForever(Array(repeating: 0x41, count: 4096)),
            ]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == .accessDenied)
        }
    }

    @Test func neverEndingHeadersAreCut() async throws {
        try await ScriptedStore.run(change: { $0.retry.attempts = 1 }) { _ in
            [
                .send(Array("HTTP/1.1 200 OK\r\n".utf8)),
                .sendForever(Array("X-Header: value\r\n".utf8)),
            ]
        } _: { world in
            let error = await #expect(throws: ObjectStoreError.self) { try await world.put([1]) }
            #expect(error?.code == .unexpectedAnswer, "\(error?.description ?? "")")
            #expect(error?.hasUnknownOutcome == true)
        }
    }

    @Test func listingsOfNothingButForeignNamesEnd() async throws {
        try await ScriptedStore.run { request in
            let keys = (0..<1000).map { number in
                "<Contents><Key>prefix/X\(1000 + request.number)\(1000 + number)</Key>"
                    + "<Size>1</Size></Contents>"
            }
            let body =
                "<ListBucketResult><IsTruncated>\(request.number < 3)</IsTruncated>"
                + keys.joined() + "</ListBucketResult>"
            return [.send(answer(body: Array(body.utf8)))]
        } _: { world in
            #expect(try await world.keys().isEmpty)
            #expect(world.server.received.count == 4)
            let last = try #require(world.server.received.last)
            #expect(last.target.contains("start-after=prefix%2FX10021999"))
        }
    }
}
