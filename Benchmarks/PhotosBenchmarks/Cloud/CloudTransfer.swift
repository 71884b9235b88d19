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
        for store in CloudBenchmarkStore.all {
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

    // MARK: - Ours

    /// Imports the files, and measures the sessions of two computers with one cloud library.
    private func transfer(
        _ source: URL,
        _ store: CloudBenchmarkStore,
        _ round: Int,
        _ folder: URL
    ) throws -> (up: Double, down: Double) {
        let address = try store.address(in: folder, number: round)
        let computers = try ["first", "second"].map {
            try CloudComputer(folder.appendingPathComponent($0))
        }
        try computers[0].run("import", source.path)
        let code = try computers[0].createCloud(at: address)
        let up = try seconds { _ = try computers[0].run("cloud", "sync", "--once") }
        try computers[1].joinCloud(at: address, with: code)
        let down = try seconds { _ = try computers[1].run("cloud", "sync", "--once") }
        let status = try computers[1].run("list", "--json").split(separator: "\n").count
        guard status == files else {
            throw BenchmarkError(description: "\(status) of \(files) photos arrived.")
        }
        return (up, down)
    }

    // MARK: - The peer

    private func peer(
        _ source: URL,
        _ store: CloudBenchmarkStore,
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
