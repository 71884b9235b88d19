import CloudSync
import EmbeddedLibrary
import LibraryService
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import RenditionFixture
import TestSupport
import Testing

@testable import CloudHost

/// Requests about a cloud library, as the command sends them.
@Suite(.timeLimit(.minutes(3))) struct CloudServiceTests {
    private let settings = StoreSettings(address: .directory("/memory"))

    @Test func theStatusNamesTheDevice() async throws {
        let world = try HostWorld(MemoryStore())
        let service = world.service()
        #expect(try await world.ask(service, .status).status.state == .none)
        let made = try await world.ask(
            service,
            .create(settings, passphrase: nil, name: "Laptop")
        )
        #expect(made.recoveryCode?.isEmpty == false)
        let device = try #require(try world.engine.cloudMembership()?.device.hexadecimal)
        #expect(made.status.state == .idle && made.status.device == device)
        let devices = try #require(try await world.ask(service, .devices).devices)
        #expect(devices.map(\.device) == [device])
        #expect(devices.map(\.name) == ["Laptop"] && devices.map(\.isThisDevice) == [true])
        service.stop()
    }

    @Test func retiringADeviceReturnsTheNewRecoveryCode() async throws {
        let store = MemoryStore()
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        let former = try await first.create()
        try await second.join(with: former)
        try await second.sync()
        let service = first.service()
        let reply = try await first.ask(service, .retire(device: "Other", passphrase: nil))
        let code = try #require(reply.recoveryCode)
        #expect(code != former)
        let devices = try #require(try await first.ask(service, .devices).devices)
        #expect(devices.filter(\.isRetired).map(\.name) == ["Other"])
        service.stop()
        let third = try HostWorld(store)
        try await third.join(with: code)
    }

    @Test func aPathWithoutASlashIsRefused() async throws {
        let world = try HostWorld(MemoryStore())
        let service = world.service()
        let request = CloudRequest(library: "Pictures/Photos", action: .status)
        let error = #expect(throws: LibraryError.self) { try service.answer(request) }
        #expect(error?.code == .invalidRequest)
    }

    /// The daemon ends after the sessions that are under way.
    @Test func stoppingWaitsForASession() async throws {
        let gate = StoreGate()
        let held = Monitor(false)
        let isHolding = Monitor(false)
        let store = MemoryStore { request in
            guard request.verb == .list, isHolding.withLock(\.self) else { return nil }
            held.update { $0 = true }
            return .held(gate)
        }
        let world = try HostWorld(store)
        _ = try await world.create()
        isHolding.update { $0 = true }
        let service = world.service()
        let connection = service.connection(to: world.path)
        _ = try await world.ask(service, .sync)
        try await HostWorld.blocking { _ = held.wait { $0 ? true : nil } }
        let ended = Monitor<Int?>(nil)
        let isStarted = NamedThread.start("test-stop") {
            service.stop()
            let sessions = connection.monitor.withLock(\.status.sessions)
            ended.update { $0 = sessions }
        }
        #expect(isStarted)
        try await HostWorld.blocking {
            _ = ended.wait(before: .now + .milliseconds(50)) { $0 }
            gate.open()
            #expect(ended.wait(before: .now + .seconds(30)) { $0 } == 1)
        }
    }

    /// A program that stops waiting for a request does not keep the library busy.
    @Test func aCanceledVerificationEnds() async throws {
        let held = Monitor(false)
        let isHolding = Monitor(false)
        let store = MemoryStore { request in
            guard request.verb == .get, request.key?.text.hasPrefix("blob/") == true,
                isHolding.withLock(\.self)
            else { return nil }
            held.update { $0 = true }
            return .delay(.seconds(3_600))
        }
        let world = try HostWorld(store)
        _ = try world.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        _ = try await world.create()
        try await world.sync()
        let service = world.service()
        let action = CloudRequest.Action.verify(percent: 100, isRepairing: false)
        let request = CloudRequest(library: world.path, action: action)
        let cancellation = CallCancellation()
        isHolding.update { $0 = true }
        async let code: LibraryError.Code? = HostWorld.blocking {
            do throws(LibraryError) {
                _ = try CallContext(cancellation: cancellation).perform {
                    () throws(LibraryError) in
                    try service.answer(request)
                }
                return nil
            } catch {
                return error.code
            }
        }
        try await HostWorld.blocking { _ = held.wait { $0 ? true : nil } }
        cancellation.cancel()
        let ended = try await code
        #expect(ended == .cancelled)
        isHolding.update { $0 = false }
        #expect(try await world.ask(service, action).findings?.isEmpty == true)
        service.stop()
    }
}
