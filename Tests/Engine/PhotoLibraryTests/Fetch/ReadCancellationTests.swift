import Foundation
import GRDB
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary

/// Reads whose calls are canceled.
@Suite(.timeLimit(.minutes(1))) struct ReadCancellationTests {
    private let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    /// A query that does not end by itself.
    private static let endless = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """

    @Test(
        "A query ends when its call is canceled, with or without a predicate",
        arguments: [true, false]
    )
    func query(_ hasPredicate: Bool) throws {
        let view = LibraryView(store: world.store, access: ClientAccess())
        let cancellation = CallCancellation()
        let error = #expect(throws: LibraryError.self) {
            try CallContext(cancellation: cancellation).perform {
                try view.read(hasPredicate: hasPredicate) { reading in
                    Thread.detachNewThread { cancellation.cancel() }
                    return try Int.fetchOne(reading.database, sql: Self.endless)
                }
            }
        }
        #expect(error?.code == .cancelled)
        // The connection is as it was.
        let version = try view.read { $0.snapshot.version }
        #expect(version == 0)
    }

    @Test("A call that was canceled earlier reads nothing")
    func early() throws {
        let view = LibraryView(store: world.store, access: ClientAccess())
        let cancellation = CallCancellation()
        cancellation.cancel()
        let error = #expect(throws: LibraryError.self) {
            try CallContext(cancellation: cancellation).perform {
                try view.read { _ in Issue.record("It was read.") }
            }
        }
        #expect(error?.code == .cancelled)
    }
}
