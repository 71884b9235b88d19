import EmbeddedLibrary
import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// The state after a process with edits and reverts was killed at any moment.
@Suite(.timeLimit(.minutes(60))) struct EditKillTests {
    /// The number of kills: `PHOTOS_KILLS`, otherwise a few.
    private static let kills =
        ProcessInfo.processInfo.environment["PHOTOS_KILLS"].flatMap(Int.init) ?? 6
    private static let assets = 3

    /// The reported state of an asset: its last acknowledged state, and the changes begun since.
    private struct Said {
        var last = ""
        var begun: String?
    }

    /// A library with some photos.
    private struct World {
        let folder: TemporaryFolder
        let path: String
        let renderings: URL
        let digests: [String: String]

        init() throws {
            LibraryWorld.isolateState()
            folder = try TemporaryFolder("photos-edit-kill")
            path = folder.file("Test.photolibrary").path
            try EmbeddedLibrary.create(at: path)
            let originals = try folder.folder("photos")
            renderings = try folder.folder("renderings")
            var digests: [String: String] = [:]
            for number in 0..<assets {
                try Self.photo(number).write(to: originals.appendingPathComponent("\(number).JPG"))
                let name = "edit\(number).jpg"
                let data = try Self.photo(100 + number)
                try data.write(to: renderings.appendingPathComponent(name))
                let hasher = SHA256Hasher()
                data.withUnsafeBytes { hasher.update($0) }
                digests[name] = hasher.finish()?.hexadecimal
            }
            self.digests = digests
            let library = try EmbeddedLibrary.open(at: path)
            let files = try (0..<assets).map { number in
                let file = originals.appendingPathComponent("\(number).JPG")
                let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
                try #require(descriptor >= 0)
                return Descriptor(owning: descriptor)
            }
            let creations = (0..<assets).map { number in
                AssetCreation(
                    uuid: UUID().uuidString,
                    resources: [
                        ResourceCreation(
                            type: .photo,
                            file: FileToken(Int64(number)),
                            originalFilename: "\(number).JPG"
                        )
                    ]
                )
            }
            let operations = creations.map {
                ChangeOperation(request: "test", action: .createAsset($0))
            }
            try library.commit(ChangeSet(operations: operations), files: files)
        }

        private static func photo(_ seed: Int) throws -> Data {
            let size = PixelSize(width: 160, height: 120)
            return try SampleFile.jpeg(SamplePhoto(Picture(.sea, seed: UInt64(seed)), size: size))
        }

        /// Returns the SHA-256 of all originals, by the system's own tool.
        func originals() throws -> String {
            let command = "cd \"$1\" && find . -type f | sort | xargs -d '\\n' sha256sum"
            let output = try ProcessRunner.run(
                "sh",
                ["-c", command, "sh", path + "/originals"]
            )
            #expect(output.status == 0)
            return output.text
        }
    }

    @Test("Killed at any moment, all acknowledged edits are there, and originals as they were")
    func acknowledgedEditsStay() throws {
        let seed = TestSeed()
        var random = seed.generator
        let world = try World()
        let originals = try world.originals()
        #expect(originals.split(separator: "\n").count == Self.assets)
        var said: [String: Said] = [:]
        var edits = 0
        var begunEdits = 0
        for round in 0..<Self.kills {
            let hammer = try ProcessRunner.start(
                BuiltProducts.executable("change-hammer").path,
                ["edits", world.path, world.renderings.path, "\(random.next())"]
            )
            let time = Double.random(in: 0.01...0.3, using: &random)
            // Every second one is killed while it works, however slow the machine is.
            if round % 2 == 1 { Self.waitForEdit(of: hammer) }
            // Nothing signals the semaphore; this waits for a random time.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + time)
            hammer.kill()
            let output = hammer.wait()
            let context = Comment(rawValue: "round \(round), \(seed), killed after \(time) s")
            #expect(output.status == 128 + SIGKILL, "\(context): \(output.errorText)")
            // The last line may be truncated.
            for line in output.text.split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
            {
                let words = line.split(separator: " ", maxSplits: 2).map(String.init)
                try #require(words.count == 3)
                if words[0] == "done" {
                    said[words[1], default: Said()] = Said(last: words[2])
                    edits += words[2].hasPrefix("original") ? 0 : 1
                } else {
                    said[words[1], default: Said()].begun = words[2]
                    begunEdits += words[2].hasPrefix("original") ? 0 : 1
                }
            }
            try check(world, &said, context)
        }
        #expect(edits > 0)
        #expect(try world.originals() == originals, seed.comment)
        // The next writer removes the remains of the killed ones.
        let store = try LibraryStore.open(at: world.path)
        try store.write(author: "tests") { _ in }
        try store.clearStaging()
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.bundle.staging) == [])
        #expect(try Self.findings(in: store, isFull: true) == [], seed.comment)
        // Each acknowledged edit still exists, as the current one or for an undo.
        let kept = try store.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT path FROM resource UNION SELECT path FROM formerFile"
            )
        }.filter { $0.hasPrefix("edits/") && $0.hasSuffix(".jpg") }
        #expect((edits...begunEdits).contains(kept.count), seed.comment)
        for path in kept {
            let file = store.bundle.absolutePath(of: path)
            #expect(FileManager.default.fileExists(atPath: file), seed.comment)
        }
    }

    /// Expects each asset in its last acknowledged state, or in the one that was begun when the
    /// process died.
    private func check(
        _ world: World,
        _ said: inout [String: Said],
        _ context: Comment
    ) throws {
        let store = try LibraryStore.open(at: world.path)
        let rows = try store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT asset.uuid, title, hasAdjustments, lower(hex(resource.sha256))
                    FROM asset LEFT JOIN resource ON assetId = asset.id AND resource.type = ?
                    """,
                arguments: [ResourceType.fullSizePhoto.rawValue]
            )
        }
        #expect(rows.count == Self.assets, context)
        for row in rows {
            let (uuid, title): (String, String) = (row[0], row[1] ?? "")
            let now = said[uuid] ?? Said()
            #expect(title == now.last || title == now.begun, "\(context): \(uuid)")
            let name = title.split(separator: " ").first.map(String.init) ?? "original"
            #expect(row[2] as Bool == (name != "original"), context)
            #expect(row[3] as String? ?? "" == world.digests[name] ?? "", context)
            said[uuid] = Said(last: title)
        }
        #expect(try Self.findings(in: store, isFull: false) == [], context)
    }

    /// Returns after a program has acknowledged an edit, but at the latest after a minute.
    private static func waitForEdit(of process: RunningProcess) {
        let deadline = ContinuousClock.now + .seconds(60)
        while !hasEdit(process.standardOutput), process.isRunning, ContinuousClock.now < deadline {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
        }
    }

    private static func hasEdit(_ output: Data) -> Bool {
        String(decoding: output, as: UTF8.self).split(separator: "\n")
            .contains { $0.hasPrefix("done ") && $0.contains(".jpg") }
    }

    /// Returns the findings of `verify`; only damage while killed processes may have left remains.
    private static func findings(in store: LibraryStore, isFull: Bool) throws -> [String] {
        let verifier = Verifier(store: store)
        var request = VerifyRequest(isFull: isFull, repairs: false)
        var found: [String] = []
        while true {
            let reply = try verifier.verify(request)
            found += reply.findings.filter { isFull || $0.severity == .damage }.map(\.message)
            guard let next = reply.next else { return found }
            request = VerifyRequest(isFull: isFull, repairs: false, cursor: next)
        }
    }
}
