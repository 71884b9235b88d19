import Testing
import ObjectStorage
import TestSupport

/// The stores of the conformance suite.
enum StoreUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case directory
    /// Ceph's gateway.
    case gateway

    /// The stores that can run here.
    static let available = allCases.filter { $0 != .gateway || CephGateway.isAvailable }

    /// The stores that a replica of S3 does not stand behind.
    static let local: [StoreUnderTest] = [.memory, .directory]

    var testDescription: String { rawValue }

    /// Runs a test with a new, empty store and a second connection to it.
    func run(
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

/// The time limit of a request that is expected to succeed.
let limit: Duration = .seconds(60)

extension ObjectStore {
    /// Writes bytes under a new key.
    @discardableResult func write(
        _ key: String,
        _ bytes: [UInt8],
        mode: PutMode = .create
    ) async throws -> StoreReceipt {
        try await put(ObjectKey(key), from: ObjectSource(bytes), mode: mode, timeout: limit)
    }

    /// Reads an object of at most 64 MiB.
    func read(_ key: String, _ range: Range<Int64>? = nil) async throws -> [UInt8] {
        try await bytes(of: ObjectKey(key), range: range, limit: 64 << 20, timeout: limit)
    }

    /// Lists the keys of a prefix, or all.
    func keys(_ prefix: String = "", after key: String? = nil) async throws -> [String] {
        try await list(
            prefix.isEmpty ? .all : ObjectPrefix(prefix),
            after: key.map { try ObjectKey($0) },
            timeout: limit
        ).map(\.key.text)
    }

    @discardableResult func remove(_ key: String) async throws -> StoreReceipt {
        try await delete(ObjectKey(key), timeout: limit)
    }
}

/// Bytes that differ at each position and compress badly.
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}
