internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// A list of assets that browsers show, with its latest states.
///
/// While the library changes, a client reads consistently from the state that it has, and receives
/// the steps to the next states.
final class GalleryList: Sendable {
    /// The number of states that are retained.
    static let depth = 4
    /// The maximum number of removed, moved, inserted and changed entries in a step; after a larger
    /// change, the page reloads the list.
    static let entryLimit = 500

    /// The list at one version of the library.
    struct State: Sendable {
        let number: Int
        let result: PHFetchResult<PHAsset>
        let headings: [TimelineDays.Heading]
    }

    /// The change of a list from one state to the next.
    struct Step: Sendable {
        let number: Int
        /// The data of the event that describes the step, as JSON.
        let data: String
        /// The local identifiers of the assets whose entries the data contains.
        let assets: [String]
    }

    private struct Content {
        var states: [State]
        var steps: [Step] = []
        /// The capture days in the latest state; nil for a list that is not sorted by date.
        var days: TimelineDays?
        var lastUse = ContinuousClock.now
    }

    let name: String
    let query: ListQuery
    /// The number of photos in each group of duplicates; nil for other lists.
    let groups: [Int]?
    private let content: Mutex<Content>

    init(
        name: String,
        query: ListQuery,
        result: PHFetchResult<PHAsset>,
        days: TimelineDays?,
        groups: [Int]?
    ) {
        self.name = name
        self.query = query
        self.groups = groups
        let state = State(number: 0, result: result, headings: Self.headings(days, result))
        content = Mutex(Content(states: [state], days: days))
    }

    private static func headings(
        _ days: TimelineDays?,
        _ result: PHFetchResult<PHAsset>
    ) -> [TimelineDays.Heading] {
        if let days { return days.headings }
        return result.count == 0 ? [] : [TimelineDays.Heading(day: "", count: result.count)]
    }

    // MARK: - Reading

    /// The latest state, as the basis for advancing the list after a library change.
    var latest: State {
        content.withLock { content in
            content.lastUse = .now
            // There is always at least one state.
            return content.states[content.states.count - 1]
        }
    }

    /// Returns a state by its number; nil if it is no longer retained.
    func state(_ number: Int) -> State? {
        content.withLock { content in
            content.lastUse = .now
            return content.states.last { $0.number == number }
        }
    }

    /// Returns the name of a state: the list's name and the state's number.
    func snapshot(_ number: Int) -> String { "\(name).\(number)" }

    /// The time of the last use.
    var lastUse: ContinuousClock.Instant { content.withLock { $0.lastUse } }

    /// Returns the steps since a state; nil if they are no longer retained.
    func steps(since number: Int) -> [Step]? {
        content.withLock { content in
            let later = content.steps.filter { $0.number > number }
            let first = content.states[content.states.count - 1].number - later.count
            return first == number ? later : nil
        }
    }

    /// Returns the data of an event that leads from a state to the latest one and names no assets.
    ///
    /// The page then requests the list again.
    func wholeStep(since number: Int) -> String {
        let latest = latest
        return ChangeMessage(
            previous: snapshot(number),
            snapshot: snapshot(latest.number),
            before: [],
            days: TimelineDays(headings: []),
            author: nil
        ).data(nil, latest.result, nil)
    }

    // MARK: - Changing

    /// Advances the list to the state after a change of the library.
    ///
    /// Called on the queue that delivers changes.
    ///
    /// - Returns: The step; nil when the list does not change.
    func advance(
        with change: PHChange,
        by author: String?,
        lines: AssetLines
    ) throws -> Step? {
        let before = latestForChange
        guard let details = change.changeDetails(for: before.result) else { return nil }
        let after = details.fetchResultAfterChanges
        let number = before.number + 1
        let moves = ListMoves(details)
        let isSmall = moves.map { $0.count <= Self.entryLimit } ?? false
        var days: TimelineDays?
        if query.isDated {
            if let moves, isSmall, let old = content.withLock({ $0.days }) {
                days = try TimelineDays(
                    days: moves.apply(to: old.days, dayAt: Self.days(after, lines.library)),
                    order: query.order
                )
            } else {
                days = TimelineDays(
                    runs: try lines.library.captureDays(of: after),
                    order: query.order
                )
            }
        }
        let headings = Self.headings(days, after)
        let data = ChangeMessage(
            previous: snapshot(before.number),
            snapshot: snapshot(number),
            before: before.headings,
            days: days ?? TimelineDays(headings: headings),
            author: author
        ).data(isSmall ? moves : nil, after, try isSmall ? moves?.lines(after, lines) : nil)
        var entries: [Int] = []
        if isSmall, let moves { entries = moves.inserted + moves.changed }
        let step = Step(
            number: number,
            data: data,
            assets: entries.map { after.object(at: $0).localIdentifier }.filter { !$0.isEmpty }
        )
        let state = State(number: number, result: after, headings: headings)
        content.withLock { content in
            content.states = Array((content.states + [state]).suffix(Self.depth))
            content.steps = Array((content.steps + [step]).suffix(Self.depth))
            content.days = days
        }
        return step
    }

    /// The latest state, as the basis for advancing the list after a library change.
    ///
    /// Unlike `latest`, reading it does not count as a use of the list.
    private var latestForChange: State {
        content.withLock { $0.states[$0.states.count - 1] }
    }

    /// Returns a closure that maps an index in a fetch result to the capture day of the asset.
    private static func days(
        _ result: PHFetchResult<PHAsset>,
        _ library: PhotoLibraryBundle
    ) -> (Int) throws -> Int32 {
        { index in
            let single = result.object(at: index)
            let found = library.using {
                PHAsset.fetchAssets(withLocalIdentifiers: [single.localIdentifier], options: nil)
            }
            let day = try library.captureDays(of: found).first?.day
            return day.map { Int32(clamping: $0.number) } ?? TimelineDays.none
        }
    }
}
