import Foundation
import LibraryService
import TestSupport
import Testing

@testable import ImportSources

/// Files are ready when they are stable or were renamed into place.
@Suite(.timeLimit(.minutes(1))) struct WatchCandidatesTests {
    private let start = SuspendingClock.now
    private let seed = TestSeed()

    private func file(_ path: String, size: Int64 = 1, time: Int64 = 1) -> SourceFile {
        SourceFile(
            path: Array(path.utf8),
            size: size,
            modificationTime: time,
            statusChangeTime: 0,
            inode: 1,
            device: 1
        )
    }

    private func due(
        _ candidates: inout WatchCandidates,
        at seconds: Double,
        limit: Int = 100
    ) -> [String] {
        candidates.takeDue(at: start + .seconds(seconds), limit: limit).map(\.file.text)
    }

    @Test func aFileIsReadyWhenItHasNotChangedForFiveSeconds() {
        var candidates = WatchCandidates()
        candidates.see(file("/a"), in: 0, isInPlace: false, at: start)
        #expect(due(&candidates, at: 4.9) == [])
        // The same file again changes nothing, and a larger one begins anew.
        candidates.see(file("/a"), in: 0, isInPlace: false, at: start + .seconds(3))
        #expect(candidates.nextDue == start + .seconds(5))
        candidates.see(file("/a", size: 2), in: 0, isInPlace: false, at: start + .seconds(4))
        #expect(due(&candidates, at: 5) == [])
        #expect(due(&candidates, at: 9) == ["/a"])
        candidates.forget(Array("/a".utf8))
        #expect(candidates.count == 0 && candidates.nextDue == nil)
    }

    @Test func aFileThatFailsAgainAndAgainWaitsLonger() {
        var candidates = WatchCandidates()
        candidates.see(file("/a"), in: 0, isInPlace: true, at: start)
        var time = 0.0
        for pause in [30.0, 60, 120, 240, 480, 960, 1_920, 1_920] {
            #expect(due(&candidates, at: time) == ["/a"])
            let now = start + .seconds(time)
            candidates.tryAgain(Array("/a".utf8), after: .seconds(30), at: now)
            time += pause
            #expect(due(&candidates, at: time - 1) == [])
        }
        // A file that was written again begins anew.
        candidates.see(file("/a", size: 2), in: 0, isInPlace: true, at: start + .seconds(time))
        #expect(due(&candidates, at: time) == ["/a"])
        candidates.tryAgain(Array("/a".utf8), after: .seconds(30), at: start + .seconds(time))
        #expect(due(&candidates, at: time + 30) == ["/a"])
    }

    @Test func aRenamedFileIsReadyAtOnce() {
        var candidates = WatchCandidates()
        candidates.see(file("/a"), in: 0, isInPlace: true, at: start)
        #expect(due(&candidates, at: 0) == ["/a"])
    }

    @Test func filesOfAShotStayTogetherAndFoldersApart() {
        var candidates = WatchCandidates()
        for name in ["/x/B.MOV", "/x/B.JPG", "/x/A.JPG", "/x/B.AAE", "/y/B.DNG"] {
            candidates.see(file(name), in: 0, isInPlace: true, at: start)
        }
        candidates.see(file("/z/A.JPG"), in: 1, isInPlace: true, at: start)
        let first = due(&candidates, at: 1, limit: 2)
        #expect(first == ["/x/A.JPG", "/x/B.JPG", "/x/B.MOV", "/x/B.AAE"])
        #expect(due(&candidates, at: 1) == ["/y/B.DNG"])
        #expect(due(&candidates, at: 1) == ["/z/A.JPG"])
        #expect(candidates.folders == [0, 1])
        candidates.forgetAll(below: Array("/x".utf8))
        candidates.forgetAll(in: 1)
        #expect(candidates.count == 1 && candidates.folders == [0])
    }

    @Test func aSidecarSetAsideIsRecalledByItsShot() {
        var candidates = WatchCandidates()
        func seeAll(_ names: [String]) {
            for name in names {
                candidates.see(file(name), in: 0, isInPlace: false, at: start)
            }
        }
        let names = ["/x/A.JPG.xmp", "/x/IMG_O1234.AAE", "/y/A.xmp"]
        for name in names { candidates.setAside(file(name), in: 0) }
        seeAll(names)
        #expect(candidates.count == 0 && candidates.folders == [])
        candidates.recallSidecars(of: Array("/x/IMG_1234.HEIC".utf8), at: start)
        #expect(due(&candidates, at: 0) == ["/x/IMG_O1234.AAE"])
        candidates.recallSidecars(of: Array("/x/a.cr2".utf8), at: start)
        #expect(candidates.count == 2)
        // A changed sidecar waits like any other file, and those of a lost folder are forgotten.
        candidates.see(file("/y/A.xmp", size: 2), in: 0, isInPlace: false, at: start)
        #expect(candidates.count == 3)
        candidates.setAside(file("/y/A.xmp", size: 2), in: 0)
        candidates.forgetAll(below: Array("/y".utf8))
        candidates.recallSidecars(of: Array("/y/A.JPG".utf8), at: start)
        #expect(candidates.count == 2)
        candidates.setAside(file("/x/A.JPG.xmp"), in: 0)
        candidates.forget(Array("/x/A.JPG.xmp".utf8))
        candidates.recallSidecars(of: Array("/x/A.JPG".utf8), at: start)
        #expect(candidates.count == 1)
    }

    /// Compares random sequences with a list of all files that is searched each time.
    @Test func itAgreesWithAPlainList() {
        var generator = seed.generator
        for _ in 0..<200 {
            var candidates = WatchCandidates()
            var model: [String: (file: SourceFile, due: Double)] = [:]
            var now = 0.0
            for _ in 0..<60 {
                let path = "/f\(Int.random(in: 0..<6, using: &generator))"
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: now += Double(Int.random(in: 1...4, using: &generator))
                case 1:
                    candidates.forget(Array(path.utf8))
                    model[path] = nil
                case 2:
                    let isInPlace = Bool.random(using: &generator)
                    let file = file(path, size: Int64.random(in: 1...2, using: &generator))
                    candidates.see(file, in: 0, isInPlace: isInPlace, at: start + .seconds(now))
                    if isInPlace || model[path]?.file.size != file.size {
                        model[path] = (file, isInPlace ? now : now + 5)
                    }
                default:
                    let expected = model.filter { $0.value.due <= now }.keys.sorted()
                    // All that are due are taken in one or two batches, and stay in the list.
                    var found: Set<String> = []
                    for _ in 0..<3 { found.formUnion(due(&candidates, at: now)) }
                    #expect(found.isSubset(of: expected), seed.comment)
                    for path in found {
                        candidates.forget(Array(path.utf8))
                        model[path] = nil
                    }
                }
            }
            now += 100
            var found: Set<String> = []
            for _ in 0..<3 { found.formUnion(due(&candidates, at: now)) }
            #expect(found == Set(model.keys), seed.comment)
        }
    }
}
