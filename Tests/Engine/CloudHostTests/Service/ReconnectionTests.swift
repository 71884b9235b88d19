import EmbeddedLibrary
import LibraryService
import ObjectStorage
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

@testable import CloudHost

/// Other credentials, and other addresses, of the same cloud library.
@Suite(.timeLimit(.minutes(3))) struct ReconnectionTests {
    /// A service whose stores have addresses, and whose bucket has credentials that change.
    private final class Places: Sendable {
        let stores: [String: MemoryStore]
        /// The credentials that the bucket accepts.
        let valid = Monitor(ReconnectionTests.keys("first"))
        let isReadOnly = Monitor(false)
        /// The credentials with which the bucket was opened.
        let opened = Monitor<[StoreCredentials?]>([])

        init(_ stores: [String: MemoryStore]) { self.stores = stores }

        var opener: StoreOpener {
            StoreOpener { [self] settings, _ throws(LibraryError) in
                opened.update { $0.append(settings.credentials) }
                if case .bucket = settings.address,
                    settings.credentials != valid.withLock(\.self)
                {
                    throw LibraryError(.noPermission, "Wrong keys.", recovery: "Use others.")
                }
                return (stores[settings.address.text] ?? MemoryStore()).secondClient()
            }
        }
    }

    private static let bucket = StoreAddress.bucket(
        S3Address(bucket: "photos", endpoint: "https://s3.example.org", region: "here")
    )

    private static func keys(_ name: String) -> StoreCredentials {
        .keys(access: name, secret: name + "-secret", token: nil)
    }

    /// Makes a cloud library in the bucket.
    private func makeLibrary(
        _ places: Places
    ) async throws -> (world: HostWorld, service: CloudService) {
        let world = try HostWorld(MemoryStore())
        let service = world.service(opener: places.opener)
        let settings = StoreSettings(address: Self.bucket, credentials: Self.keys("first"))
        _ = try await world.ask(service, .create(settings, passphrase: nil, name: "Laptop"))
        return (world, service)
    }

    private func stored(_ world: HostWorld) throws -> StoreSettings? {
        try StoredSettings(of: world.engine.libraryIdentifier(), in: world.secrets).read()?.store
    }

    private func failure(
        _ action: CloudRequest.Action,
        _ world: HostWorld,
        _ service: CloudService
    ) async throws -> LibraryError? {
        let before = try stored(world)
        let error = await #expect(throws: LibraryError.self) {
            try await world.ask(service, action)
        }
        #expect(try stored(world) == before)
        return error
    }

    /// A daemon that has the library open uses new credentials at once.
    @Test func newCredentialsAreCheckedAndUsed() async throws {
        let store = MemoryStore()
        let places = Places([Self.bucket.text: store])
        let (world, service) = try await makeLibrary(places)
        let connection = service.connection(to: world.path)
        _ = try #require(try connection.keep())
        _ = try await world.ask(service, .sync)
        try await HostWorld.blocking {
            let ended = connection.monitor.wait(before: .now + .seconds(30)) { state in
                state.status.sessions > 0 && !state.isBusy ? true : nil
            }
            #expect(ended == true)
        }
        places.valid.update { $0 = Self.keys("second") }
        let wrong = try await failure(.credentials(Self.keys("wrong")), world, service)
        #expect(wrong?.code == .noPermission)
        let sessions = connection.monitor.withLock(\.status.sessions)
        let reply = try await world.ask(service, .credentials(Self.keys("second")))
        #expect(reply.probe?.isEmpty == false)
        #expect(
            try stored(world)
                == StoreSettings(address: Self.bucket, credentials: Self.keys("second"))
        )
        try await HostWorld.blocking {
            let ended = connection.monitor.wait(before: .now + .seconds(30)) { state in
                state.status.sessions > sessions && !state.isBusy ? true : nil
            }
            #expect(ended == true)
        }
        #expect(connection.monitor.withLock(\.status.error) == nil)
        #expect(places.opened.withLock { $0.last } == Self.keys("second"))
        service.stop()
    }

    @Test func credentialsThatMayNotWriteAreRefused() async throws {
        let isReadOnly = Monitor(false)
        let store = MemoryStore { request in
            request.verb == .put && isReadOnly.withLock(\.self) ? .accessDenied : nil
        }
        let places = Places([Self.bucket.text: store])
        let (world, service) = try await makeLibrary(places)
        isReadOnly.update { $0 = true }
        places.valid.update { $0 = Self.keys("second") }
        let error = try await failure(.credentials(Self.keys("second")), world, service)
        #expect(error?.code == .noPermission)
        isReadOnly.update { $0 = false }
        _ = try await world.ask(service, .credentials(Self.keys("second")))
    }

    @Test func onlyTheSameCloudLibraryIsAccepted() async throws {
        let (store, other) = (MemoryStore(), MemoryStore())
        let places = Places([
            Self.bucket.text: store, "file:///moved": store, "file:///other": other,
        ])
        let (world, service) = try await makeLibrary(places)
        let another = try HostWorld(other)
        _ = try await another.create()
        for (place, reason) in [("/other", "Another"), ("/empty", "configuration")] {
            let settings = StoreSettings(address: .directory(place))
            let error = try await failure(.move(settings), world, service)
            #expect(error?.code == .volumeMissing)
            #expect(error?.reason?.contains(reason) == true, "\(String(describing: error))")
        }
        let moved = StoreSettings(address: .directory("/moved"))
        let reply = try await world.ask(service, .move(moved))
        #expect(try stored(world) == moved && reply.status.address == "file:///moved")
        let error = try await failure(.credentials(Self.keys("first")), world, service)
        #expect(error?.code == .changeNotSupported)
    }

    @Test func aLibraryInNoCloudLibraryIsRefused() async throws {
        let world = try HostWorld(MemoryStore())
        let service = world.service()
        for action in [
            CloudRequest.Action.credentials(Self.keys("first")),
            .move(StoreSettings(address: .directory("/memory"))),
        ] {
            let error = await #expect(throws: LibraryError.self) {
                try await world.ask(service, action)
            }
            #expect(error?.code == .changeNotSupported)
        }
    }
}
