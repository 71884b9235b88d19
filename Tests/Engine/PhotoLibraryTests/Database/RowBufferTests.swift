import Foundation
import GRDB
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct RowBufferTests {
    private struct Content: Equatable {
        var id: Int64
        var text: String
        var number: Double?
        var data: Data

        init(_ id: Int64, _ suffix: String = "") {
            self.id = id
            text = id % 7 == 0 ? "" : "Zürich \"\(id)\"\(suffix)"
            number = id % 3 == 0 ? nil : Double(id) / 4
            data = Data(repeating: UInt8(truncatingIfNeeded: id), count: Int(id % 5))
        }

        init(row: Row) {
            id = row[0]
            text = row[1]
            number = row[2]
            data = row[3]
        }
    }

    private func makeQueue() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE content (id INTEGER PRIMARY KEY, text TEXT NOT NULL, number REAL,
                        data BLOB NOT NULL, added TEXT NOT NULL) STRICT
                    """
            )
        }
        return queue
    }

    private func makeBuffer(_ database: Database) -> RowBuffer {
        RowBuffer("INSERT INTO content (id, text, number, data, added)", columns: 5, in: database)
    }

    private func append(_ content: Content, to buffer: inout RowBuffer) {
        buffer.append(content.id)
        buffer.append(content.text)
        buffer.append(content.number?.databaseValue ?? .null)
        buffer.append(blob: Array(content.data))
        buffer.beginText()
        buffer.append(toText: UInt8(ascii: "["))
        buffer.append(toText: content.text.databaseValue)
        buffer.append(toText: "]")
        buffer.endText()
    }

    private func rows(_ database: Database) throws -> [Content] {
        try Row.fetchAll(database, sql: "SELECT * FROM content ORDER BY id").map(Content.init(row:))
    }

    /// 32 rows are inserted by one statement.
    @Test(arguments: [0, 1, 31, 32, 33, 100]) func allValuesAreInserted(_ count: Int64) throws {
        try makeQueue().write { database in
            let expected = (0..<count).map { Content($0) }
            var buffer = makeBuffer(database)
            for content in expected { append(content, to: &buffer) }
            try buffer.write(to: database)
            let present = try rows(database)
            #expect(present == expected)
            let added = try String.fetchAll(database, sql: "SELECT added FROM content ORDER BY id")
            #expect(added == expected.map { JournalValue.encode(strings: [$0.text]) })
        }
    }

    @Test func aBufferIsUsedAgain() throws {
        try makeQueue().write { database in
            var buffer = makeBuffer(database)
            let first = (0..<70).map { Content($0, " with a long text, which is elsewhere later") }
            let second = (70..<140).map { Content($0) }
            for part in [first, second] {
                for content in part { append(content, to: &buffer) }
                try buffer.write(to: database)
            }
            let present = try rows(database)
            #expect(present == first + second)
        }
    }

    @Test func aBufferThatIsFullIsWritten() throws {
        try makeQueue().write { database in
            var buffer = makeBuffer(database)
            #expect(!buffer.isFull)
            var content = Content(1)
            content.data = Data(repeating: 1, count: 9 << 20)
            append(content, to: &buffer)
            #expect(buffer.isFull)
            try buffer.write(to: database)
            #expect(!buffer.isFull)
            for id in 2..<600 { append(Content(Int64(id)), to: &buffer) }
            #expect(buffer.isFull)
        }
    }

    @Test func aFailureIsThrown() throws {
        let queue = try makeQueue()
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { database in
                var buffer = makeBuffer(database)
                for id in 0..<40 as Range<Int64> { append(Content(id % 20), to: &buffer) }
                try buffer.write(to: database)
            }
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        // The statement is used again.
        try queue.write { database in
            var buffer = makeBuffer(database)
            for id in 0..<40 as Range<Int64> { append(Content(id), to: &buffer) }
            try buffer.write(to: database)
            let count = try rows(database).count
            #expect(count == 40)
        }
    }
}
