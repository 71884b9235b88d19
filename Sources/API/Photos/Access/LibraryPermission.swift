internal import Dispatch
internal import Foundation
internal import Glibc
package import LibraryService
package import Logging
package import PhotoModel
package import ProgramAccess
internal import Synchronization

/// What this program may do with a library, and the asking about it.
///
/// A library of no permission is its owner's. Thread-safe; only what says so waits for a person.
package final class LibraryPermission: Sendable {
    /// Opens the library as its owner, for the person who selects assets.
    package typealias Opener = @Sendable () throws(LibraryError) -> any LibraryService

    /// How many assets can be selected from: the newest.
    private static let offered = 5_000

    package let program: ClientProgram
    private let logger: Logger
    private let owner: Opener
    private let queue = DispatchQueue(label: "photos.permission")
    private let hasAsked = Atomic<Bool>(false)
    private let isAnswered = Atomic<Bool>(false)
    private let remarks = Mutex<Set<String>>([])
    /// When the use was last noted, by this process's clock; 0 before.
    private let lastNoted = Atomic<Int>(0)

    package init(_ program: ClientProgram, logger: Logger, owner: @escaping Opener) {
        self.program = program
        self.logger = logger
        self.owner = owner
    }

    /// What holds at a level.
    package func status(for level: AccessLevel) -> AccessStatus { program.status(for: level) }

    /// Why the program may not read; nil when it may read something.
    package var refusal: LibraryError? {
        let status = status(for: .readWrite)
        if status == .authorized || status == .limited { return nil }
        return self.status(for: .addOnly) == .authorized
            ? program.refusalOfReading : program.refusal(of: status)
    }

    /// Why the program may not see hidden assets, of those that it may see; nil when it may, and when
    /// it sees none at all.
    var refusalOfHidden: LibraryError? {
        guard let choice = try? program.choice(), !choice.includesHidden else { return nil }
        return choice.readWrite == .authorized || choice.readWrite == .limited
            ? program.refusalOfHidden : nil
    }

    /// Logs why a fetch shows less than was asked for: each reason once.
    func report(_ refusal: LibraryError) {
        remark(refusal.description)
    }

    private func remark(_ remark: String) {
        guard remarks.withLock({ $0.insert(remark).inserted }) else { return }
        logger.warning("\(remark)")
    }

    // MARK: - Asking

    /// Asks when nothing was chosen yet, and waits for the answer.
    private func request(_ level: AccessLevel) -> AccessStatus {
        let outcome = program.request(
            level,
            asker: PersonAskers.present,
            library: { self.selectable }
        )
        if let words = outcome.remark { remark(words) }
        return outcome.status
    }

    /// Asks when nothing was chosen yet.
    ///
    /// - Parameters:
    ///   - level: What is asked for.
    ///   - permission: Whose; nil for the owner, who may do everything.
    ///   - handler: Called once, with no lock held, and not before this has returned.
    static func request(
        _ level: AccessLevel,
        of permission: LibraryPermission?,
        handler: @escaping @Sendable (AccessStatus) -> Void
    ) {
        guard let permission else {
            DispatchQueue.global().async { handler(.authorized) }
            return
        }
        permission.queue.async {
            let status = permission.request(level)
            // Handlers may ask for something else, and wait for it.
            DispatchQueue.global().async { handler(status) }
        }
    }

    /// Asks, the first time that the library is used, and waits for nobody; notes the day of the use.
    func recordUse() {
        if !hasAsked.load(ordering: .relaxed) { queue.async { self.askOnce() } }
        let time = Self.coarseSeconds
        let last = lastNoted.load(ordering: .relaxed)
        guard last == 0 || time - last >= Int(ProgramUses.interval),
            lastNoted.compareExchange(expected: last, desired: time, ordering: .relaxed).exchanged
        else { return }
        // At once: some programs end right after. It waits for no disk.
        program.recordUse()
    }

    /// Seconds since some moment, not 0: a clock that costs some nanoseconds.
    private static var coarseSeconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec + 1
    }

    /// Asks, unless the library was used before, and waits for whoever is being asked.
    func awaitFirstAnswer() {
        if isAnswered.load(ordering: .acquiring) { return }
        queue.sync { askOnce() }
    }

    /// On the queue.
    private func askOnce() {
        guard !hasAsked.exchange(true, ordering: .relaxed) else { return }
        defer { isAnswered.store(true, ordering: .releasing) }
        guard status(for: .readWrite) == .notDetermined, status(for: .addOnly) == .notDetermined
        else { return }
        _ = request(program.identity.firstLevel)
    }

    // MARK: - Selecting

    /// Lets the person change what the program may see while it is limited, and waits.
    ///
    /// - Returns: The local identifiers of the assets that were added, newest first.
    /// - Throws: Why there is nothing to select from, or what was selected cannot be kept.
    package func changeSelection() throws(LibraryError) -> [String] {
        guard status(for: .readWrite) == .limited else { return [] }
        guard let asker = PersonAskers.present else {
            throw LibraryError(
                .accessDenied,
                "Nobody can be asked which photos \(program.identity.quotedName) may see.",
                reason: "It has neither a terminal in its foreground nor a desktop with dialogs.",
                recovery: "Run photos access limit \(program.identity.shellWord) with identifiers."
            )
        }
        let library = try wholeLibrary()
        let added = try program.changeSelection(in: library, asker: asker)
        return library.assets.filter { added.contains($0.uuid) }
            .map { $0.uuid + ObjectKind.asset.identifierSuffix }
    }

    /// The same without waiting: calls back once, on a queue of no particular kind.
    package func changeSelection(
        handler: @escaping @Sendable (Result<[String], LibraryError>) -> Void
    ) {
        queue.async {
            let result: Result<[String], LibraryError>
            do throws(LibraryError) {
                result = .success(try self.changeSelection())
            } catch {
                result = .failure(error)
                self.logger.warning("\(error)")
            }
            DispatchQueue.global().async { handler(result) }
        }
    }

    private var selectable: SelectableLibrary? {
        do throws(LibraryError) {
            return try wholeLibrary()
        } catch {
            logger.warning("\(error)")
            return nil
        }
    }

    /// The newest assets of the library, as its owner sees them.
    private func wholeLibrary() throws(LibraryError) -> SelectableLibrary {
        let service = try owner()
        var request = AssetFetchRequest()
        request.sort = [AssetFetchRequest.SortKey("creationDate", ascending: false)]
        request.limit = Self.offered
        let ids = try service.fetch(request).ids
        let records = try service.loadAssets(AssetLoadRequest(ids: ids)).assets
        let style = Date.ISO8601FormatStyle().year().month().day()
        return SelectableLibrary(
            uuid: try service.status().libraryUUID,
            assets: records.map { record in
                SelectableAsset(
                    uuid: record.uuid,
                    name: record.originalFilename,
                    date: record.creationDate.map { $0.formatted(style) } ?? "",
                    isSelected: false
                )
            }
        )
    }
}
