import EmbeddedLibrary
import Foundation
import LibraryService
import PhotoLibrary
import PhotoModel
import RemoteLibrary
import RenditionFixture
import Testing

@testable import CloudHost

/// The library in a daemon.
extension HostWorld {
    private struct Libraries: CloudLibraries {
        let engine: LibraryEngine

        func open(_ path: String) -> CloudLease {
            CloudLease(engine: engine, holdsLock: { true }) {}
        }
    }

    /// A service with this library alone.
    func service(
        opener: StoreOpener? = nil,
        startThread: @escaping CloudService.ThreadStart = { NamedThread.start($0, $1) }
    ) -> CloudService {
        CloudService(
            of: Libraries(engine: engine),
            secrets: secrets,
            opener: opener ?? self.opener,
            startThread: startThread
        )
    }

    var path: String { world.store.bundle.root }

    /// Runs what blocks its thread on a thread of its own.
    static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let isStarted = NamedThread.start("blocking") {
                continuation.resume(with: Swift.Result { try body() })
            }
            if !isStarted { continuation.resume(throwing: CocoaError(.executableLoad)) }
        }
    }

    /// Sends a request to a service.
    func ask(
        _ service: CloudService,
        _ action: CloudRequest.Action
    ) async throws -> CloudReply {
        let request = CloudRequest(library: path, action: action)
        return try await Self.blocking { try service.answer(request) }
    }

    /// The files of downloads in the library's staging folder.
    var stagedFiles: [String] {
        (FileManager.default.enumerator(atPath: world.store.bundle.staging)?.allObjects ?? [])
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".part") }
    }
}
