import Foundation
import Glibc
import ImagePipeline
import LibraryService
import PhotoModel
import ProgramAccess
import RenditionFixture
import TestSupport
import Testing

@testable import EmbeddedLibrary
@testable import PhotoLibrary

/// Several clients of one engine: they share work, and nothing else.
@Suite(.timeLimit(.minutes(2))) struct ClientSessionTests {
    private let world: ClientWorld

    init() throws {
        world = try ClientWorld()
    }

    private static func image(_ uuid: String, ticket: CallTicket? = nil) -> ImageRequest {
        let shape = PixelShape(size: PixelSize(width: 200, height: 200))
        return ImageRequest(assetUUID: uuid, shape: shape, ticket: ticket)
    }

    private static func wait(until condition: () -> Bool) {
        while !condition() { sched_yield() }
    }

    // MARK: - Shared work

    @Test func equalImagesOfTwoClientsAreDecodedOnce() throws {
        let asset = try world.library.addPhoto(1)
        let worker = try GatedWorker(in: world.library.folder)
        let engine = try world.engine(worker: worker.executable)
        defer { engine.close() }
        let sessions = try [engine.session(), engine.session()]
        let requests = sessions.map { session in
            BackgroundCall { try session.image(Self.image(asset))?.0.pixels }
        }
        Self.wait { engine.imageWork.requestCount == 2 }
        #expect(engine.imageWork.count == 1)
        worker.open()
        let pixels = try requests.map { try #require(try $0.get()) }
        #expect(pixels[0] == pixels[1])
        #expect(worker.startCount == 1)
        for session in sessions { session.close() }
    }

    @Test func endingAClientCancelsItsRequestsAndLeavesThoseOfOthers() throws {
        let asset = try world.library.addPhoto(1)
        let worker = try GatedWorker(in: world.library.folder)
        let engine = try world.engine(worker: worker.executable)
        defer { engine.close() }
        let (first, second) = (try engine.session(), try engine.session())
        let kept = BackgroundCall { try first.image(Self.image(asset)) != nil }
        Self.wait { engine.imageWork.requestCount == 1 }
        // One with a ticket and one without.
        let dropped = [nil, CallTicket()].map { ticket in
            BackgroundCall { try second.image(Self.image(asset, ticket: ticket)) != nil }
        }
        Self.wait { engine.imageWork.requestCount == 3 }
        // The worker has not even started.
        second.close()
        for request in dropped {
            let error = #expect(throws: LibraryError.self) { try request.get() }
            #expect(error?.code == .cancelled)
        }
        worker.open()
        #expect(try kept.get())
        first.close()
    }

    // MARK: - The life of an engine

    @Test func theLastSessionClosesTheEngine() throws {
        let engine = try world.engine()
        let first = try engine.session()
        engine.close()
        let second = try first.openSession(SessionRequest())
        #expect(engine.sessionCount == 2)
        first.close()
        first.close()
        #expect(engine.sessionCount == 1)
        #expect(try second.status().version == 0)
        let error = #expect(throws: LibraryError.self) { try first.status() }
        #expect(error?.message.contains("is closed") == true)
        second.close()
        #expect(engine.sessionCount == 0)
        #expect(throws: LibraryError.self) { try engine.session() }
        #expect(throws: LibraryError.self) { try second.openSession(SessionRequest()) }
    }

    @Test func anEngineOutlivesItsSessionsUntilItsOpenerClosesIt() throws {
        let engine = try world.engine()
        try engine.session().close()
        let session = try engine.session()
        #expect(try session.status().version == 0)
        session.close()
        engine.close()
        engine.close()
        #expect(throws: LibraryError.self) { try engine.session() }
    }

    @Test func aReleasedSessionNoLongerCounts() throws {
        let engine = try world.engine()
        defer { engine.close() }
        do {
            let session = try engine.session()
            #expect(try session.status().version == 0)
        }
        #expect(engine.sessionCount == 0)
    }

    @Test func closingWaitsForCalls() throws {
        let worker = try GatedWorker(in: world.library.folder)
        let engine = try world.engine(worker: worker.executable)
        let session = try engine.session()
        engine.close()
        let file = Descriptor(owning: open(worker.executable, O_RDONLY | O_CLOEXEC))
        let call = BackgroundCall {
            try session.identify(IdentifyRequest(filename: "a.jpg"), file: file)
        }
        Self.wait { worker.startCount == 1 }
        let closing = BackgroundCall { session.close() }
        Self.wait { !session.isOpen }
        #expect(engine.sessionCount == 1)
        worker.open()
        try closing.get()
        #expect(try call.get().mediaType == nil)
        #expect(engine.sessionCount == 0)
    }

    // MARK: - What belongs to a client

    @Test func importsEndWithTheirSession() throws {
        let engine = try world.engine()
        defer { engine.close() }
        let before = world.stagingFolders
        let (first, second) = (try engine.session(), try engine.session())
        let number = try first.beginImport(ImportSessionRequest()).session
        #expect(world.stagingFolders.count == before.count + 1)
        // Its number means nothing to another client.
        let known = KnownFilesRequest(session: number, files: [])
        #expect(throws: LibraryError.self) { try second.knownFiles(known) }
        #expect(throws: LibraryError.self) {
            try second.endImport(ImportEndRequest(session: number))
        }
        #expect(try first.knownFiles(known).outcomes.isEmpty)
        second.close()
        #expect(world.stagingFolders.count == before.count + 1)
        first.close()
        #expect(world.stagingFolders == before)
    }

    @Test func pinsEndWithTheirSession() throws {
        let engine = try world.engine()
        defer { engine.close() }
        let first = try #require(try engine.session() as? ClientSession)
        let second = try #require(try engine.session() as? ClientSession)
        let pin = try first.pin().pin
        try second.unpin(UnpinRequest(pin: pin))
        #expect(first.view.pins.reader(pin) != nil)
        first.close()
        #expect(first.view.pins.reader(pin) == nil)
        second.close()
    }

    // MARK: - Identity

    @Test func changesHaveTheAuthorOfTheirSession() throws {
        let asset = try world.library.addPhoto(1)
        let engine = try world.engine()
        defer { engine.close() }
        let owner = try engine.session(for: ClientIdentity(author: "first"))
        let program = try world.program("p", AccessChoice(readWrite: .authorized))
        let client = try engine.session(for: ClientIdentity(program: program, author: "second"))
        // A request that names somebody is a request without a name.
        let edit = ClientWorld.edit(asset) { $0.isFavorite = true }
        var object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(edit)) as? [String: Any]
        )
        object["author"] = "somebody else"
        object["origin"] = ["author": "somebody else", "time": 0]
        let forged = try JSONDecoder().decode(
            CommitRequest.self,
            from: JSONSerialization.data(withJSONObject: object)
        )
        _ = try client.commit(forged)
        _ = try owner.commit(ClientWorld.edit(asset) { $0.rating = 3 })
        _ = try owner.undo(UndoRequest())
        let named = try owner.openSession(SessionRequest(author: "third"))
        _ = try named.commit(ClientWorld.edit(asset) { $0.rating = 4 })
        named.close()
        let versions = try owner.history(HistoryRequest(since: 1, limit: .max)).versions
        #expect(versions.map(\.author) == ["second", "first", "first", "third"])
        // A program cannot choose a name.
        let error = #expect(throws: LibraryError.self) {
            try client.openSession(SessionRequest(author: "first"))
        }
        #expect(error?.code == .accessDenied)
        let same = try client.openSession(SessionRequest())
        _ = try same.commit(ClientWorld.edit(asset) { $0.rating = 5 })
        // Without a name, the author is this process.
        let plain = try engine.session()
        _ = try plain.commit(ClientWorld.edit(asset) { $0.rating = 1 })
        #expect(
            try owner.history(HistoryRequest(since: 5, limit: .max)).versions.map(\.author)
                == ["second", ProcessInfo.processInfo.processName]
        )
        for session in [plain, same, client, owner] { session.close() }
    }

    // MARK: - Permission

    @Test func eachSessionOfAnEngineHasItsOwnRights() throws {
        let assets = try (1...3).map { try world.library.addPhoto($0) }
        let (shown, hidden, selected) = (assets[0], assets[1], assets[2])
        let engine = try world.engine()
        defer { engine.close() }
        let owner = try engine.session()
        _ = try owner.commit(ClientWorld.edit(hidden) { $0.isHidden = true })
        let uuid = try owner.status().libraryUUID
        let limited = try world.program(
            "limited",
            AccessChoice(readWrite: .limited, selections: [uuid: [selected, hidden]])
        )
        let client = try engine.session(for: ClientIdentity(program: limited))
        let view = try owner.openSession(SessionRequest(restriction: .withoutHidden))
        #expect(try ClientWorld.visible(to: owner) == [shown, hidden, selected])
        #expect(try ClientWorld.visible(to: view) == [shown, selected])
        #expect(try ClientWorld.visible(to: client) == [selected])
        // A session opened from another one has at most its rights.
        let lifted = try view.openSession(SessionRequest(restriction: .none))
        #expect(try ClientWorld.visible(to: lifted) == [shown, selected])
        try world.access.change("limited") { $0.includesHidden = true }
        let narrowed = try client.openSession(SessionRequest(restriction: .withoutHidden))
        #expect(try ClientWorld.visible(to: client) == [selected, hidden])
        #expect(try ClientWorld.visible(to: narrowed) == [selected])
        #expect(throws: LibraryError.self) { try narrowed.beginImport(ImportSessionRequest()) }
        // An image that another client is shown is not shown to this one.
        #expect(try owner.image(Self.image(shown)) != nil)
        let error = #expect(throws: LibraryError.self) { try client.image(Self.image(shown)) }
        #expect(error?.code == .identifierNotFound)
        // A revoked permission ends with the next call, in this session only.
        try world.access.change("limited") { $0.set(.denied, for: .readWrite) }
        #expect(try ClientWorld.visible(to: client).isEmpty)
        #expect(try ClientWorld.visible(to: owner).count == 3)
        for session in [narrowed, lifted, view, client, owner] { session.close() }
    }

    @Test func aProgramCannotRaiseItsFetchLimit() throws {
        let engine = try world.engine()
        defer { engine.close() }
        let program = try world.program("p", AccessChoice(readWrite: .authorized))
        let client = try #require(
            try engine.session(for: ClientIdentity(program: program)) as? ClientSession
        )
        let owner = try #require(try engine.session() as? ClientSession)
        #expect(client.view.currentReadLimit == .seconds(5))
        #expect(owner.view.currentReadLimit == nil)
        for seconds in [nil, 60, .infinity, 1e300] as [Double?] {
            try client.limitFetches(FetchLimitRequest(seconds: seconds))
            #expect(client.view.currentReadLimit == .seconds(5))
        }
        try client.limitFetches(FetchLimitRequest(seconds: 1))
        #expect(client.view.currentReadLimit == .seconds(1))
        for seconds in [-Double.infinity, .nan, -1] {
            try client.limitFetches(FetchLimitRequest(seconds: seconds))
            #expect(client.view.currentReadLimit == .zero)
        }
        try owner.limitFetches(FetchLimitRequest(seconds: 60))
        #expect(owner.view.currentReadLimit == .seconds(60))
        for session in [client, owner] { session.close() }
    }
}

extension LibraryService {
    /// Indicates whether the session accepts calls.
    fileprivate var isOpen: Bool { (try? unpin(UnpinRequest(pin: 0))) != nil }
}
