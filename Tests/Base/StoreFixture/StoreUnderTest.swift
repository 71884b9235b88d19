internal import Foundation
package import ObjectStorage
internal import CloudStoreClient
internal import StoreClients
internal import StoreProtocol
internal import TestSupport
internal import Testing

/// The stores of the conformance suite.
package enum StoreUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case directory
    /// A directory by way of `photos-cloud`.
    case process
    /// Ceph's gateway.
    case gateway
    /// Ceph's gateway by way of `photos-cloud`.
    case gatewayByProcess

    /// The stores that can run here.
    package static let available = allCases.filter { !$0.isGateway || CephGateway.isAvailable }

    /// The stores that a replica of S3 does not stand behind.
    package static let local: [StoreUnderTest] = [.memory, .directory, .process]

    /// Indicates whether Ceph's gateway has the objects.
    package var isGateway: Bool { self == .gateway || self == .gatewayByProcess }

    /// Indicates whether a directory has the objects.
    package var isDirectory: Bool { self == .directory || self == .process }

    package var testDescription: String { rawValue }

    /// Runs a test with a new, empty store and a second connection to it.
    package func run(
        _ body: @Sendable (_ store: any ObjectStore, _ second: any ObjectStore) async throws -> Void
    ) async throws {
        switch self {
        case .memory:
            let store = MemoryStore()
            try await body(store, store.secondClient())
        case .directory:
            let folder = try TemporaryFolder("photos-store")
            let first = try await DirectoryStore.open(folder.path, marker: nil, timeout: limit)
            let second = try await DirectoryStore.open(folder.path, marker: nil, timeout: limit)
            try await body(first, second)
            withExtendedLifetime(folder) {}
        case .process:
            let folder = try TemporaryFolder("photos-store")
            try await run(byProcess: .directory(path: folder.path, marker: nil), body)
            withExtendedLifetime(folder) {}
        case .gatewayByProcess:
            let prefix = "conformance/\(DirectoryStore.systemRandomName())/"
            let settings = try await CephGateway.shared.settings()
            try await run(byProcess: .s3(settings.place(prefix: prefix)), body)
        case .gateway:
            let prefix = "conformance/\(DirectoryStore.systemRandomName())/"
            let stores = try await (
                CephGateway.shared.store(prefix), CephGateway.shared.store(prefix)
            )
            do {
                try await body(stores.0, stores.1)
            } catch {
                await stores.0.close()
                await stores.1.close()
                throw error
            }
            await stores.0.close()
            await stores.1.close()
        }
    }
}

extension StoreUnderTest {
    private func run(
        byProcess place: StorePlace,
        _ body: @Sendable (any ObjectStore, any ObjectStore) async throws -> Void
    ) async throws {
        let stores = (
            ProcessStore(place, program: BuiltProducts.cloud.path),
            ProcessStore(place, program: BuiltProducts.cloud.path)
        )
        do {
            try await body(stores.0, stores.1)
        } catch {
            await stores.0.close()
            await stores.1.close()
            throw error
        }
        await stores.0.close()
        await stores.1.close()
    }
}

/// The time limit of a request that is expected to succeed.
package let limit: Duration = .seconds(60)

extension ObjectStore {
    /// Writes bytes under a new key.
    @discardableResult package func write(
        _ key: String,
        _ bytes: [UInt8],
        mode: PutMode = .create
    ) async throws -> StoreReceipt {
        try await put(ObjectKey(key), from: ObjectSource(bytes), mode: mode, timeout: limit)
    }

    /// Reads an object of at most 64 MiB.
    package func read(_ key: String, _ range: Range<Int64>? = nil) async throws -> [UInt8] {
        try await bytes(of: ObjectKey(key), range: range, limit: 64 << 20, timeout: limit)
    }

    /// Lists the keys of a prefix, or all.
    package func keys(_ prefix: String = "", after key: String? = nil) async throws -> [String] {
        try await list(
            prefix.isEmpty ? .all : ObjectPrefix(prefix),
            after: key.map { try ObjectKey($0) },
            timeout: limit
        ).map(\.key.text)
    }

    @discardableResult package func remove(_ key: String) async throws -> StoreReceipt {
        try await delete(ObjectKey(key), timeout: limit)
    }
}

/// Bytes that differ at each position and compress badly.
package func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}
