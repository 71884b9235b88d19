import LibraryService
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// The decisions that need neither files nor a library.
@Suite(.timeLimit(.minutes(1))) struct MigrationPlanTests {
    private static func entry(_ path: String, _ size: Int64 = 10, at time: Int64 = 0)
        -> SourceListing.Entry
    {
        SourceListing.Entry(path: path, size: size, modificationTime: time)
    }

    private static func asset(_ resources: ForeignResource...) -> ForeignAsset {
        var asset = ForeignAsset(item: "A", uuid: nil, originalFilename: "IMG_1.JPG")
        asset.resources = resources
        return asset
    }

    private static func plan(
        _ entries: [SourceListing.Entry],
        volumes: [String: SourceListing] = [:],
        _ change: (inout MigrationOptions) -> Void = { _ in }
    ) -> MigrationPlan {
        var options = MigrationOptions()
        change(&options)
        return MigrationPlan(
            kind: .applePhotos,
            listing: SourceListing(entries),
            volumes: volumes,
            options: options
        )
    }

    private static func paths(_ step: MigrationPlan.Step) -> [String] {
        guard case .take(let files) = step.decision else { return [] }
        return files.map(\.entry.path)
    }

    private static let original = ForeignResource(
        .original,
        [.path("originals/1/1.heic")],
        isExpected: true
    )

    @Test func originalLeads() {
        let asset = Self.asset(
            ForeignResource(.render, [.path("r_1.jpeg")], isExpected: true),
            ForeignResource(.sidecar, [.path("s.xmp")], isExpected: false),
            Self.original
        )
        let step = Self.plan(
            ["r_1.jpeg", "s.xmp", "originals/1/1.heic"].map { Self.entry($0) }
        ).step(for: asset)
        #expect(Self.paths(step) == ["originals/1/1.heic", "s.xmp", "r_1.jpeg"])
        #expect(step.isComplete && step.lines.isEmpty)
    }

    @Test func newerRenderingCounts() {
        let asset = Self.asset(
            Self.original,
            ForeignResource(.render, [.path("r.heic"), .path("r.jpeg")], isExpected: true)
        )
        for (heic, jpeg, winner) in [(1, 2, "r.jpeg"), (2, 1, "r.heic"), (1, 1, "r.heic")] {
            let step = Self.plan([
                Self.entry("originals/1/1.heic"), Self.entry("r.heic", at: Int64(heic)),
                Self.entry("r.jpeg", at: Int64(jpeg)),
            ]).step(for: asset)
            #expect(Self.paths(step).last == winner)
        }
    }

    @Test func absentOriginalIsOneLeadingLine() {
        let asset = Self.asset(
            Self.original,
            ForeignResource(.pairedVideo, [.path("originals/1/1_3.mov")], isExpected: true)
        )
        let step = Self.plan([Self.entry("originals/1/1_3.mov")]).step(for: asset)
        guard case .leave = step.decision else {
            Issue.record("An asset without its original was taken.")
            return
        }
        #expect(step.lines.map(\.outcome) == [.missing])
        #expect(step.lines.first?.isLeading == true)
        #expect(step.lines.first?.path == "originals/1/1.heic")
    }

    @Test func absentRenderingIsReportedButNotLeading() {
        let asset = Self.asset(
            Self.original,
            ForeignResource(.render, [.path("r.heic")], isExpected: true)
        )
        let step = Self.plan([Self.entry("originals/1/1.heic")]).step(for: asset)
        #expect(Self.paths(step) == ["originals/1/1.heic"])
        #expect(step.lines.map(\.isLeading) == [false])
        #expect(!step.isComplete)
    }

    @Test func largestProxyStandsForTheOriginal() {
        let asset = Self.asset(
            Self.original,
            ForeignResource(.proxy, [.prefix("d/A_"), .prefix("m/A_")], isExpected: false)
        )
        let entries = [Self.entry("d/A_4.jpeg", 5), Self.entry("m/A_1.jpeg", 9)]
        #expect(Self.paths(Self.plan(entries).step(for: asset)) == [])
        let step = Self.plan(entries) { $0.includesProxies = true }.step(for: asset)
        #expect(Self.paths(step) == ["m/A_1.jpeg"])
        #expect(step.lines.map(\.isLeading) == [true] && !step.isComplete)
    }

    @Test func sharedAssetsAreLeftOutUnlessWanted() {
        var asset = Self.asset(Self.original)
        asset.isShared = true
        let entries = [Self.entry("originals/1/1.heic")]
        let step = Self.plan(entries).step(for: asset)
        #expect(step.lines.map(\.outcome) == [.skipped])
        let wanted = Self.plan(entries) { $0.includesShared = true }.step(for: asset)
        #expect(Self.paths(wanted) == ["originals/1/1.heic"])
    }

    @Test func volumesAreNeverGuessed() {
        let asset = Self.asset(
            ForeignResource(.original, [.path("a/b.jpg")], isExpected: true, volume: "Disk")
        )
        let none = Self.plan([Self.entry("a/b.jpg")]).step(for: asset)
        #expect(none.lines.first?.reason?.contains("--volume \"Disk=PATH\"") == true)
        let empty = Self.plan([], volumes: ["Disk": SourceListing([])]).step(for: asset)
        #expect(empty.lines.first?.reason?.contains("not below the folder") == true)
        let there = Self.plan(
            [],
            volumes: ["Disk": SourceListing([Self.entry("a/b.jpg")])]
        ).step(for: asset)
        #expect(Self.paths(there) == ["a/b.jpg"])
    }

    @Test func filesThatNothingNamesAreReported() throws {
        let plan = Self.plan(
            ["originals/1/1.heic", "originals/2/x.jpg", "scopes/y", "resources/z", "originals2/a"]
                .map { Self.entry($0) }
        )
        var named = Array(repeating: false, count: plan.listing.count)
        named[try #require(plan.listing.position(of: "originals/1/1.heic"))] = true
        let lines = plan.orphans(besides: named, below: ["originals", "scopes"])
        #expect(lines.map(\.path) == ["originals/2/x.jpg", "scopes/y"])
        #expect(lines.allSatisfy { !$0.isLeading && $0.notes.map(\.code) == ["orphanFile"] })
    }
}
