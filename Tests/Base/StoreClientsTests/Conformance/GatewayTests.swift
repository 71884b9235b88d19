import Foundation
import ObjectStorage
import StoreClients
import StoreFixture
import Testing
import TestSupport

/// Failures of a real service: Ceph's gateway.
@Suite(
    .enabled(if: CephGateway.isAvailable, Comment(rawValue: CephGateway.explanation)),
    .timeLimit(.minutes(3))
) struct GatewayTests {
    private let prefix = "gateway/\(DirectoryStore.systemRandomName())/"

    /// Runs a test with a changed client.
    private func run(
        _ change: @escaping @Sendable (inout S3Configuration) throws -> Void = { _ in },
        _ body: @Sendable (S3Store) async throws -> Void
    ) async throws {
        let store = try await CephGateway.shared.store(prefix, change: change)
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// Returns the code with which a PUT fails.
    private func refusal(
        _ change: @escaping @Sendable (inout S3Configuration) throws -> Void
    ) async throws -> ObjectStoreError? {
        // Written by the only task inside, and read after it.
        nonisolated(unsafe) var error: ObjectStoreError?
        try await run(change) { store in
            error = await #expect(throws: ObjectStoreError.self) {
                try await store.write("log/1", [1])
            }
        }
        return error
    }

    @Test func wrongSecretIsRefused() async throws {
        let error = try await refusal { configuration in
            let settings = configuration.credentials
            configuration.credentials = S3Credentials(
                accessKey: "photos-access",
                secretKey: "wrong-\("\(settings)".count)"
            )
        }
        #expect(error?.code == .wrongCredentials)
        #expect(error?.hasUnknownOutcome == false)
        #expect(error?.description.contains("wrong-") == false)
    }

    @Test func unknownAccessKeyIsRefused() async throws {
        let error = try await refusal {
            $0.credentials = S3Credentials(accessKey: "nobody", secretKey: "nothing")
        }
        #expect(error?.code == .wrongCredentials)
    }

    @Test func missingBucketIsAnAbsentStore() async throws {
        for action in 0..<3 {
            try await run {
                $0.bucket = "photos-missing"
            } _: { store in
                let error = await #expect(throws: ObjectStoreError.self) {
                    switch action {
                    case 0: try await store.write("log/1", [1])
                    case 1: _ = try await store.read("log/1")
                    default: _ = try await store.keys()
                    }
                }
                #expect(error?.code == .storeAbsent, "\(error?.description ?? "")")
            }
        }
    }

    @Test(arguments: [-400.0, 400.0]) func wrongClockIsCorrected(_ days: Double) async throws {
        try await run { configuration in
            configuration.clock = StoreClock(ContinuousClock()) { Date() + days * 86_400 }
        } _: { store in
            let receipt = try await store.write("log/1", [1])
            #expect(try await store.read("log/1") == [1])
            let date = try #require(receipt.serverDate)
            #expect(abs(date.timeIntervalSinceNow) < 60)
        }
    }

    @Test func largeFilesGoInPartsAndComeBack() async throws {
        let folder = try TemporaryFolder("photos-large")
        let bytes = pattern(11 << 20)
        let file = try folder.write(Data(bytes), to: "large")
        let descriptor = open(file.path, O_RDONLY)
        let source = try ObjectSource(descriptor: descriptor, range: 0..<11 << 20)
        close(descriptor)
        try await run { configuration in
            configuration.multipartThreshold = 6 << 20
            configuration.partSize = 5 << 20
        } _: { store in
            let key = try ObjectKey("blob/1")
            var wrong = source
            wrong.expectedMD5 = try MD5Digest(of: [])
            let refused = wrong
            let error = await #expect(throws: ObjectStoreError.self) {
                _ = try await store.put(key, from: refused, mode: .create, timeout: limit)
            }
            #expect(error?.code == .damaged)
            _ = try await store.put(key, from: source, mode: .create, timeout: limit)
            #expect(try await store.read("blob/1") == bytes)
            #expect(try await store.unfinishedUploads(below: .all, timeout: limit).isEmpty)
        }
        withExtendedLifetime(folder) {}
    }

    @Test(.enabled(if: CephGateway.isOwn, "Another program started the gateway."))
    func pausedGatewayIsSlowAndNothingIsLost() async throws {
        try await run {
            $0.idleTimeout = .seconds(2)
        } _: { store in
            try await store.write("log/0", [0])
            try await CephGateway.shared.pause(true)
            let error = await #expect(throws: ObjectStoreError.self) {
                _ = try await store.put(
                    ObjectKey("log/1"),
                    from: ObjectSource([1]),
                    mode: .create,
                    timeout: .seconds(1)
                )
            }
            try await CephGateway.shared.pause(false)
            #expect(error?.code == .timedOut)
            #expect(error?.hasUnknownOutcome == true)
            try await store.write("log/1", [1])
            #expect(try await store.keys() == ["log/0", "log/1"])
        }
    }
}
