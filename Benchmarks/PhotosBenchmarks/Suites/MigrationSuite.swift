import Foundation
import PhotosManagement
import TestSupport

/// Measures imports of other programs' libraries against the programs that people would use
/// instead: `unzip` for Google Takeout, and osxphotos for Apple Photos.
struct MigrationSuite {
    /// The version of the peer, which `pip install osxphotos==…` installs.
    static let osxphotos = "0.77.2"

    /// The number of photos in the export whose photos have the size of a phone's.
    let largePhotos: Int
    /// The number of assets in the other measured sources.
    let assets: Int
    /// The number of assets in the sources with which memory is compared.
    let fewAssets: Int
    let rounds: Int
    let sources: Set<MigrationProbe.Kind>

    func run(_ report: Report) throws {
        if sources.contains(.takeout) { try takeout(report) }
        if sources.contains(.apple) { try apple(report) }
    }

    // MARK: - Google Takeout

    private func takeout(_ report: Report) throws {
        let pictures = try measure(largeExport())
        report.print(
            Report.Case(
                suite: "migration",
                name: "Google Takeout, a ZIP of \(largePhotos) photos of 12 MP, durable",
                ours: median(pictures.ours.map(\.seconds)) / Double(largePhotos) * 1_000,
                peer: median(pictures.peer) / Double(largePhotos) * 1_000,
                peerName: "unzip + sync -f + sha256sum",
                unit: "ms per photo",
                limit: 1.5
            )
        )
        let many = try Export(Self.firstPart, photos: assets) { archive in
            try TakeoutTree(count: assets).writeZIP(to: archive)
        }
        let small = try measure(many)
        report.print(
            Report.Case(
                suite: "migration",
                name: "Google Takeout, a ZIP of \(assets) photos of 2 kB, durable",
                ours: median(small.ours.map(\.seconds)) / Double(assets) * 1_000,
                peer: median(small.peer) / Double(assets) * 1_000,
                peerName: "unzip + sync -f + sha256sum",
                unit: "ms per photo",
                limit: nil
            )
        )
        let few = try Export(Self.firstPart, photos: fewAssets) { archive in
            try TakeoutTree(count: fewAssets, seed: 2).writeZIP(to: archive)
        }
        let figures = try migrate(.takeout, few.archive, fewAssets)
        try memory(report, "Google Takeout", of: small.ours, against: figures)
    }

    // Exports are recognized by their names.
    private static let firstPart = "takeout-20240131T101112Z-001.zip"

    /// An archive that is removed with its owner.
    private struct Export {
        let work: WorkFolder
        let archive: URL
        let photos: Int

        init(_ name: String, photos: Int, write: (URL) throws -> Void) throws {
            work = try WorkFolder()
            archive = work.url.appendingPathComponent(name)
            self.photos = photos
            try write(archive)
        }
    }

    /// Returns an export whose photos have the size of a phone's.
    private func largeExport() throws -> Export {
        let drawings = try BenchmarkPictures.jpegs(count: 8)
        return try Export(Self.firstPart, photos: largePhotos) { archive in
            var zip = try ZIPWriter(writingTo: archive)
            for index in 0..<largePhotos {
                let name = "IMG_\(1000 + index).jpg"
                let path = "Takeout/Google Photos/Photos from \(2015 + index % 5)/" + name
                var description = TakeoutTree.Description(title: name)
                description.taken = 1_500_000_000 + index * 86_400
                // Bytes behind the picture make each one a different file.
                try zip.add(path, drawings[index % drawings.count] + Data("number \(index)".utf8))
                try zip.add(path + ".supplemental-metadata.json", description.data)
            }
            try zip.finish()
        }
    }

    private func measure(_ export: Export) throws -> (
        ours: [MigrationProbe.Figures], peer: [Double]
    ) {
        let archive = export.archive
        let folder = export.work.url
        var ours: [MigrationProbe.Figures] = []
        var peer: [Double] = []
        for _ in 0..<rounds {
            let copy = folder.appendingPathComponent("copy")
            try settle(folder)
            peer.append(
                try seconds {
                    try Shell.run(
                        "unzip -q \"$1\" -d \"$2\" && sync -f \"$2\" && find \"$2\" -type f -print0"
                            + " | xargs -0 sha256sum > /dev/null",
                        [archive.path, copy.path]
                    )
                }
            )
            try FileManager.default.removeItem(at: copy)
            try settle(folder)
            ours.append(try migrate(.takeout, archive, export.photos))
        }
        return (ours, peer)
    }

    /// Waits until earlier work no longer slows the next.
    ///
    /// For five seconds, ext4 without a journal searches for inodes that were not just removed.
    private func settle(_ folder: URL) throws {
        try Shell.run("sync -f \"$1\"", [folder.path])
        Thread.sleep(forTimeInterval: 6)
    }

    // MARK: - Apple Photos

    private func apple(_ report: Report) throws {
        let work = try WorkFolder()
        let source = work.url.appendingPathComponent("Large.photoslibrary")
        let large = library(assets)
        try large.write(to: source)
        try large.execute(PeerSchema.sql, in: source)
        var ours: [MigrationProbe.Figures] = []
        var peer: [Double] = []
        var program = try Self.installedPeer()
        for _ in 0..<rounds {
            if let peerProgram = program {
                try settle(work.url)
                if let time = try export(source, by: peerProgram, below: work) {
                    peer.append(time)
                } else {
                    Self.say(
                        "The peer is skipped: osxphotos does not export the generated library."
                    )
                    program = nil
                }
            }
            try settle(work.url)
            ours.append(try migrate(.apple, source, assets))
        }
        report.print(
            Report.Case(
                suite: "migration",
                name: "Apple Photos, a library of \(assets) small photos, durable",
                ours: median(ours.map(\.seconds)) / Double(assets) * 1_000,
                peer: program == nil ? nil : median(peer) / Double(assets) * 1_000,
                peerName: program == nil ? nil : "osxphotos \(Self.osxphotos) export",
                unit: "ms per photo",
                limit: program == nil ? nil : 0.33
            )
        )
        let small = work.url.appendingPathComponent("Small.photoslibrary")
        var few = library(fewAssets)
        few.seed = 2
        try few.write(to: small)
        try memory(report, "Apple Photos", of: ours, against: migrate(.apple, small, fewAssets))
    }

    /// Returns the seconds of an export by osxphotos; nil if it does not export all photos.
    private func export(_ source: URL, by program: String, below work: WorkFolder) throws -> Double?
    {
        let copy = work.url.appendingPathComponent("copy")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: copy) }
        var isDone = false
        let time = try seconds {
            let output = try ProcessRunner.run(
                program,
                ["export", copy.path, "--library", source.path, "--no-progress"]
            )
            isDone = output.status == 0
            try Shell.run("sync -f \"$1\"", [copy.path])
        }
        let names = FileManager.default.enumerator(atPath: copy.path)?.allObjects as? [String]
        let photos = (names ?? []).count { $0.lowercased().hasSuffix(".jpg") }
        return isDone && photos >= assets * 9 / 10 ? time : nil
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    private func library(_ count: Int) -> AppleLibrary {
        var library = AppleLibrary()
        library.assets = count
        library.albums = 20
        // Memory holds the largest album, whose size does not grow with the library.
        library.largestAlbum = 5_000
        return library
    }

    /// Returns the path of the peer; nil, with a message, if its pinned version is not installed.
    private static func installedPeer() throws -> String? {
        let program = ProcessInfo.processInfo.environment["PHOTOS_OSXPHOTOS"] ?? "osxphotos"
        let output = try? ProcessRunner.run(program, ["--version"])
        if let output, output.status == 0, output.text.contains(osxphotos) { return program }
        say(
            "The peer is skipped: osxphotos \(osxphotos) is not installed (pip install"
                + " osxphotos==\(osxphotos)), and PHOTOS_OSXPHOTOS does not name it."
        )
        return nil
    }

    // MARK: - Probes

    private func migrate(_ kind: MigrationProbe.Kind, _ source: URL, _ count: Int) throws
        -> MigrationProbe.Figures
    {
        let library = try SyntheticLibrary()
        let figures = try Probe.run(
            ["probe-migration", kind.rawValue, library.url.path, source.path],
            as: MigrationProbe.Figures.self
        )
        guard figures.imported == count else {
            throw BenchmarkError(description: "\(figures.imported) of \(count) were imported.")
        }
        return figures
    }

    private func memory(
        _ report: Report,
        _ name: String,
        of large: [MigrationProbe.Figures],
        against small: MigrationProbe.Figures
    ) throws {
        let worker = large.map(\.workerMemory).max() ?? 0
        report.print(
            Report.Case(
                suite: "migration",
                name: "\(name), peak memory with \(assets) photos (the largest worker: "
                    + "\(Int(worker)) MB)",
                ours: large.map(\.memory).max() ?? 0,
                peer: small.memory,
                peerName: "with \(fewAssets) photos",
                unit: "MB",
                limit: 1.3
            )
        )
    }
}
