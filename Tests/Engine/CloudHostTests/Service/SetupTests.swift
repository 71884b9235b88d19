import EmbeddedLibrary
import LibraryService
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import Testing

@testable import CloudHost

/// Creations of cloud libraries, and devices that join, which fail or are canceled.
@Suite(.timeLimit(.minutes(5))) struct SetupTests {
    private static let passphrase = "the passphrase"

    private let settings = StoreSettings(address: .directory("/memory"))
    private let gate = StoreGate()
    /// The folder in which writes wait at the gate; nil for none.
    private let held = Monitor<String?>(nil)
    private let isWaiting = Monitor(false)

    /// Makes a store that holds the writes in a folder.
    private func makeStore() -> MemoryStore {
        MemoryStore { [gate, held, isWaiting] request in
            guard request.verb == .put, let folder = held.withLock({ $0 }),
                request.key?.text.hasPrefix(folder) == true
            else { return nil }
            isWaiting.update { $0 = true }
            return .held(gate)
        }
    }

    /// Sends a request, and cancels it while the store holds a write in a folder.
    private func answer(
        to request: CloudRequest,
        by service: CloudService,
        canceledIn folder: String
    ) async throws -> CloudReply {
        let cancellation = CallCancellation()
        held.update { $0 = folder }
        async let reply: CloudReply = HostWorld.blocking {
            try CallContext(cancellation: cancellation).perform { () throws(LibraryError) in
                try service.answer(request)
            }
        }
        try await HostWorld.blocking { [isWaiting] in
            _ = isWaiting.wait { $0 ? true : nil }
        }
        cancellation.cancel()
        gate.open()
        return try await reply
    }

    private func creation(in world: HostWorld) -> CloudRequest {
        CloudRequest(
            library: world.path,
            action: .create(settings, passphrase: nil, name: "First")
        )
    }

    @Test(arguments: ["keys/", "member/", "config/"])
    func aCreationThatWritesIsCompleted(_ folder: String) async throws {
        let store = makeStore()
        let world = try HostWorld(store)
        let service = world.service()
        let reply = try await answer(
            to: creation(in: world),
            by: service,
            canceledIn: folder
        )
        service.stop()
        let code = try #require(reply.recoveryCode)
        let library = try #require(try world.engine.cloudMembership()?.library)
        let other = try HostWorld(store)
        try await other.join(with: code)
        #expect(try other.engine.cloudMembership()?.library == library)
    }

    @Test func aDeviceThatIsAdmittedHasJoined() async throws {
        let store = makeStore()
        let first = try HostWorld(store)
        let code = try await first.create()
        let other = try HostWorld(store)
        let service = other.service()
        let request = CloudRequest(
            library: other.path,
            action: .join(settings, secret: .recoveryCode(code), name: "Other")
        )
        _ = try await answer(to: request, by: service, canceledIn: "member/")
        service.stop()
        let library = try #require(try first.engine.cloudMembership()?.library)
        #expect(try other.engine.cloudMembership()?.library == library)
        try await other.sync()
    }

    @Test func aCreationThatChecksTheStoreEnds() async throws {
        let store = makeStore()
        let world = try HostWorld(store)
        let service = world.service()
        let error = await #expect(throws: LibraryError.self) {
            try await answer(to: creation(in: world), by: service, canceledIn: "probe/")
        }
        service.stop()
        #expect(error?.code == .cancelled)
        #expect(try world.engine.cloudMembership() == nil)
        #expect(try await CloudObjectReader(store.secondClient()).names(in: "keys").isEmpty)
        let left = try await store.list(ObjectPrefix("probe/"), timeout: .seconds(10))
        #expect(left.isEmpty)
    }

    /// The store keeps the key object of the cloud library that was not completed, which the same
    /// passphrase opens.
    @Test func aFailedCreationPreventsNobodyFromJoiningTheNextOne() async throws {
        let isFailing = Monitor(true)
        let store = MemoryStore { request in
            guard request.verb == .put, request.key?.text.hasPrefix("config/") == true,
                isFailing.withLock({ $0 })
            else { return nil }
            return .serverFault
        }
        let world = try HostWorld(store)
        for _ in 0..<3 {
            await #expect(throws: LibraryError.self) {
                _ = try await world.create(passphrase: Self.passphrase)
            }
        }
        isFailing.update { $0 = false }
        let code = try await world.create(passphrase: Self.passphrase)
        let names = try await CloudObjectReader(store.secondClient()).names(in: "keys")
        #expect(names.count == 4)
        let library = try #require(try world.engine.cloudMembership()?.library)
        let secrets: [CloudSecret] = [.recoveryCode(code), .passphrase(Self.passphrase)]
        for secret in secrets {
            let other = try HostWorld(store)
            try await other.join(secret)
            try await other.sync()
            #expect(try other.engine.cloudMembership()?.library == library)
        }
    }
}
