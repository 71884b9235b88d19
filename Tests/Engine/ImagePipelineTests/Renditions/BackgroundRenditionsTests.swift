import Foundation
import Glibc
import ImagePipeline
import PhotoModel
import RenditionFixture
import Synchronization
import TestSupport
import Testing

/// The queue of renditions to make in idle time.
@Suite(.timeLimit(.minutes(2))) struct BackgroundRenditionsTests {
    private let world: RenditionWorld

    init() throws {
        world = try RenditionWorld()
    }

    private func background(
        _ permit: RenditionPermit = .always,
        quiet: Duration = .milliseconds(1)
    ) -> BackgroundRenditions {
        BackgroundRenditions(
            builder: world.builder,
            sweeper: world.sweeper,
            permit: permit,
            quiet: quiet
        )
    }

    /// Waits until a condition holds, at most 30 seconds.
    private func waits(for condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition(), ContinuousClock.now < deadline { sched_yield() }
        return condition()
    }

    @Test func theOldestAreDropped() throws {
        let newest = try world.addPhoto(1)
        let background = background(quiet: .seconds(3600))
        background.add([])
        #expect(background.waitingCount == 0)
        background.add((0..<BackgroundRenditions.limit).map { "asset \($0)" })
        background.add([newest, "last"])
        #expect(background.waitingCount == BackgroundRenditions.limit)
        background.stop()
        #expect(background.waitingCount == 0)
        background.add([newest])
        #expect(background.waitingCount == 0)
    }

    @Test func whatAnotherProcessMakesIsNotMadeHere() throws {
        let asset = try world.addPhoto(1)
        let ends = Atomic(0)
        let background = background(
            RenditionPermit(
                begin: { .elsewhere },
                end: { ends.add(1, ordering: .sequentiallyConsistent) }
            )
        )
        background.add([asset])
        #expect(waits { background.waitingCount == 0 })
        #expect(world.renditions.count() == 0)
        #expect(ends.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test func aPermitThatComesLaterIsAskedForAgain() throws {
        let asset = try world.addPhoto(1)
        let asked = Atomic(0)
        let ends = Atomic(0)
        let background = background(
            RenditionPermit(
                begin: {
                    asked.add(1, ordering: .sequentiallyConsistent).newValue < 3 ? .later : .granted
                },
                end: { ends.add(1, ordering: .sequentiallyConsistent) }
            )
        )
        background.add([asset])
        #expect(waits { ends.load(ordering: .sequentiallyConsistent) == 1 })
        #expect(asked.load(ordering: .sequentiallyConsistent) == 3)
        #expect(world.renditions.count() == 1)
        // When everything is made, another addition begins anew.
        background.add([try world.addPhoto(2)])
        #expect(waits { ends.load(ordering: .sequentiallyConsistent) == 2 })
        #expect(world.renditions.count() == 2)
    }

    @Test func theNewestAreMadeFirstAndOthersDoNoHarm() throws {
        let assets = try (0..<2).map { try world.addPhoto($0) }
        let ends = Atomic(0)
        let background = background(
            RenditionPermit(
                begin: { .granted },
                end: { ends.add(1, ordering: .sequentiallyConsistent) }
            )
        )
        background.add(["unknown", assets[0], "also unknown", assets[1]])
        #expect(waits { ends.load(ordering: .sequentiallyConsistent) >= 1 })
        #expect(world.renditions.count() == 2)
    }

    @Test func theFirstActivityRemovesWhatOthersLeft() throws {
        try world.addPhoto(1)
        world.renditions.store(
            .init(
                jpeg: Data("jpeg".utf8),
                size: PixelSize(width: 256, height: 192),
                origin: .content
            ),
            for: .init(assetUUID: "gone", contentVersion: 1, sizeClass: 256)
        )
        let background = background()
        background.recordActivity()
        #expect(waits { world.renditions.count() == 0 })
    }

    @Test func additionsDelayTheNextRendition() throws {
        let quiet = Duration.milliseconds(200)
        let background = background(quiet: quiet)
        for round in 1...2 {
            let photo = try world.addPhoto(round)
            let added = ContinuousClock.now
            background.add([photo])
            #expect(waits { world.renditions.count() == round })
            #expect(ContinuousClock.now - added >= quiet, "\(round)")
        }
    }
}
