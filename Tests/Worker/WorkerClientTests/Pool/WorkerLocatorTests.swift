import Testing
import WorkerClient

@Suite(.timeLimit(.minutes(2)))
struct WorkerLocatorTests {
    private func locator(
        program: String? = "/opt/app/bin/tool",
        arguments: [String] = [],
        environment: [String: String] = [:],
        existing: Set<String>
    ) -> WorkerLocator {
        WorkerLocator(
            program: program,
            arguments: arguments,
            environment: environment,
            isExecutable: { existing.contains($0) }
        )
    }

    @Test func theEnvironmentComesFirst() throws {
        let found = try locator(
            environment: ["PHOTOS_WORKER": "/mine/worker"],
            existing: ["/mine/worker", "/opt/app/bin/photos-worker"]
        ).locate(configured: nil)
        #expect(found == "/mine/worker")
    }

    @Test func aWrongEnvironmentIsAnErrorNotAFallback() {
        let error = #expect(throws: WorkerError.self) {
            _ = try locator(
                environment: ["PHOTOS_WORKER": "/mine/worker"],
                existing: ["/opt/app/bin/photos-worker"]
            ).locate(configured: nil)
        }
        #expect(error?.message.contains("/mine/worker (PHOTOS_WORKER)") == true)
    }

    @Test(arguments: [
        "/opt/app/bin/photos-worker", "/opt/app/libexec/swift-photos/photos-worker",
        "/usr/local/libexec/swift-photos/photos-worker",
    ])
    func itLiesBesideTheProgramOrInItsPrefix(_ place: String) throws {
        #expect(try locator(existing: [place]).locate(configured: nil) == place)
    }

    @Test func itLiesBesideATestBundle() throws {
        let found = try locator(
            program: "/toolchain/swiftpm-testing-helper",
            arguments: ["helper", "--test-bundle-path", "/src/.build/debug/all.xctest"],
            existing: ["/src/.build/debug/photos-worker"]
        ).locate(configured: nil)
        #expect(found == "/src/.build/debug/photos-worker")
    }

    @Test func aConfiguredPathIsTheOnlyOne() {
        #expect(throws: WorkerError.self) {
            _ = try locator(existing: ["/opt/app/bin/photos-worker"])
                .locate(configured: "/elsewhere")
        }
    }
}
