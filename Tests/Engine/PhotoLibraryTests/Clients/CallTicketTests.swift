import Glibc
import ImagePipeline
import LibraryService
import PhotoModel
import RenditionFixture
import TestSupport
import Testing

@testable import EmbeddedLibrary

/// Cancellations of calls, in any order with the calls.
@Suite(.timeLimit(.minutes(2))) struct CallTicketTests {
    private let world: ClientWorld
    private let engine: LibraryEngine
    private let service: any LibraryService

    init() throws {
        world = try ClientWorld()
        engine = try world.engine()
        service = try engine.session()
    }

    private func isCancelled(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return (error as? LibraryError)?.code == .cancelled
        }
    }

    @Test func aCancellationBeforeItsCallCounts() throws {
        let asset = try world.library.addPhoto(1)
        let ticket = CallTicket()
        try service.cancel(CancelRequest(tickets: [ticket]))
        let request = ImageRequest(assetUUID: asset, shape: PixelShape(), ticket: ticket)
        for _ in 0..<2 { #expect(isCancelled { _ = try service.image(request) }) }
        #expect(
            isCancelled {
                _ = try service.buildRenditions(RenditionBuildRequest(side: 256, ticket: ticket))
            }
        )
        #expect(
            isCancelled {
                _ = try service.duplicates(DuplicatesRequest(patience: 9, ticket: ticket))
            }
        )
        var other = request
        other.ticket = CallTicket()
        #expect(try service.image(other) != nil)
        for patience in [Double.nan, .infinity, -1] {
            #expect(try service.duplicates(DuplicatesRequest(patience: patience)).remaining == 0)
        }
        // A cancellation after its call has no effect on others.
        if let ticket = other.ticket { try service.cancel(CancelRequest(tickets: [ticket])) }
        other.ticket = nil
        #expect(try service.image(other) != nil)
    }

    @Test func aCancellationDuringItsCallEndsIt() throws {
        let asset = try world.library.addPhoto(1)
        let worker = try GatedWorker(in: world.library.folder)
        let engine = try world.engine(worker: worker.executable)
        let (leader, service) = (try engine.session(), try engine.session())
        let request = ImageRequest(assetUUID: asset, shape: PixelShape(), ticket: CallTicket())
        let kept = BackgroundCall { try leader.image(request) != nil }
        while engine.imageWork.requestCount < 1 { sched_yield() }
        let ended = BackgroundCall { try service.image(request) != nil }
        while engine.imageWork.requestCount < 2 { sched_yield() }
        if let ticket = request.ticket { try service.cancel(CancelRequest(tickets: [ticket])) }
        #expect(isCancelled { _ = try ended.get() })
        // The same ticket of another client is another ticket.
        worker.open()
        #expect(try kept.get())
    }

    @Test func oldCancellationsAreForgotten() throws {
        let asset = try world.library.addPhoto(1)
        let tickets = (0..<1_025).map { CallTicket(number: UInt64($0)) }
        try service.cancel(CancelRequest(tickets: [tickets[0]]))
        for ticket in tickets.dropFirst() {
            try service.cancel(CancelRequest(tickets: [ticket, ticket]))
        }
        var request = ImageRequest(assetUUID: asset, shape: PixelShape(), ticket: tickets[0])
        #expect(try service.image(request) != nil)
        for ticket in [tickets[1], tickets[1_024]] {
            request.ticket = ticket
            #expect(isCancelled { _ = try service.image(request) })
        }
        // As many at once.
        try service.cancel(CancelRequest(tickets: (5_000..<9_000).map { CallTicket(number: $0) }))
        request.ticket = tickets[1_024]
        #expect(try service.image(request) != nil)
        request.ticket = CallTicket(number: 8_999)
        #expect(isCancelled { _ = try service.image(request) })
    }
}
