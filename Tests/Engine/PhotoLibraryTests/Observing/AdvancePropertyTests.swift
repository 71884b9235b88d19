import Foundation
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// Change details between any two versions, compared with a fetch that does not use the journal.
///
/// `PHOTOS_OBSERVE_CASES` sets the number of checked details; 100,000 take some minutes.
@Suite(.timeLimit(.minutes(60))) struct AdvancePropertyTests {
    /// A result that a program holds.
    struct Held {
        var query: AdvanceRequest.Query
        var ids: RowIDBuffer
        var snapshot: LibrarySnapshot
    }

    private static let cases =
        ProcessInfo.processInfo.environment["PHOTOS_OBSERVE_CASES"].flatMap(Int.init) ?? 1_500

    @Test func detailsLeadToWhatAFetchGives() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var remaining = Self.cases
        var tally = Tally()
        while remaining > 0 {
            let library = try RandomLibrary(SeededGenerator(seed: generator.next()))
            let count = min(remaining, Self.cases > 10_000 ? 1_500 : 500)
            var check = AdvanceCheck(library: library)
            try check.run(cases: count)
            remaining -= count
            tally.add(check.tally)
            if let failure = check.failure {
                Issue.record("\(seed): \(failure)")
                return
            }
        }
        // The test is only useful if it saw all kinds of answers. A library may happen to be
        // invisible to clients for long, so the limits are far below the usual figures.
        #expect(tally.unchanged > Self.cases / 60, seed.comment)
        #expect(tally.steps > Self.cases / 30, seed.comment)
        #expect(tally.moves > 0, seed.comment)
        #expect(tally.changed > Self.cases / 60, seed.comment)
    }

    /// The figures of a run.
    struct Tally {
        var unchanged = 0
        var steps = 0
        var moves = 0
        var changed = 0

        mutating func add(_ other: Tally) {
            unchanged += other.unchanged
            steps += other.steps
            moves += other.moves
            changed += other.changed
        }
    }
}

/// Holds results of one library, lets it change, and checks their change details.
struct AdvanceCheck {
    let library: RandomLibrary
    private let view: LibraryView
    private var held: [AdvancePropertyTests.Held] = []
    private(set) var tally = AdvancePropertyTests.Tally()
    /// The first error.
    private(set) var failure: String?

    init(library: RandomLibrary) {
        self.library = library
        view = LibraryView(store: library.world.store)
    }

    mutating func run(cases: Int) throws {
        var remaining = cases
        while remaining > 0, failure == nil {
            if library.chance(4) { changeAccess() }
            try library.change()
            for _ in 0..<min(remaining, 12) {
                remaining -= 1
                try checkOne()
            }
        }
    }

    private func changeAccess() {
        switch library.number(in: 0..<6) {
        case 0: view.access.set(.none)
        case 1..<3:
            let uuids = library.some(of: library.assetUUIDs, atMost: library.assetUUIDs.count)
            view.access.set(.limited(Set(uuids)))
        default: view.access.set(.full)
        }
    }

    /// Fetches a new result, or requests the details of one that is held.
    private mutating func checkOne() throws {
        guard held.count >= 30 || (held.count > 4 && !library.chance(20)) else {
            let query = library.query()
            let new = try fetch(query)
            let expected = try oracle(query)
            guard new.ids == expected else {
                failure = "\(query) fetched \(list(new.ids)), not \(list(expected))"
                return
            }
            held.append(new)
            return
        }
        let index = library.number(in: 0..<held.count)
        let before = held[index]
        let wantsSteps = !library.chance(10)
        let isPinned = library.chance(20)
        let pin = isPinned ? try view.pin() : nil
        let expected = try oracle(before.query)
        // The library may change while the state is pinned.
        // A client without access is at version 0.
        let version = view.access.state.access.isNone ? 0 : library.version
        if isPinned, library.chance(50) { try library.change() }
        // Most often with the low limit at which large results are fetched again.
        let many = library.chance(60) ? 1 : FetchPlan.manyMatches
        let reply = try ResultAdvancer(view, manyMatches: many).advance(
            AdvanceRequest(
                query: before.query,
                ids: before.ids,
                snapshot: before.snapshot,
                pin: pin?.pin,
                wantsSteps: wantsSteps
            )
        )
        if let pin { view.unpin(pin.pin) }
        check(reply, of: before, expected, version: version, wantsSteps: wantsSteps)
        if library.chance(50) {
            held[index].ids = expected
            held[index].snapshot = reply.snapshot
        } else if library.chance(10) {
            held.remove(at: index)
        }
    }

    private mutating func check(
        _ reply: AdvanceReply,
        of before: AdvancePropertyTests.Held,
        _ expected: RowIDBuffer,
        version: Int64,
        wantsSteps: Bool
    ) {
        func fail(_ what: String) -> String {
            """
            \(what)
            query \(before.query)
            from \(before.snapshot) \(list(before.ids))
            to \(reply.snapshot) \(list(expected))
            outcome \(reply.outcome)
            """
        }
        let (must, may) = changes(of: before, expected, through: version)
        guard reply.snapshot.version == version else {
            failure = fail("wrong version, not \(version)")
            return
        }
        switch reply.outcome {
        case .unchanged:
            tally.unchanged += 1
            if before.ids != expected || !must.isEmpty { failure = fail("not unchanged") }
        case .reload(let ids):
            if wantsSteps { failure = fail("a reload where steps were wanted") }
            if ids != expected { failure = fail("wrong ids") }
        case .steps(let ids, let steps):
            tally.steps += 1
            tally.moves += steps.moves.isEmpty ? 0 : 1
            tally.changed += steps.changed.isEmpty ? 0 : 1
            let old = Set(before.ids)
            let inserted = expected.filter { !old.contains($0) }
            let applied = steps.applied(to: Array(before.ids), inserting: Array(inserted))
            if !wantsSteps { failure = fail("steps that nobody wanted") }
            if ids != expected { failure = fail("wrong ids") }
            if applied != Array(expected) { failure = fail("the steps give \(applied ?? [])") }
            let changed = Set(steps.changed.map { expected[$0] })
            let (missing, surplus) = (must.subtracting(changed), changed.subtracting(may))
            if !missing.isEmpty { failure = fail("changed lacks \(missing)") }
            if !surplus.isEmpty { failure = fail("changed has \(surplus), which did not") }
            if steps.isEmpty { failure = fail("steps without a step") }
        }
    }

    /// Returns which of the remaining objects differ from their former state, and which did in
    /// between.
    private func changes(
        of before: AdvancePropertyTests.Held,
        _ after: RowIDBuffer,
        through version: Int64
    ) -> (must: Set<Int64>, may: Set<Int64>) {
        let stayed = Set(before.ids).intersection(after)
        let first = before.snapshot.version
        guard first < version else { return ([], []) }
        func differing(_ from: Int64, _ to: Int64) -> Set<Int64> {
            guard let from = library.states[from], let to = library.states[to] else { return [] }
            guard case .assets(let request) = before.query else {
                return stayed.filter { id in
                    from.collections[id] != to.collections[id]
                        || from.members[id] != to.members[id]
                        || from.places[id] != to.places[id]
                }
            }
            var album: Int64?
            if case .album(let uuid) = request.scope, SmartAlbum(uuid: uuid) == nil {
                album = to.collections.values.first { $0.uuid == uuid }?.id
            }
            return stayed.filter { id in
                from.assets[id] != to.assets[id] || from.resources[id] != to.resources[id]
                    || (album.map { from.members[$0]?[id] != to.members[$0]?[id] } ?? false)
            }
        }
        var may: Set<Int64> = []
        for step in first..<version {
            may.formUnion(differing(step, step + 1))
            guard let meant = library.states[step + 1]?.meant else { continue }
            if case .assets = before.query {
                may.formUnion(meant.assets)
            } else {
                may.formUnion(meant.collections)
            }
        }
        // If only the position in an album differs, the album may have been renumbered.
        let must = differing(first, version).filter { id in
            guard case .assets = before.query else {
                return library.states[first]?.collections[id]
                    != library.states[version]?.collections[id]
            }
            let (old, new) = (library.states[first], library.states[version])
            return old?.assets[id] != new?.assets[id] || old?.resources[id] != new?.resources[id]
        }
        return (must, may)
    }

    private func fetch(_ query: AdvanceRequest.Query) throws -> AdvancePropertyTests.Held {
        switch query {
        case .assets(let request):
            let reply = try AssetFetcher(view).fetch(request)
            return .init(query: query, ids: reply.ids, snapshot: reply.snapshot)
        case .collections(let request):
            let reply = try CollectionFetcher(view).fetch(request)
            return .init(query: query, ids: reply.ids, snapshot: reply.snapshot)
        }
    }

    /// Returns the result directly from the rows, without a cache.
    private func oracle(_ query: AdvanceRequest.Query) throws -> RowIDBuffer {
        let ids = try view.read { reading in
            let plan = try query.plan(reading)
            return try reading.database.rowIDs(plan.sql, plan.allArguments)
        }
        return RowIDBuffer(ids)
    }

    private func list(_ ids: RowIDBuffer) -> String { "\(Array(ids))" }
}
