import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// The state after a process with change blocks and files was killed at any moment.
@Suite(.timeLimit(.minutes(60))) struct ChangeKillTests {
    /// The number of kills: `PHOTOS_KILLS`, otherwise a few.
    private static let kills =
        ProcessInfo.processInfo.environment["PHOTOS_KILLS"].flatMap(Int.init) ?? 12

    /// Returns after a program has printed something, but at the latest after a minute.
    private static func waitForOutput(of process: RunningProcess) {
        let deadline = ContinuousClock.now + .seconds(60)
        while process.standardOutput.isEmpty, process.isRunning, ContinuousClock.now < deadline {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
        }
    }

    @Test("Changes are in whole or not at all, and acknowledged ones are there")
    func wholeOrNotAtAll() throws {
        let seed = TestSeed()
        var random = seed.generator
        let world = try ChangeWorld()
        let source = try world.folder.folder("photos")
        for number in 0..<6 {
            let size = PixelSize(width: 320, height: 240)
            try SampleFile.jpeg(SamplePhoto(Picture(.sea, seed: UInt64(number)), size: size))
                .write(to: source.appendingPathComponent("IMG_\(number).JPG"))
        }
        var said: Set<String> = []
        var fruitful = 0
        for round in 0..<Self.kills {
            let hammer = try ProcessRunner.start(
                BuiltProducts.executable("change-hammer").path,
                ["files", world.libraryPath, source.path, "\(random.next())"]
            )
            let time = Double.random(in: 0.01...0.5, using: &random)
            // Every second one is killed while it works, however slow the machine is.
            if round % 2 == 1 { Self.waitForOutput(of: hammer) }
            // Nothing signals the semaphore; this waits for a random time.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + time)
            hammer.kill()
            let output = hammer.wait()
            let context = Comment(rawValue: "round \(round), \(seed), killed after \(time) s")
            #expect(output.status == 128 + SIGKILL, "\(context): \(output.errorText)")
            // The last line may be truncated.
            let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
            let albums = lines.dropLast().compactMap {
                $0.split(separator: " ").last.map(String.init)
            }
            fruitful += albums.isEmpty ? 0 : 1
            said.formUnion(albums)
            try check(world, said, context)
        }
        #expect(
            fruitful >= Self.kills / 2,
            "\(fruitful) of \(Self.kills) rounds committed anything"
        )
        // The next writer removes the remains of the previous ones.
        try world.store.clearStaging()
        #expect(try world.findings() == [], seed.comment)
        #expect(try ImportWorld.inconsistencies(of: world.store) == [], seed.comment)
    }

    private func check(_ world: ChangeWorld, _ said: Set<String>, _ context: Comment) throws {
        let (albums, strangers) = try world.store.read { database in
            (
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT uuid, title, assetCount,
                            (SELECT count(*) FROM albumAsset JOIN resource USING (assetId)
                            WHERE albumId = collection.id)
                        FROM collection
                        """
                ),
                try Int.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) FROM asset
                        WHERE id NOT IN (SELECT assetId FROM albumAsset)
                        """
                )
            )
        }
        #expect(strangers == 0, context)
        for album in albums {
            let (title, count, files): (String, Int, Int) = (album[1], album[2], album[3])
            #expect(Int(title) == count, context)
            #expect(count == files, context)
        }
        #expect(said.isSubset(of: Set(albums.map { $0[0] as String })), context)
        let findings = try world.damage()
        #expect(findings == [], context)
    }
}

extension ChangeWorld {
    /// Returns the damage that `verify` finds without reading files; remains of a killed process
    /// are only notes.
    fileprivate func damage() throws -> [String] {
        let verifier = Verifier(store: store)
        var request = VerifyRequest(isFull: false, repairs: false)
        var damage: [String] = []
        while true {
            let reply = try verifier.verify(request)
            damage += reply.findings.filter { $0.severity == .damage }.map(\.message)
            guard let next = reply.next else { return damage }
            request = VerifyRequest(isFull: false, repairs: false, cursor: next)
        }
    }
}
