import Foundation
import GRDB
import LibraryService
import PhotoModel

@testable import PhotoLibrary

/// Albums and folders without the seam.
extension LibraryWorld {
    static func collection(
        _ kind: ObjectKind,
        _ title: String,
        in parent: Int64 = 0
    ) -> CollectionRecord {
        CollectionRecord(
            id: 0,
            uuid: UUID().uuidString,
            kind: kind,
            title: title,
            parentID: parent,
            position: 0,
            creationDate: Date(timeIntervalSinceReferenceDate: 700_000_000)
        )
    }

    /// Adds an album with existing assets.
    func album(_ title: String, _ members: [Int64] = []) throws -> Int64 {
        try store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(Self.collection(.album, title))
            try transaction.appendMembers(members, to: id)
            return id
        }
    }

    func collection(_ id: Int64) throws -> CollectionRecord? {
        try store.write(author: "test") { try $0.collection(id: id) }
    }

    func members(_ album: Int64) throws -> [Int64] {
        try store.write(author: "test") { try $0.memberIDs(of: album) }
    }

    /// Returns the journal's entries for an object, as text.
    func entries(_ kind: ObjectKind, _ id: Int64) throws -> [Row] {
        try store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT version, change, oldValues, newValues, members FROM journalEntry
                    WHERE kind = ? AND objectId = ? ORDER BY version, id
                    """,
                arguments: [kind.rawValue, id]
            )
        }
    }

    /// Returns the findings of a full check, without assets that lack files.
    func findings(repairs: Bool = false) throws -> [String] {
        let verifier = Verifier(store: store)
        var kinds: [String] = []
        var cursor: VerifyCursor?
        repeat {
            let reply = try verifier.verify(
                VerifyRequest(isFull: true, repairs: repairs, cursor: cursor)
            )
            kinds += reply.findings.map(\.kind).filter { $0 != "assetWithoutOriginal" }
            cursor = reply.next
        } while cursor != nil
        return kinds
    }
}
