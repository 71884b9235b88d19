import Foundation
import SamplePhotos
import StoreFixture
import TestSupport
import Testing

/// Three computers that change one library at the same time, offline, and die while they sync.
///
/// `PHOTOS_CLOUD_PHOTOS` sets the number of photos; 10,000 is the full length.
@Suite(.timeLimit(.minutes(180))) struct CloudWorldTests {
    /// Where the cloud library is.
    enum Place: CaseIterable {
        case folder, bucket
    }

    private static let photos =
        ProcessInfo.processInfo.environment["PHOTOS_CLOUD_PHOTOS"].flatMap { Int($0) } ?? 40
    private static func rounds(_ place: Place) -> Int {
        photos >= 1_000 ? 4 : place == .folder ? 2 : 1
    }
    private static let places = CephGateway.isAvailable ? Place.allCases : [.folder]

    private let seed = TestSeed()

    @Test(arguments: places) func computersAgree(_ place: Place) async throws {
        var generator = seed.generator
        let cloud = try CloudHomes(3)
        if place == .bucket { try await cloud.use(CephGateway.shared.settings()) }
        let photo = try DaemonHome.photo(seed.value)
        // The second computer has some photos of its own, and some that the first one has as well.
        for (index, range) in [0..<Self.photos, Self.photos * 9 / 10..<Self.photos * 11 / 10]
            .enumerated()
        {
            for number in range {
                // Bytes after the end of a JPEG make another file of it.
                try cloud[index].folder.write(
                    photo + Data("\(number)".utf8),
                    to: "in/\(number).jpg"
                )
            }
            try cloud[index].succeed("import", cloud[index].folder.file("in").path, daemon: "0")
        }
        try cloud.join(with: cloud.create())
        for round in 0..<Self.rounds(place) {
            for index in 0..<3 {
                try change(cloud[index], "\(round)-\(index)", &generator)
            }
            for index in (0..<3).shuffled(using: &generator) {
                try killSync(of: cloud[index], &generator)
            }
            try cloud[Int.random(in: 0..<3, using: &generator)]
                .succeed("cloud", "sync", "--once", daemon: nil)
        }
        try cloud.sync(rounds: 3)
        let rows = try (0..<3).map { try LibraryRows.read(cloud[$0]) }
        #expect(rows[0].count > Self.photos, seed.comment)
        for index in 1..<3 {
            let difference = Set(rows[index]).symmetricDifference(rows[0]).sorted()
            let isEqual = difference.isEmpty
            #expect(
                isEqual,
                "\(seed), 0 and \(index): \(difference.prefix(12).joined(separator: "\n"))"
            )
        }
        let absent = rows[0].filter { $0.hasPrefix("file") && $0.hasSuffix("|1") }
        #expect(absent == [], seed.comment)
        for index in 0..<3 {
            try cloud.verify(index)
            let devices = try cloud[index].succeed("cloud", "devices", "--json", daemon: nil)
            #expect(devices.split(separator: "\n").count == 3, "\(seed): \(devices)")
        }
        let findings = try cloud[0].photos("cloud", "verify", "--sample", "100", daemon: nil)
        #expect(findings.status == 0, "\(seed): \(findings.text)\(findings.errorText)")
    }

    /// Lets a daemon sync, and kills it at some moment.
    private func killSync(of home: DaemonHome, _ generator: inout SeededGenerator) throws {
        let daemon = try home.startDaemon("--cloud-scale", "0.0005")
        // Time is the subject: a session takes some hundred milliseconds for a few changes.
        usleep(UInt32.random(in: 0..<800_000, using: &generator))
        daemon.kill()
        daemon.wait()
    }

    /// Changes everything that people change, without a connection.
    private func change(
        _ home: DaemonHome,
        _ name: String,
        _ generator: inout SeededGenerator
    ) throws {
        func identifiers(_ options: [String]) throws -> [String] {
            try home.run(BuiltProducts.photos.path, ["list", "--json"] + options, daemon: "0").text
                .split(separator: "\n")
                .map {
                    try #require(try CloudHomes.object(String($0))["localIdentifier"] as? String)
                }
                .sorted()
        }
        func run(_ arguments: [String], _ ids: some Collection<String>) throws {
            guard !ids.isEmpty else { return }
            let output = try home.run(BuiltProducts.photos.path, arguments + ids, daemon: "0")
            // A killed session has not downloaded everything.
            let isAbsent = output.errorText.contains("is not on this computer")
            #expect(output.status == 0 || isAbsent, "\(seed) \(arguments): \(output.errorText)")
        }
        // A computer that has not synced yet has no photos.
        let all = try identifiers([])
        guard !all.isEmpty else { return }
        func some(_ share: Int) -> ArraySlice<String> {
            all.shuffled(using: &generator).prefix(max(1, all.count / share))
        }
        let flag = String(Bool.random(using: &generator))
        try run(["set", "--favorite", flag], some(10))
        try run(["set", "--title", "Title \(name)", "--caption", "by \(name)"], some(12))
        try run(["set", "--add-keyword", "one", "--add-keyword", name], some(12))
        try run(["set", "--rating", "\(Int.random(in: 0...5, using: &generator))"], some(12))
        try run(["set", "--location", "48.1,11.5"], some(20))
        try run(["set", "--date", "2024-05-01T12:30:00+02:00"], some(20))
        try run(["set", "--hidden", flag], some(30))
        try run(["album", "create"], ["Album \(name)"])
        try run(["album", "add", "Album \(name)"], some(8))
        try run(["folder", "create"], ["Folder \(name)"])
        try run(["folder", "add", "Folder \(name)"], ["Album \(name)"])
        try run(["edit", "--filter", "Noir"], some(20).prefix(4))
        try run(["edit", "--exposure", "0.5"], some(20).prefix(2))
        try run(["revert"], some(10).prefix(4))
        try run(["delete", "--yes"], some(30))
        let trash = try identifiers(["--deleted"])
        try run(["restore"], trash.shuffled(using: &generator).prefix(trash.count / 3))
        let rest = try identifiers(["--deleted"])
        try run(["purge", "--yes"], rest.shuffled(using: &generator).prefix(rest.count / 4))
    }
}
