import Foundation
import ImagePipeline
import LibraryService
import PhotoLibrary
import PhotoModel
import RenditionFixture
import TestSupport
import Testing

/// Renditions are built ahead, and removed with their content.
@Suite(.timeLimit(.minutes(3)))
struct RenditionBuilderTests {
    private let world: RenditionWorld

    init() throws {
        world = try RenditionWorld()
    }

    private func build(_ side: Int = 256, limit: Int = 16) throws -> [RenditionBuildReply] {
        var replies: [RenditionBuildReply] = []
        var request = RenditionBuildRequest(side: side, limit: limit)
        repeat {
            let reply = try world.builder.build(request)
            replies.append(reply)
            request.cursor = reply.next
        } while request.cursor != nil
        return replies
    }

    @Test func whatIsMissingIsMadeOnce() throws {
        for number in 0..<5 { try world.addPhoto(number) }
        var status = try world.builder.status()
        #expect(status.assets == 5 && status.bytes == 0)
        #expect(status.sizeClasses.map(\.current) == [0, 0])
        // The slices are as short as requested, and cover everything.
        let replies = try build(limit: 2)
        #expect(replies.count >= 3)
        #expect(replies.flatMap(\.made).count == 5)
        #expect(replies.map(\.assets).reduce(0, +) == 5)
        #expect(replies.flatMap(\.failures).isEmpty)
        status = try world.builder.status()
        #expect(status.sizeClasses.map(\.current) == [5, 0] && status.bytes > 0)
        #expect(try build().flatMap(\.made).isEmpty)
        #expect(try build(1024).flatMap(\.made).count == 5)
        world.sweeper.drop()
        #expect(try world.builder.status().bytes == 0)
        #expect(try build().flatMap(\.made).count == 5)
    }

    @Test func countingVisitsTheLibraryOncePerChange() throws {
        for number in 0..<5 { try world.addPhoto(number) }
        _ = try build()
        // Counts are kept once the times of the file tell its writes apart.
        let deadline = ContinuousClock.now + .seconds(30)
        var visited = -1
        while visited != world.builder.visitedAssets, ContinuousClock.now < deadline {
            visited = world.builder.visitedAssets
            _ = try world.builder.status()
        }
        for _ in 0..<5 { #expect(try world.builder.status().sizeClasses[0].current == 5) }
        #expect(world.builder.visitedAssets == visited)
        // A change of the library is noticed at once, and so is one of the renditions.
        try world.addPhoto(5)
        #expect(try world.builder.status().assets == 6)
        #expect(world.builder.visitedAssets == visited + 6)
        _ = try build()
        #expect(try world.builder.status().sizeClasses[0].current == 6)
        // Without hidden assets it is another count.
        #expect(try world.builder.status(includesHidden: false).assets == 6)
    }

    @Test func thumbnailsAreSentAsTheyAreStored() throws {
        let uuid = try world.addPhoto(1)
        let small = try world.addPhoto(2, size: PixelSize(width: 256, height: 192))
        #expect(try world.loader.thumbnail(ThumbnailRequest(assetUUID: uuid)) == nil)
        _ = try build()
        let found = try world.loader.thumbnail(ThumbnailRequest(assetUUID: uuid))
        let thumbnail = try #require(found)
        #expect(thumbnail.isFinal)
        let stored = world.renditions.rendition(
            of: uuid,
            contentVersion: thumbnail.contentVersion,
            covers: { _ in true },
            takesAny: false
        )
        #expect(stored?.jpeg == thumbnail.jpeg)
        #expect(try world.loader.thumbnail(ThumbnailRequest(assetUUID: small)) == nil)
        #expect(throws: LibraryError.self) {
            try world.loader.thumbnail(ThumbnailRequest(assetUUID: "none"))
        }
    }

    @Test("Originals no larger than the smallest rendition need none")
    func smallOriginalsHaveNone() throws {
        try world.addPhoto(1, size: PixelSize(width: 256, height: 192))
        try world.addPhoto(2, size: PixelSize(width: 257, height: 192))
        let replies = try build()
        #expect(replies.flatMap(\.made).count == 1 && replies.map(\.assets).reduce(0, +) == 2)
        let status = try world.builder.status()
        #expect(status.assets == 2 && status.sizeClasses.map(\.current) == [2, 1])
        #expect(world.renditions.count() == 1)
    }

    @Test func whatCantBeMadeIsNamedWithTheReason() throws {
        try world.addPhoto(1)
        let data = try Data(
            contentsOf: world.folder.file("source/IMG_1.jpg")
        )
        let damaged = try world.add(data.prefix(data.count / 2), named: "half.jpg")
        let replies = try build()
        #expect(replies.flatMap(\.made).count == 1)
        let failure = try #require(replies.flatMap(\.failures).first)
        #expect(failure.localIdentifier.hasPrefix(damaged))
        #expect(failure.error.reason?.contains("truncated") == true)
        // The available part is shown nevertheless, each time with the reason.
        for _ in 0..<2 {
            let (reply, _) = try #require(try world.image(damaged, side: 200))
            #expect(reply.damage?.reason?.contains("truncated") == true)
        }
        #expect(throws: LibraryError.self) {
            try world.builder.build(RenditionBuildRequest(side: 99))
        }
    }

    @Test func cancellingEndsASlice() throws {
        for number in 0..<3 { try world.addPhoto(number) }
        let cancellation = RequestCancellation()
        Thread.detachNewThread { [world] in
            while world.renditions.count() == 0 { sched_yield() }
            cancellation.cancel()
        }
        do {
            _ = try world.builder.build(
                RenditionBuildRequest(side: 256),
                cancellation: cancellation
            )
        } catch let error as LibraryError {
            #expect(error.code == .cancelled)
        }
        #expect(try build().map(\.assets).reduce(0, +) == 3)
        #expect(world.renditions.count() == 3)
    }

    @Test func whatIsDeletedForGoodLeavesNoSmallPicture() throws {
        let kept = try world.addPhoto(1)
        let gone = try world.addPhoto(2)
        _ = try build()
        try world.sweeper.sweep()
        try world.change(.deleteAssets([gone]))
        try world.sweeper.sweep()
        // It is still visible in Recently Deleted.
        #expect(world.renditions.count() == 2)
        try world.change(.purgeAssets([gone]))
        try world.sweeper.sweep()
        #expect(world.renditions.count() == 1)
        #expect(try world.image(kept, side: 100, quality: .ready) != nil)
        let path = world.store.bundle.renditions
        let found = try ProcessRunner.run("grep", ["-l", gone, path, path + "-wal"])
        #expect(found.text == "")
    }

    @Test func orphansOfAnyOriginAreRemoved() throws {
        try world.addPhoto(1)
        _ = try build()
        let rendition = RenditionStore.Rendition(
            jpeg: Data("jpeg".utf8),
            size: PixelSize(width: 256, height: 192),
            origin: .content
        )
        for number in 0..<1200 {
            world.renditions.store(
                rendition,
                for: .init(assetUUID: "gone \(number)", contentVersion: 1, sizeClass: 256)
            )
        }
        #expect(try world.builder.status().sizeClasses.map(\.outdated) == [1200, 0])
        // The time of the last sweep is unknown: all are examined.
        try world.sweeper.sweep()
        #expect(world.renditions.count() == 1)
        #expect(try world.builder.status().sizeClasses.map(\.outdated) == [0, 0])
    }

    /// Returns an asset's remains in the rendition file.
    private func remains(of asset: String) throws -> String {
        let path = world.store.bundle.renditions
        let files = [path, path + "-wal"].filter { FileManager.default.fileExists(atPath: $0) }
        return try ProcessRunner.run("grep", ["-l", asset] + files).text
    }

    @Test("What was deleted before the history's begin leaves no small picture either")
    func prunedDeletionsAreSweptToo() throws {
        let kept = try world.addPhoto(1)
        let gone = try world.addPhoto(2)
        _ = try build()
        for asset in [kept, gone] {
            world.renditions.store(
                RenditionStore.Fingerprint(print: nil, contentVersion: 1),
                of: asset
            )
        }
        try world.sweeper.sweep()
        try world.change(.deleteAssets([gone]))
        try world.change(.purgeAssets([gone]))
        // Long ago: pruning removes all evidence.
        let database = world.store.bundle.database
        let aging = try ProcessRunner.run(
            "sqlite3",
            [database, "UPDATE journalVersion SET time = time - 8640000"]
        )
        try #require(aging.status == 0, "\(aging.errorText)")
        try world.store.pruneHistory()
        #expect(world.renditions.count() == 2)
        try world.sweeper.sweep()
        #expect(world.renditions.count() == 1)
        #expect(Array(world.renditions.fingerprints().keys) == [kept])
        #expect(try remains(of: gone) == "")
        #expect(try remains(of: kept) != "")
    }

    @Test("A file that an earlier version swept is looked at once more as a whole")
    func earlierSweepsAreNotTrusted() throws {
        let kept = try world.addPhoto(1)
        _ = try build()
        let rendition = RenditionStore.Rendition(
            jpeg: Data("jpeg".utf8),
            size: PixelSize(width: 256, height: 192),
            origin: .content
        )
        world.renditions.store(
            rendition,
            for: .init(assetUUID: "gone", contentVersion: 1, sizeClass: 256)
        )
        world.renditions.store(
            RenditionStore.Fingerprint(print: nil, contentVersion: 1),
            of: "lonely"
        )
        let version = try world.store.currentVersion()
        let note = try ProcessRunner.run(
            "sqlite3",
            [world.store.bundle.renditions, "INSERT INTO sweep VALUES (\(version))"]
        )
        try #require(note.status == 0, "\(note.errorText)")
        try world.sweeper.sweep()
        #expect(world.renditions.count() == 1)
        #expect(world.renditions.fingerprints().isEmpty)
        #expect(try world.image(kept, side: 100, quality: .ready) != nil)
    }

    @Test func whatWasAddedIsMadeInQuietMoments() throws {
        let assets = try (0..<3).map { try world.addPhoto($0) }
        let background = BackgroundRenditions(
            builder: world.builder,
            sweeper: world.sweeper,
            quiet: .milliseconds(200)
        )
        background.add(assets)
        // While other work is under way, nothing is built.
        let busy = ContinuousClock.now + .milliseconds(600)
        var (last, pause) = (ContinuousClock.now, Duration.zero)
        while ContinuousClock.now < busy {
            background.recordActivity()
            pause = max(pause, ContinuousClock.now - last)
            last = .now
            // Time is the subject: the library is in use for this long.
            usleep(5000)
        }
        // If the machine paused this thread for as long, the time was idle.
        if pause < .milliseconds(150) {
            #expect(world.renditions.count() == 0 && background.waitingCount == 3)
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while world.renditions.count() < 3, ContinuousClock.now < deadline { sched_yield() }
        #expect(world.renditions.count() == 3)
        for asset in assets {
            #expect(try world.image(asset, side: 200, quality: .ready) != nil)
        }
    }

    // MARK: - Transparent pictures

    /// Returns a disc that fades out over transparency.
    private func disc(_ size: PixelSize) -> [UInt8] {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (dx, dy) = (
                    Double(x) / Double(size.width) - 0.5, Double(y) / Double(size.height) - 0.5
                )
                let distance = (dx * dx + dy * dy).squareRoot()
                let alpha = min(1, max(0, (0.45 - distance) * 6))
                bytes += [
                    UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), 120,
                    UInt8(alpha * 255),
                ]
            }
        }
        return bytes
    }

    /// Returns the mean difference of two pictures over a background, of 255.
    private func difference(_ one: [UInt8], _ other: [UInt8], on background: Int) -> Double {
        var sum = 0
        for start in stride(from: 0, to: min(one.count, other.count), by: 4) {
            for channel in start..<start + 3 {
                func shown(_ bytes: [UInt8]) -> Int {
                    let alpha = Int(bytes[start + 3])
                    return (Int(bytes[channel]) * alpha + background * (255 - alpha)) / 255
                }
                sum += abs(shown(one) - shown(other))
            }
        }
        return Double(sum) / Double(one.count / 4 * 3)
    }

    @Test func transparentPicturesHaveRenditions() throws {
        let size = PixelSize(width: 480, height: 320)
        let png = try world.png(disc(size), size: size)
        let asset = try world.add(png, named: "disc.png")
        let fittings: [PixelShape.Fitting] = [.fit, .fill, .exactFit, .exactFill]
        for (side, fitting) in [256, 100, 57, 400].flatMap({ side in fittings.map { (side, $0) } })
        {
            // First by the worker only, then from the rendition.
            world.sweeper.drop()
            let (first, direct) = try #require(
                try world.image(asset, side: side, fitting: fitting)
            )
            #expect(world.renditions.count() == 1)
            let (second, kept) = try #require(
                try world.image(asset, side: side, fitting: fitting, quality: .ready)
            )
            #expect(first.hasAlpha && second.hasAlpha)
            #expect(first.pixels == second.pixels)
            #expect(difference(direct, kept, on: 255) < 2.5, "\(side) \(fitting)")
            #expect(difference(direct, kept, on: 0) < 2.5, "\(side) \(fitting)")
            // The corners are transparent, the center is opaque.
            #expect(kept[3] == 0)
            let middle =
                (second.pixels.size.height / 2 * second.pixels.size.width
                    + second.pixels.size.width / 2) * 4
            #expect(kept[middle + 3] == 255)
        }
    }
}
