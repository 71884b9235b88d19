import FoundationEssentials
import ObjectStorage
import StoreClients
import StoreFixture
import Testing

/// Uploads in parts, with failures in each step.
@Suite(.timeLimit(.minutes(1))) struct S3MultipartTests {
    private typealias Request = ScriptedServer.Request

    private static let begun = answer(
        body: Array(
            "<InitiateMultipartUploadResult><UploadId>id/1</UploadId></InitiateMultipartUploadResult>"
                .utf8
        )
    )
    private static let completed = answer(
        body: Array("<CompleteMultipartUploadResult/>".utf8)
    )

    /// The step that a request belongs to.
    private enum Step: Equatable {
        case begin, part, complete, abort, check

        init(_ request: ScriptedServer.Request) {
            switch request.method {
            case "POST": self = request.target.hasSuffix("?uploads=") ? .begin : .complete
            case "PUT": self = .part
            case "DELETE": self = .abort
            default: self = .check
            }
        }
    }

    /// Uploads 25 bytes in parts of 10, and returns the steps and the error.
    private func upload(
        _ special: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]?
    ) async throws -> (requests: [ScriptedServer.Request], error: ObjectStoreError?) {
        // Written by the only task inside, and read after it.
        nonisolated(unsafe) var result: ([ScriptedServer.Request], ObjectStoreError?) = ([], nil)
        try await ScriptedStore.run { configuration in
            configuration.multipartThreshold = 20
            configuration.partSize = 10
            configuration.retry.attempts = 3
            // The clock of the tests takes shorter times for pauses, which end at once.
            configuration.abortTimeout = .seconds(600)
        } script: { request in
            if let steps = special(request) { return steps }
            return switch Step(request) {
            case .begin: [.send(Self.begun)]
            case .part: [.send(answer(200, ["ETag: \"\(request.body.count)<&>\""]))]
            case .complete: [.send(Self.completed)]
            case .abort: [.send(Array("HTTP/1.1 204 Done\r\n\r\n".utf8))]
            case .check: [.send(failure(404, "NoSuchKey"))]
            }
        } _: { world in
            var error: ObjectStoreError?
            do {
                try await world.put(pattern(25))
            } catch let failure as ObjectStoreError {
                error = failure
            }
            result = (world.server.received, error)
        }
        return result
    }

    @Test func largeObjectsGoInParts() async throws {
        let (requests, error) = try await upload { _ in nil }
        #expect(error == nil)
        let parts = requests.filter { Step($0) == .part }
            .sorted { $0.target < $1.target }
        #expect(parts.map(\.body) == [0..<10, 10..<20, 20..<25].map { Array(pattern(25)[$0]) })
        #expect(
            parts.map(\.target)
                == (1...3).map { "/bucket/prefix/log/1?partNumber=\($0)&uploadId=id%2F1" }
        )
        #expect(parts.allSatisfy { $0.header("content-md5") != nil })
        let last = try #require(requests.last)
        #expect(
            String(decoding: last.body, as: UTF8.self).contains(
                "<Part><PartNumber>3</PartNumber><ETag>&quot;5&lt;&amp;&gt;&quot;</ETag></Part>"
            )
        )
        #expect(!requests.contains { Step($0) == .abort })
    }

    @Test func failedPartsAreRepeatedAlone() async throws {
        let (requests, error) = try await upload { request in
            let isSecond = request.target.contains("partNumber=2")
            return isSecond && request.number < 5 ? [.send(failure(500, "InternalError"))] : nil
        }
        #expect(error == nil)
        #expect(requests.filter { $0.target.contains("partNumber=2") }.count >= 2)
        #expect(requests.filter { Step($0) == .begin }.count == 1)
    }

    @Test func refusedPartsEndTheUpload() async throws {
        let (requests, error) = try await upload { request in
            request.target.contains("partNumber=2") ? [.send(failure(403, "QuotaExceeded"))] : nil
        }
        #expect(error?.code == .full)
        #expect(error?.hasUnknownOutcome == false)
        // A part that was canceled may arrive after it, on another connection.
        #expect(requests.filter { Step($0) == .abort }.count == 1)
        #expect(!requests.contains { Step($0) == .complete })
    }

    @Test func failuresWithTheStatusOfASuccessAreNoticed() async throws {
        let body = "<Error><Code>InternalError</Code></Error>"
        let (requests, error) = try await upload { request in
            Step(request) == .complete ? [.send(answer(body: Array(body.utf8)))] : nil
        }
        #expect(error?.code == .serverFault)
        #expect(error?.hasUnknownOutcome == true)
        #expect(requests.filter { Step($0) == .complete }.count == 3)
        #expect(!requests.contains { Step($0) == .abort })
    }

    @Test(arguments: ["NoSuchUpload", "InternalError"])
    func completionWithoutAnAnswerIsLookedUp(_ code: String) async throws {
        for size in [25, 24] {
            let (requests, error) = try await upload { request in
                switch Step(request) {
                case .complete where request.number < 5: return [.close]
                case .complete:
                    return [.send(failure(code == "NoSuchUpload" ? 404 : 500, code))]
                case .check:
                    return [.send(answer(206, ["Content-Range: bytes 0-0/\(size)"], body: [1]))]
                default: return nil
                }
            }
            #expect((error == nil) == (size == 25), "\(error?.description ?? "")")
            #expect(error?.hasUnknownOutcome ?? true)
            #expect(requests.contains { Step($0) == .check })
        }
    }

    @Test func unusableNamesOfUploadsAreRefused() async throws {
        for name in ["", "a b", "a\u{1}", String(repeating: "x", count: 2000)] {
            let body =
                "<InitiateMultipartUploadResult><UploadId>\(name)</UploadId>"
                + "</InitiateMultipartUploadResult>"
            let (_, error) = try await upload { request in
                Step(request) == .begin ? [.send(answer(body: Array(body.utf8)))] : nil
            }
            #expect(error?.code == .unexpectedAnswer)
        }
    }
}
