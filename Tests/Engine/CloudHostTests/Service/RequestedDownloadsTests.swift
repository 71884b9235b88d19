import CloudSync
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

@testable import CloudHost

/// Downloads that several threads wait for.
///
/// The tests wait on threads of their own, since the downloads are tasks.
@Suite(.timeLimit(.minutes(1))) struct RequestedDownloadsTests {
    private static let content = ContentID(CloudID(1, 2), CloudID(3, 4))

    /// The downloads that were begun, which the test ends.
    private final class Source: Sendable {
        let begun = Monitor<[RequestedDownloads.Download]>([])
        let cancelled = Monitor(0)

        func begin(_ download: RequestedDownloads.Download) {
            download.note(size: 100)
            begun.update { $0.append(download) }
            download.run { [cancelled] in
                // Ends when the task is canceled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                cancelled.update { $0 += 1 }
                download.end(.failure(RequestedDownloads.cancelled))
            }
        }
    }

    /// A thread that waits for a download.
    private final class Waiter: Sendable {
        struct State {
            var reports: [Int64] = []
            var goesOn = true
            var outcome: Result<Void, LibraryError>?
        }

        let monitor = Monitor(State())

        init(_ downloads: RequestedDownloads, _ content: ContentID) {
            let monitor = monitor
            let isStarted = NamedThread.start("waiter") {
                let outcome = Result { () throws(LibraryError) in
                    try downloads.download(content) { received, _ in
                        monitor.update { state in
                            state.reports.append(received)
                            return state.goesOn
                        }
                    }
                }
                monitor.update { $0.outcome = outcome }
            }
            #expect(isStarted)
        }

        func waitForReport() { _ = monitor.wait { $0.reports.isEmpty ? nil : true } }

        func waitForOutcome() -> Result<Void, LibraryError>? { monitor.wait { $0.outcome } }

        func giveUp() { monitor.update { $0.goesOn = false } }
    }

    private let source = Source()
    private let downloads: RequestedDownloads

    init() { downloads = RequestedDownloads { [source] _, download in source.begin(download) } }

    private func expectError(
        _ code: LibraryError.Code,
        _ waiter: Waiter,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let outcome = waiter.waitForOutcome()
        #expect(sourceLocation: sourceLocation) {
            try outcome?.get()
        } throws: { error in
            (error as? LibraryError)?.code == code
        }
    }

    @Test func waitersShareADownload() async throws {
        try await HostWorld.blocking {
            let waiters = (0..<8).map { _ in Waiter(downloads, Self.content) }
            for waiter in waiters { waiter.waitForReport() }
            let begun = source.begun.withLock(\.self)
            #expect(begun.count == 1)
            let download = try #require(begun.first)
            download.note(received: 60)
            download.end(.success(()))
            for waiter in waiters {
                #expect(throws: Never.self) { try waiter.waitForOutcome()?.get() }
                let reports = waiter.monitor.withLock(\.reports)
                #expect(reports.last == 100)
                #expect(reports == reports.sorted())
            }
        }
    }

    @Test func theLastWaiterCancels() async throws {
        try await HostWorld.blocking {
            let first = Waiter(downloads, Self.content)
            let second = Waiter(downloads, Self.content)
            for waiter in [first, second] { waiter.waitForReport() }
            first.giveUp()
            expectError(.cancelled, first)
            #expect(source.cancelled.withLock(\.self) == 0)
            second.giveUp()
            expectError(.cancelled, second)
            _ = source.cancelled.wait { $0 == 1 ? true : nil }
            // Nobody joins a download that was canceled.
            let third = Waiter(downloads, Self.content)
            third.waitForReport()
            #expect(source.begun.withLock(\.count) == 2)
            third.giveUp()
            expectError(.cancelled, third)
        }
    }

    @Test func aFailureReachesAllAndIsForgotten() async throws {
        try await HostWorld.blocking {
            let waiters = (0..<2).map { _ in Waiter(downloads, Self.content) }
            for waiter in waiters { waiter.waitForReport() }
            let download = try #require(source.begun.withLock(\.first))
            download.end(.failure(LibraryError(.networkError, "The store is away.")))
            for waiter in waiters { expectError(.networkError, waiter) }
            let later = Waiter(downloads, Self.content)
            later.waitForReport()
            try #require(source.begun.withLock(\.last)).end(.success(()))
            #expect(throws: Never.self) { try later.waitForOutcome()?.get() }
            #expect(source.begun.withLock(\.count) == 2)
        }
    }

    @Test func aStopCancelsAll() async throws {
        try await HostWorld.blocking {
            let waiter = Waiter(downloads, Self.content)
            waiter.waitForReport()
            downloads.stop()
            expectError(.cancelled, waiter)
            expectError(.cancelled, Waiter(downloads, Self.content))
            #expect(source.begun.withLock(\.count) == 1)
            downloads.resume()
            let later = Waiter(downloads, Self.content)
            later.waitForReport()
            #expect(source.begun.withLock(\.count) == 2)
            later.giveUp()
            expectError(.cancelled, later)
        }
    }
}
