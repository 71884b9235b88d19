import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import EmbeddedLibrary
@testable import PhotoLibrary

/// Requests for changes that are sent again.
@Suite(.timeLimit(.minutes(2))) struct AnsweredChangeTests {
    private let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    private func engine() throws -> LibraryEngine { try LibraryEngine.open(at: world.path) }

    private func identity(_ requester: String = "program") -> ClientIdentity {
        ClientIdentity(author: "author", requester: requester)
    }

    private func album(_ title: String) -> CommitRequest {
        let creation = CollectionCreation(uuid: UUID().uuidString, kind: .album, title: title)
        let operation = ChangeOperation(request: title, action: .createCollection(creation))
        return CommitRequest(changes: ChangeSet(operations: [operation]))
    }

    private func titles() throws -> [String] {
        try world.store.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT title FROM collection WHERE kind = 2 ORDER BY id"
            )
        }
    }

    private func answerCount() throws -> Int {
        try world.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM answered") } ?? 0
    }

    @Test("A change with an identifier is made once, also in another process")
    func once() throws {
        let context = CallContext(change: UUID())
        let request = album("one")
        var replies: [CommitReply] = []
        for _ in 0..<2 {
            let engine = try engine()
            let session = try engine.session(for: identity())
            for _ in 0..<2 {
                replies.append(
                    try context.perform { () throws(LibraryError) in
                        try session.commit(request)
                    }
                )
            }
            let stored = try engine.answer(to: try #require(context.change), of: "program")
            let reply = try JSONDecoder().decode(CommitReply.self, from: Data(stored ?? []))
            #expect(reply == replies[0])
            session.close()
            engine.close()
        }
        #expect(Set(replies).count == 1 && replies[0].isChange)
        #expect(try titles() == ["one"])
        #expect(try answerCount() == 1)
    }

    @Test("An undo is made once")
    func undo() throws {
        let engine = try engine()
        defer { engine.close() }
        let session = try engine.session(for: identity())
        defer { session.close() }
        for title in ["one", "two", "three"] { _ = try session.commit(album(title)) }
        #expect(try answerCount() == 0)
        let context = CallContext(change: UUID())
        let replies = try (0..<2).map { _ in
            try context.perform { () throws(LibraryError) in try session.undo(UndoRequest()) }
        }
        #expect(replies[0] == replies[1])
        #expect(try titles() == ["one", "two"])
        // A trial changes nothing, and is no answer.
        let trial = CallContext(change: UUID())
        _ = try trial.perform { () throws(LibraryError) in
            try session.undo(UndoRequest(isTrial: true))
        }
        #expect(try answerCount() == 1)
    }

    @Test("Another program cannot use the identifier")
    func foreign() throws {
        let engine = try engine()
        defer { engine.close() }
        let context = CallContext(change: UUID())
        let first = try engine.session(for: identity())
        let second = try engine.session(for: identity("other"))
        let (one, two) = (album("one"), album("two"))
        _ = try context.perform { () throws(LibraryError) in try first.commit(one) }
        let error = #expect(throws: LibraryError.self) {
            try context.perform { () throws(LibraryError) in try second.commit(two) }
        }
        #expect(error?.code == .invalidRequest)
        #expect(throws: LibraryError.self) {
            try engine.answer(to: try #require(context.change), of: "other")
        }
        #expect(try titles() == ["one"])
        first.close()
        second.close()
    }

    @Test("Failures and changes of nothing store no answer")
    func nothing() throws {
        let engine = try engine()
        defer { engine.close() }
        let session = try engine.session(for: identity())
        defer { session.close() }
        let context = CallContext(change: UUID())
        let missing = ChangeOperation(
            request: "r",
            action: .retitleCollection(uuid: "none", title: "x")
        )
        #expect(throws: LibraryError.self) {
            try context.perform { () throws(LibraryError) in
                try session.commit(
                    CommitRequest(changes: ChangeSet(operations: [missing]))
                )
            }
        }
        let empty = CommitRequest(changes: ChangeSet(operations: []))
        _ = try context.perform { () throws(LibraryError) in try session.commit(empty) }
        #expect(try answerCount() == 0)
        // The identifier is still free.
        let one = album("one")
        _ = try context.perform { () throws(LibraryError) in try session.commit(one) }
        #expect(try titles() == ["one"] && answerCount() == 1)
    }

    @Test("Answers are removed after a day, and those from the future too")
    func pruned() throws {
        for (number, age) in [0.0, 86_000, 86_500, -86_500].enumerated() {
            try world.store.alone { database in
                try database.execute(
                    sql: "INSERT INTO answered VALUES (?, 'p', 1, x'7b7d', ?)",
                    arguments: [
                        Data(repeating: UInt8(number), count: 16),
                        Date().timeIntervalSinceReferenceDate - age,
                    ]
                )
            }
        }
        // Maintenance runs after the first change of a store.
        try world.store.close()
        let store = try LibraryStore.open(at: world.path)
        _ = try store.write(author: "test") { try $0.insertAsset(LibraryWorld.record()) }
        let left = try store.read { try Data.fetchAll($0, sql: "SELECT request FROM answered") }
        #expect(Set(left.compactMap(\.first)) == [0, 1])
    }
}
