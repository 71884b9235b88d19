import FoundationEssentials
import ObjectStorage
import StoreClients
import StoreFixture

/// An S3 store whose service is a scripted server.
struct ScriptedStore: Sendable {
    let server: ScriptedServer
    let store: S3Store
    let clock: PatientClock

    /// The time limit of calls that end by themselves.
    static let long: Duration = .seconds(1000)

    /// Runs a test with a server, and closes both at its end.
    static func run(
        readsBodies: Bool = true,
        change: @Sendable (inout S3Configuration) -> Void = { _ in },
        script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step],
        _ body: @Sendable (ScriptedStore) async throws -> Void
    ) async throws {
        let server = try ScriptedServer(readsBodies: readsBodies, script)
        let clock = PatientClock()
        var configuration = try S3Configuration(
            endpoint: S3Endpoint("http://127.0.0.1:\(server.port)"),
            region: "test",
            bucket: "bucket",
            prefix: "prefix/",
            credentials: S3Credentials(accessKey: "access", secretKey: "hush-hush")
        )
        configuration.clock = clock.clocks()
        configuration.retry.random = { 0.5 }
        change(&configuration)
        let store = try S3Store(configuration)
        do {
            try await body(ScriptedStore(server: server, store: store, clock: clock))
        } catch {
            await store.close()
            server.stop()
            throw error
        }
        await store.close()
        server.stop()
    }

    @discardableResult func put(
        _ bytes: [UInt8],
        timeout: Duration = long
    ) async throws -> StoreReceipt {
        try await store.put(
            ObjectKey("log/1"),
            from: ObjectSource(bytes),
            mode: .create,
            timeout: timeout
        )
    }

    func get(
        _ range: Range<Int64>? = nil,
        limit: Int = 1 << 20,
        timeout: Duration = long
    ) async throws -> [UInt8] {
        try await store.bytes(of: ObjectKey("log/1"), range: range, limit: limit, timeout: timeout)
    }

    func keys() async throws -> [String] {
        try await store.list(.all, timeout: Self.long).map(\.key.text)
    }
}
