import BinaryCoding
import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import RemoteLibrary

/// The table has one correct row for each method of the protocol.
@Suite(.timeLimit(.minutes(2))) struct CallTableTests {
    private let seed = TestSeed()

    @Test func everyMethodHasARow() throws {
        let protocols = ["AuthorizationService", "ChangeService", "LibraryService"]
        let methods = try protocols.flatMap(Self.methods)
        #expect(methods.count > 40)
        let calls = Set(methods).subtracting(["close", "openSession"])
        #expect(calls == Set(CallTable.all.map(\.name)))
        #expect(Set(CallTable.all.map(\.name)).count == CallTable.all.count)
    }

    /// Returns the names of the methods of a protocol of the seam.
    private static func methods(of name: String) throws -> [String] {
        let source = try String(
            contentsOf: PackageFiles.url("Sources/Engine/LibraryService/\(name).swift"),
            encoding: .utf8
        )
        let start = try #require(source.range(of: "package protocol \(name)"))
        let end = try #require(source[start.upperBound...].range(of: "\n}\n"))
        return source[start.upperBound..<end.lowerBound].matches(of: /(?m)^    func (\w+)/)
            .map { String($0.output.1) }
    }

    @Test func rowsAreNamedAsTheirProperties() {
        for child in Mirror(reflecting: CallTable.shared).children {
            #expect(child.label == (child.value as? any AnyCall)?.name)
        }
    }

    /// Each row calls its own method, with its request and files, and returns the method's reply.
    ///
    /// What a session does not hold, it answers by itself; see `HoldingSessionTests`.
    @Test(arguments: CallTable.all.map(\.name).filter { $0 != "advanceHeld" })
    func rowCallsItsMethod(_ name: String) throws {
        let row = try #require(CallTable.all.first { $0.name == name } as? any ExercisableCall)
        for coder: any WireCoder in [BinaryCoder(), JSONCoder()] {
            try row.exercise(seed: seed, coder: coder)
        }
    }

    @Test func callsThatChangeTheLibraryAreMarked() {
        let changing = CallTable.all.filter(\.changesLibrary).map(\.name).sorted()
        #expect(
            changing == [
                "commit", "continueMigration", "dropRenditions", "historyHorizon", "importFiles",
                "refresh", "stepTakeout", "undo", "verify",
            ]
        )
    }

    @Test func everyCallHasAClass() {
        #expect(Set(CallClasses.byName.keys) == Set(CallTable.all.map(\.name)))
        // A change must not run on the thread of its connection.
        for call in CallTable.all where call.changesLibrary {
            #expect(call.callClass == .write || call.callClass == .bulk, "\(call.name)")
        }
    }

    @Test func unknownCallIsAnInvalidRequest() throws {
        let library = RecordingLibrary(seed: seed.value)
        let coder = BinaryCoder()
        let body = try coder.encode(CallEnvelope(call: "fly", request: NoValue()))
        for body in [body, [], [1, 2, 3], try coder.encode(7)] {
            let error = #expect(throws: LibraryError.self) {
                try CallTable.respond(
                    to: EncodedMessage(body: body, descriptors: []),
                    with: library,
                    coder: coder,
                    peer: "photos 9.9"
                )
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("photos 9.9") == true)
        }
        #expect(library.names.isEmpty)
    }

    @Test func undecodableRequestNamesItsPathAndPeer() throws {
        struct Request: Codable { var assetUUID: Int }
        let coder = BinaryCoder()
        let body = try coder.encode(
            CallEnvelope(call: "keptMetadata", request: Request(assetUUID: 7))
        )
        let error = #expect(throws: LibraryError.self) {
            try CallTable.respond(
                to: EncodedMessage(body: body, descriptors: []),
                with: RecordingLibrary(seed: seed.value),
                coder: coder,
                peer: "photos 9.9"
            )
        }
        #expect(
            error?.message == "The request of “keptMetadata” from photos 9.9 could not be read."
        )
        #expect(error?.reason?.hasPrefix("request.assetUUID: ") == true)
    }

    @Test func errorOfALaterVersionKeepsItsMessage() throws {
        let json = #"{"code":"outOfCoffee","message":"Empty.","identifiers":["a"],"cup":1}"#
        let failure = try JSONCoder().decode(FailureBody.self, from: Array(json.utf8))
        #expect(failure.error == LibraryError(.internalError, "Empty.", identifiers: ["a"]))
        for code in LibraryError.Code.allCases {
            let error = LibraryError(code, "m", reason: "r", recovery: "v", path: "/p")
            let bytes = try BinaryCoder().encode(FailureBody(error))
            #expect(try BinaryCoder().decode(FailureBody.self, from: bytes).error == error)
        }
    }
}

/// A row that can be called without knowing its types.
private protocol ExercisableCall {
    func exercise(seed: TestSeed, coder: any WireCoder) throws
}

extension Call: ExercisableCall {
    fileprivate func exercise(seed: TestSeed, coder: any WireCoder) throws {
        var generator = seed.generator
        let request = try Fabrication(seed: generator.next()).value(Request.self)
        let library = RecordingLibrary(seed: generator.next())
        let files = try (0..<min(3, requestDescriptors.upperBound)).map {
            try TestDescriptors.memory(UInt8($0))
        }
        let answer = try LoopbackLibrary(library, coder: coder)
            .perform(self, request, descriptors: files)
        #expect(library.names == [name])
        #expect(isEqual(library.lastRequest, request), seed.comment)
        #expect(library.lastFiles == files.map(TestDescriptors.byte))
        #expect(isEqual(library.lastReply, answer.reply), seed.comment)
        // A nil reply of `image` has no pixels.
        let isNil =
            Mirror(reflecting: answer.reply).displayStyle == .optional
            && Mirror(reflecting: answer.reply).children.isEmpty
        let expected = isNil ? [] : (0..<replyDescriptors.upperBound).map { UInt8(0x40 + $0) }
        #expect(answer.descriptors.map(TestDescriptors.byte) == expected)
        for (sent, received) in zip(files, answer.descriptors) {
            #expect(sent.number != received.number)
        }
    }

    private func isEqual(_ first: (any Sendable)?, _ second: any Sendable) -> Bool {
        func isEqual<First: Equatable>(_ first: First) -> Bool { first == second as? First }
        return (first as? any Equatable).map { isEqual($0) } ?? false
    }
}
