import Foundation
import PhotosManagement

/// Measures files on their way to a store and back, encrypted, as the command does it, against
/// `rclone crypt` with the same number of transfers at once.
///
/// The store is a folder and, if `S3_ENDPOINT` and its companions name one, a bucket.
struct CloudTransfer {
    let files: Int
    let rounds: Int
    let report: Report

    /// What the peer needs to know of a store.
    private struct Store {
        var name: String
        /// The address for `photos cloud`, with options.
        var address: [String]
        /// The address for rclone.
        var remote: String
        var variables: [String: String]
    }

    func run() throws {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-cloud-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let source = root.appendingPathComponent("source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        var bytes = 0
        let pictures = try BenchmarkPictures.jpegs(count: 8)
        for number in 0..<files {
            // Bytes after the end of a JPEG make another file of it.
            let data = pictures[number % pictures.count] + Data("\(number)".utf8)
            try data.write(to: source.appendingPathComponent("\(number).jpg"))
            bytes += data.count
        }
        for store in try stores() {
            var figures = (
                up: [Double](), down: [Double](), peerUp: [Double](), peerDown: [Double]()
            )
            for round in 0..<rounds {
                let folder = root.appendingPathComponent("\(store.name)-\(round)")
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true
                )
                let ours = try transfer(source, store, round, folder)
                let peer = try peer(source, store, round, folder)
                figures.up.append(ours.up)
                figures.down.append(ours.down)
                figures.peerUp.append(peer.up)
                figures.peerDown.append(peer.down)
                try FileManager.default.removeItem(at: folder)
            }
            let size = "\(files) files of \(bytes / files / 1_000) kB, \(store.name)"
            let rows = [
                ("uploaded", figures.up, figures.peerUp),
                ("downloaded", figures.down, figures.peerDown),
            ]
            for (verb, ours, peer) in rows {
                report.print(
                    Report.Case(
                        suite: "cloud",
                        name: "\(size): \(verb)",
                        ours: median(ours),
                        peer: median(peer),
                        peerName: "rclone crypt",
                        unit: "s",
                        limit: 1.25
                    )
                )
            }
        }
    }

    private func stores() throws -> [Store] {
        var stores = [
            Store(name: "folder", address: [], remote: "", variables: [:])
        ]
        let environment = ProcessInfo.processInfo.environment
        if let endpoint = environment["S3_ENDPOINT"], let region = environment["S3_REGION"],
            let bucket = environment["S3_BUCKET"]
        {
            let prefix = "benchmark-\(UUID().uuidString.lowercased())"
            stores.append(
                Store(
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
                )
            )
        }
        return stores
    }

    // MARK: - Ours

    /// Imports the files, and measures the sessions of two computers with one cloud library.
    private func transfer(
        _ source: URL,
        _ store: Store,
        _ round: Int,
        _ folder: URL
    ) throws -> (up: Double, down: Double) {
        var address = store.address
        if address.isEmpty {
            let place = folder.appendingPathComponent("store")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            address = ["file://" + place.path]
        } else {
            address[0] += "-\(round)"
        }
        let computers = try ["first", "second"].map {
            try Computer(folder.appendingPathComponent($0))
        }
        try computers[0].run("import", source.path)
        let made = try computers[0].run(["cloud", "create"] + address + ["--json"])
        guard let line = made.split(separator: "\n").last,
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let code = object["recoveryCode"] as? String
        else { throw BenchmarkError(description: "There is no recovery code.") }
        let up = try seconds { _ = try computers[0].run("cloud", "sync", "--once") }
        let secret = folder.appendingPathComponent("code")
        try Data(code.utf8).write(to: secret)
        try computers[1].run(
            ["cloud", "join"] + address + ["--passphrase-file", secret.path]
        )
        let down = try seconds { _ = try computers[1].run("cloud", "sync", "--once") }
        let status = try computers[1].run("list", "--json").split(separator: "\n").count
        guard status == files else {
            throw BenchmarkError(description: "\(status) of \(files) photos arrived.")
        }
        return (up, down)
    }

    /// A library with keys of its own.
    private struct Computer {
        let folder: URL

        init(_ folder: URL) throws {
            self.folder = folder
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try run("create")
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
            environment["PHOTOS_LIBRARY"] = folder.path + "/Test.photolibrary"
            process.environment = environment
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.standardError
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw BenchmarkError(
                    description: "photos \(arguments.joined(separator: " ")) failed."
                )
            }
            return String(decoding: data, as: UTF8.self)
        }
    }

    // MARK: - The peer

    private func peer(
        _ source: URL,
        _ store: Store,
        _ round: Int,
        _ folder: URL
    ) throws -> (up: Double, down: Double) {
        let remote =
            store.remote.isEmpty
            ? folder.appendingPathComponent("peer").path : store.remote + "-\(round)"
        let back = folder.appendingPathComponent("back").path
        let variables = store.variables
            .merging([
                "RCLONE_CONFIG_SEALED_TYPE": "crypt", "RCLONE_CONFIG_SEALED_REMOTE": remote,
                // An obscured password that was made for this benchmark.
                "RCLONE_CONFIG_SEALED_PASSWORD": "$(rclone obscure benchmark)",
            ]) { $1 }
            .map { "export \($0)=\"\($1)\"" }.sorted().joined(separator: "\n")
        let copy = "rclone copy --transfers 4 --checkers 4 --config /dev/null"
        let up = try seconds {
            try Shell.run(
                "set -e\n\(variables)\n\(copy) \"$1\" sealed: 2>/dev/null; sync -f \"$2\"",
                [source.path, folder.path]
            )
        }
        let down = try seconds {
            try Shell.run(
                "set -e\n\(variables)\n\(copy) sealed: \"$1\" 2>/dev/null; sync -f \"$1\"",
                [back]
            )
        }
        return (up, down)
    }
}
