import Foundation

/// A library with keys of its own, used by the command as a person does.
struct CloudComputer {
    let folder: URL
    let library: String

    /// Creates an empty library in a folder.
    init(_ folder: URL) throws {
        self.folder = folder
        library = folder.path + "/Test.photolibrary"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try run("create")
    }

    /// Uses a library that exists; the keys are in `folder`.
    init(_ folder: URL, library: String) throws {
        self.folder = folder
        self.library = library
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Creates a cloud library, and returns its recovery code.
    func createCloud(at address: [String]) throws -> String {
        let made = try run(["cloud", "create"] + address + ["--json"])
        guard let line = made.split(separator: "\n").last,
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let code = object["recoveryCode"] as? String
        else { throw BenchmarkError(description: "There is no recovery code.") }
        return code
    }

    func joinCloud(at address: [String], with code: String) throws {
        let secret = folder.appendingPathComponent("code")
        try Data(code.utf8).write(to: secret)
        try run(["cloud", "join"] + address + ["--passphrase-file", secret.path])
    }

    @discardableResult
    func run(_ arguments: String...) throws -> String { try run(arguments) }

    @discardableResult
    func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = try Probe.neighbor("photos")
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        for name in ["STATE", "CONFIG", "CACHE", "DATA"] {
            environment["XDG_\(name)_HOME"] = folder.path + "/" + name.lowercased()
        }
        environment["XDG_RUNTIME_DIR"] = folder.path
        environment["PHOTOS_LIBRARY"] = library
        process.environment = environment
        return String(
            decoding: try Probe.output(of: process, named: "photos"),
            as: UTF8.self
        )
    }
}

/// A place for cloud libraries: a folder, or a bucket that `S3_ENDPOINT` and its companions name.
struct CloudBenchmarkStore {
    var name: String
    /// The address for `photos cloud` without its last part, with options; empty for a folder.
    private var address: [String] = []
    /// The address for rclone; empty for a folder.
    var remote = ""
    /// The environment for rclone.
    var variables: [String: String] = [:]

    /// A folder and, if the environment names one, a bucket.
    static var all: [CloudBenchmarkStore] {
        let environment = ProcessInfo.processInfo.environment
        let folder = CloudBenchmarkStore(name: "folder")
        guard let endpoint = environment["S3_ENDPOINT"], let region = environment["S3_REGION"],
            let bucket = environment["S3_BUCKET"]
        else { return [folder] }
        let prefix = "benchmark-\(UUID().uuidString.lowercased())"
        return [
            folder,
            CloudBenchmarkStore(
                name: "bucket",
                address: [
                    "s3://\(bucket)/\(prefix)", "--endpoint", endpoint, "--region", region,
                ],
                remote: "bucket:\(bucket)/\(prefix)-peer",
                variables: [
                    "RCLONE_CONFIG_BUCKET_TYPE": "s3",
                    "RCLONE_CONFIG_BUCKET_PROVIDER": "Ceph",
                    "RCLONE_CONFIG_BUCKET_ENDPOINT": endpoint,
                    "RCLONE_CONFIG_BUCKET_REGION": region,
                    "RCLONE_CONFIG_BUCKET_ENV_AUTH": "true",
                ]
            ),
        ]
    }

    /// Returns the arguments that name a new place for `photos cloud`.
    func address(in folder: URL, number: Int) throws -> [String] {
        guard let first = address.first else {
            let place = folder.appendingPathComponent("store")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            return ["file://" + place.path]
        }
        return ["\(first)-\(number)"] + address.dropFirst()
    }
}
