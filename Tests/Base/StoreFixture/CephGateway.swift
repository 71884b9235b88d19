internal import Foundation
package import ObjectStorage
package import StoreClients
package import StoreProtocol
internal import TestSupport

/// A real S3 endpoint: Ceph's gateway on this computer, started once for all tests.
///
/// The tests use a running one if `S3_ENDPOINT` is set, as by the tool's own output. Otherwise they
/// start one if the tool is next to the checkout and Ceph is installed, as by `Scripts/setup --ci`;
/// with `PHOTOS_CEPH=1` the tool installs it. It has fixed ports, so one process at a time uses it.
package actor CephGateway {
    package static let shared = CephGateway()

    private static let tool = SharedData.sharedFolder.appendingPathComponent("tools/ceph-s3").path
    private static let environment = ProcessInfo.processInfo.environment
    private static let folder = NSTemporaryDirectory() + "photos-ceph"

    package static let isAvailable: Bool = {
        if environment["S3_ENDPOINT"] != nil { return true }
        guard FileManager.default.fileExists(atPath: tool) else { return false }
        return environment["PHOTOS_CEPH"] == "1" || ProcessRunner.path(of: "radosgw") != nil
    }()

    /// The reason of skipping.
    package static let explanation =
        "Ceph is not installed; PHOTOS_CEPH=1 installs it with the tool ceph-s3 in ../shared/tools."

    private var starting: Task<Settings, any Error>?

    /// The address of the gateway.
    package struct Settings: Sendable {
        package var endpoint: String
        package var region: String
        package var bucket: String
        package var credentials: S3Credentials

        /// A file of credentials that has them as its default.
        package var credentialsFile: String {
            """
            [default]
            aws_access_key_id = \(credentials.accessKey)
            aws_secret_access_key = \(credentials.secretKey)
            """
        }

        /// Returns the place for `photos-cloud`.
        package func place(prefix: String) -> S3Place {
            S3Place(
                endpoint: endpoint,
                region: region,
                bucket: bucket,
                prefix: prefix,
                credentials: credentials
            )
        }
    }

    /// Creates a client of the bucket below a prefix.
    package func store(
        _ prefix: String,
        change: @Sendable (inout S3Configuration) throws -> Void = { _ in }
    ) async throws -> S3Store {
        let settings = try await settings()
        var configuration = try S3Configuration(
            endpoint: S3Endpoint(settings.endpoint),
            region: settings.region,
            bucket: settings.bucket,
            prefix: prefix,
            credentials: settings.credentials
        )
        try change(&configuration)
        return try S3Store(configuration)
    }

    /// Returns the address, after starting the gateway if necessary.
    package func settings() async throws -> Settings {
        if let starting { return try await starting.value }
        let task = Task.detached { try Self.start() }
        starting = task
        return try await task.value
    }

    /// Suspends the gateway's process, or continues it.
    ///
    /// No thread of a suspended gateway runs on return.
    package func pause(_ isPaused: Bool) async throws {
        let verb = isPaused ? "pause" : "resume"
        _ = try ProcessRunner.run("bash", [Self.tool, verb, Self.folder])
        guard isPaused else { return }
        let file = Self.folder + "/run/client.rgw.pid"
        let identifier = try String(contentsOfFile: file, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        for _ in 0..<1_000 where !Self.isSuspended(identifier) {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Returns whether all threads of a process are stopped.
    private static func isSuspended(_ process: String) -> Bool {
        let tasks = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.allSatisfy { thread in
            // The state follows the name, which is in parentheses.
            let line = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8)
            guard let line, let end = line.lastIndex(of: ")") else { return true }
            return line[end...].dropFirst(2).first == "T"
        }
    }

    /// Indicates whether the tests started the gateway, so that they may suspend it.
    package static let isOwn = isAvailable && environment["S3_ENDPOINT"] == nil

    private static func start() throws -> Settings {
        if let settings = settings(environment) { return settings }
        // A test run that was killed leaves its processes and its folder.
        _ = try ProcessRunner.run("bash", [tool, "stop", folder])
        atexit {
            _ = try? ProcessRunner.run("bash", [CephGateway.tool, "stop", CephGateway.folder])
        }
        var output = try run()
        if output.status != 0 {
            _ = try ProcessRunner.run("bash", [tool, "stop", folder])
            output = try run()
        }
        var values: [String: String] = [:]
        for line in output.lines where line.hasPrefix("export ") {
            let parts = line.dropFirst(7).split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
        }
        guard let settings = settings(values) else {
            throw CocoaError(.featureUnsupported, userInfo: ["output": output.errorText])
        }
        return settings
    }

    /// Runs the tool, and starts the storage daemon again if it ends.
    ///
    /// On a busy computer, the daemon may ask the monitor before it has read the cluster's
    /// identifier. It is then refused (“wrong fsid”) and ends, and the gateway never starts.
    /// Foundation takes a program for running as long as another one has its descriptors, so the
    /// daemons must not inherit them.
    private static func run() throws -> ProcessRunner.Output {
        let script = """
            for file in /proc/$$/fd/*; do
                number=${file##*/}
                [ "$number" -le 2 ] || eval "exec $number>&-"
            done
            bash "$1" start "$2" & start=$!
            while kill -0 $start 2>/dev/null; do
                if grep -qs "wrong fsid" "$2/osd.0.log"; then
                    rm "$2/osd.0.log"
                    CEPH_CONF="$2/ceph.conf" ceph-osd -i 0 >&2
                fi
                sleep 0.5
            done
            wait $start
            """
        return try ProcessRunner.run(
            "timeout",
            ["--kill-after=5", "150", "bash", "-c", script, "bash", tool, folder]
        )
    }

    private static func settings(_ values: [String: String]) -> Settings? {
        guard let endpoint = values["S3_ENDPOINT"], let region = values["S3_REGION"],
            let bucket = values["S3_BUCKET"], let access = values["AWS_ACCESS_KEY_ID"],
            let secret = values["AWS_SECRET_ACCESS_KEY"]
        else { return nil }
        return Settings(
            endpoint: endpoint,
            region: region,
            bucket: bucket,
            credentials: S3Credentials(accessKey: access, secretKey: secret)
        )
    }
}
