import Foundation
import GRDB
import PhotosManagement
import SamplePhotos

/// Measures imports of camera files against copying, syncing and hashing them, and repeated scans
/// against `find`.
struct ImportSuite {
    let files: Int
    let scannedFiles: Int
    let rounds: Int
    /// A folder of files to import; nil draws some.
    let source: URL?

    func run(_ report: Report) throws {
        try importing(report)
        try scanning(report)
    }

    // MARK: - Importing

    private func importing(_ report: Report) throws {
        let work = try WorkFolder()
        let source = try self.source ?? drawn(in: work)
        let (count, bytes) = try Self.size(of: source)
        var ours: [Double] = []
        var peer: [Double] = []
        for round in 0..<max(1, min(rounds, 3)) {
            try flush(work.url)
            let copy = work.url.appendingPathComponent("copy-\(round)")
            peer.append(
                try seconds {
                    try Shell.run(
                        "cp -r \"$1\" \"$2\" && sync -f \"$2\" && find \"$2\" -type f -print0"
                            + " | xargs -0 sha256sum > /dev/null",
                        [source.path, copy.path]
                    )
                }
            )
            try FileManager.default.removeItem(at: copy)
            try flush(work.url)
            let library = try SyntheticLibrary()
            let bundle = try PhotoLibraryBundle.open(at: library.url)
            ours.append(
                try seconds {
                    try bundle.importAll(of: source, expecting: .imported, count)
                }
            )
        }
        report.print(
            Report.Case(
                suite: "import",
                name: "\(count) JPEGs of \(bytes / max(count, 1) / 1_000) kB, durable",
                ours: median(ours) / Double(count) * 1_000,
                peer: median(peer) / Double(count) * 1_000,
                peerName: "cp + sync -f + sha256sum",
                unit: "ms per file",
                limit: 1.5
            )
        )
    }

    /// Draws a few pictures and gives each file a unique date, so that no two files are equal.
    private func drawn(in work: WorkFolder) throws -> URL {
        let folder = work.url.appendingPathComponent("source")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let drawings = try BenchmarkPictures.jpegs(count: 8)
        for index in 0..<files {
            var data = drawings[index % drawings.count]
            // Readers ignore bytes after the end of the image, but they make the files differ.
            data.append(Data("\(index)".utf8))
            try data.write(to: folder.appendingPathComponent("IMG_\(10_000 + index).JPG"))
        }
        return folder
    }

    private func flush(_ folder: URL) throws { try Shell.run("sync -f \"$1\"", [folder.path]) }

    private static func size(of folder: URL) throws -> (count: Int, bytes: Int) {
        let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String]
        return try (names ?? []).reduce(into: (0, 0)) { total, name in
            let path = folder.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return }
            total.0 += 1
            total.1 += (attributes[.size] as? Int) ?? 0
        }
    }

    // MARK: - Repeated scans

    private func scanning(_ report: Report) throws {
        let work = try WorkFolder()
        let library = try SyntheticLibrary()
        try prepareScan(work.url, library)
        let bundle = try PhotoLibraryBundle.open(at: library.url)
        var ours: [Double] = []
        var peer: [Double] = []
        for _ in 0..<rounds {
            peer.append(
                try seconds {
                    try Shell.run(
                        "find \"$1\" -type f -printf '%p %s %T@\\n' > /dev/null",
                        [work.url.path]
                    )
                }
            )
            ours.append(
                try seconds {
                    try bundle.importAll(of: work.url, expecting: .duplicate, scannedFiles)
                }
            )
        }
        report.print(
            Report.Case(
                suite: "import",
                name: "\(scannedFiles) files scanned again",
                ours: median(ours) / Double(scannedFiles) * 1_000_000,
                peer: median(peer) / Double(scannedFiles) * 1_000_000,
                peerName: "find -printf",
                unit: "µs per file",
                limit: 3
            )
        )
        report.print(
            Report.Case(
                suite: "import",
                name: "files scanned again per second",
                ours: Double(scannedFiles) / median(ours),
                unit: "files/s",
                limit: nil
            )
        )
    }

    /// Writes small files into folders of 500, and the rows and copies that an import would have
    /// left.
    private func prepareScan(_ folder: URL, _ library: SyntheticLibrary) throws {
        try library.fill(assets: scannedFiles)
        let queue = try DatabaseQueue(path: library.database)
        try queue.write { database in
            for index in 0..<scannedFiles {
                let parent = folder.path + "/DCIM/\(100 + index / 500)APPLE"
                if index % 500 == 0 {
                    try FileManager.default.createDirectory(
                        atPath: parent,
                        withIntermediateDirectories: true
                    )
                }
                let path = parent + "/IMG_\(index).JPG"
                try Data("\(index)".utf8).write(to: URL(fileURLWithPath: path))
                let original = "originals/\(Self.folder(of: index))/R\(index).jpg"
                let copy = library.url.appendingPathComponent(original)
                if index < 256 {
                    try FileManager.default.createDirectory(
                        at: copy.deletingLastPathComponent(),
                        withIntermediateDirectories: true
                    )
                }
                try Data([0]).write(to: copy)
                try database.execute(
                    sql: """
                        INSERT INTO resource (uuid, assetId, type, originalFilename, contentType,
                            path, size, sha256, pixelWidth, pixelHeight)
                        VALUES (?, ?, 1, 'IMG.JPG', 'public.jpeg', ?, 1, randomblob(32), 1, 1)
                        """,
                    arguments: ["R\(index)", index + 1, original]
                )
                var status = stat()
                guard stat(path, &status) == 0 else { throw BenchmarkError(description: path) }
                try database.execute(
                    sql: "INSERT INTO importedFile VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        Data(path.utf8), Int64(status.st_size), Self.nanoseconds(status.st_mtim),
                        Self.nanoseconds(status.st_ctim), Int64(bitPattern: UInt64(status.st_ino)),
                        Int64(bitPattern: UInt64(status.st_dev)), Data("\(index)".utf8),
                        database.lastInsertedRowID,
                    ]
                )
            }
        }
        try queue.close()
    }

    /// Returns the folder of an original: two hexadecimal digits.
    private static func folder(of index: Int) -> String {
        let digits = String(index % 256, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A temporary folder that is removed with its owner.
final class WorkFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension PhotoLibraryBundle {
    /// Imports a folder, and requires the expected outcome of all its files.
    fileprivate func importAll(
        of folder: URL,
        expecting outcome: FileOutcome.Kind,
        _ count: Int
    ) throws {
        let summary = try LibraryImport(library: self, paths: [SourcePath(folder.path)]).run { _ in
        }
        guard summary.counts[outcome] == count else {
            throw BenchmarkError(
                description: "Not all \(count) files are \(outcome): \(summary.counts)"
            )
        }
    }
}
