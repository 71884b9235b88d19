internal import Dispatch
internal import Foundation
internal import Glibc
package import LibraryService
package import Logging
package import PhotoModel
package import ProgramAccess
internal import Synchronization

/// The permission of this program to use a library, and the prompts for it.
///
/// A connection without a permission object belongs to the library's owner. The type is
/// thread-safe. Only methods that say so wait for the user.
package final class LibraryPermission: Sendable {
    /// Opens the library as its owner, for the user who selects assets.
    package typealias Opener = @Sendable () throws(LibraryError) -> any LibraryService

    /// The maximum number of assets, newest first, that the user can select from.
    private static let offered = 5_000

    package let program: ClientProgram
    private let logger: Logger
    private let owner: Opener
    private let queue = DispatchQueue(label: "photos.permission")
    private let hasAsked = Atomic<Bool>(false)
    private let isAnswered = Atomic<Bool>(false)
    private let remarks = Mutex<Set<String>>([])
    /// The time of the last recorded use on this process's monotonic clock, or 0 before the first.
    private let lastNoted = Atomic<Int>(0)

    package init(_ program: ClientProgram, logger: Logger, owner: @escaping Opener) {
        self.program = program
        self.logger = logger
        self.owner = owner
    }

    /// Returns the authorization status for an access level.
    package func status(for level: AccessLevel) -> AccessStatus { program.status(for: level) }

    /// The reason that the program may not read anything, or nil if it may read at least some
    /// assets.
    package var refusal: LibraryError? {
        let status = status(for: .readWrite)
        if status == .authorized || status == .limited { return nil }
        return self.status(for: .addOnly) == .authorized
            ? program.refusalOfReading : program.refusal(of: status)
    }

    /// The reason that hidden assets are left out of the visible ones.
    ///
    /// It is nil if the program may see hidden assets, or may not see any assets.
    var refusalOfHidden: LibraryError? {
        guard let choice = try? program.choice(), !choice.includesHidden else { return nil }
        return choice.readWrite == .authorized || choice.readWrite == .limited
            ? program.refusalOfHidden : nil
    }

    /// Logs why a fetch returned less than requested, once per reason.
    func report(_ refusal: LibraryError) {
        guard remarks.withLock({ $0.insert(refusal.description).inserted }) else { return }
        logger.warning(
            "The program's permission limits a fetch.",
            metadata: refusal.metadata(for: logger)
        )
    }

    // MARK: - Requesting authorization

    /// Prompts the user if no choice was made yet, and waits for the answer.
    private func request(_ level: AccessLevel) -> AccessStatus {
        let outcome = program.request(
            level,
            asker: PersonAskers.present,
            library: { self.selectable }
        )
        if let remark = outcome.remark, remarks.withLock({ $0.insert(remark).inserted }) {
            // The remark names this program, and may name a file in the home folder.
            let text =
                logger.logLevel <= .debug
                ? remark
                : remark.replacingOccurrences(of: NSHomeDirectory(), with: LogText.removed)
            logger.warning(
                "Nobody was asked for permission.",
                metadata: ["photos.error": "\(text)"]
            )
        }
        return outcome.status
    }

    /// Requests authorization, and prompts the user if no choice was made yet.
    ///
    /// - Parameters:
    ///   - level: The access level to request.
    ///   - permission: The program's permission, or nil for the owner, who has full access.
    ///   - handler: Called once, asynchronously, while no lock is held.
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
            // Handlers may request another level and wait for it.
            DispatchQueue.global().async { handler(status) }
        }
    }

    /// Records the day of the use, and on first use starts the prompt without waiting for the
    /// answer.
    func recordUse() {
        if !hasAsked.load(ordering: .relaxed) { queue.async { self.askOnce() } }
        let time = Self.coarseSeconds
        let last = lastNoted.load(ordering: .relaxed)
        guard last == 0 || time - last >= Int(ProgramUses.interval),
            lastNoted.compareExchange(expected: last, desired: time, ordering: .relaxed).exchanged
        else { return }
        // Recorded immediately because some programs exit right after. This does not wait for the
        // disk.
        program.recordUse()
    }

    /// The seconds on a coarse monotonic clock, never 0; reading it costs a few nanoseconds.
    private static var coarseSeconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec + 1
    }

    /// Prompts the user if this is the first use, and waits for any prompt in progress.
    func awaitFirstAnswer() {
        if isAnswered.load(ordering: .acquiring) { return }
        queue.sync { askOnce() }
    }

    /// Prompts the user once; runs on the queue.
    private func askOnce() {
        guard !hasAsked.exchange(true, ordering: .relaxed) else { return }
        defer { isAnswered.store(true, ordering: .releasing) }
        guard status(for: .readWrite) == .notDetermined, status(for: .addOnly) == .notDetermined
        else { return }
        _ = request(program.identity.firstLevel)
    }

    // MARK: - Selecting assets

    /// Lets the user change the selection of a limited program, and waits.
    ///
    /// - Returns: The local identifiers of the added assets, newest first.
    /// - Throws: The reason that no assets can be offered, or that the selection cannot be saved.
    package func changeSelection() throws(LibraryError) -> [String] {
        guard status(for: .readWrite) == .limited else { return [] }
        guard let asker = PersonAskers.present else {
            throw LibraryError(
                .accessDenied,
                "The user cannot be asked which photos \(program.identity.quotedName) may see.",
                reason: "The program has neither a foreground terminal nor a desktop with dialogs.",
                recovery:
                    "Run photos access limit \(program.identity.shellWord) with the identifiers."
            )
        }
        let library = try wholeLibrary()
        let added = try program.changeSelection(in: library, asker: asker)
        return library.assets.filter { added.contains($0.uuid) }
            .map { $0.uuid + ObjectKind.asset.identifierSuffix }
    }

    /// Lets the user change the selection without waiting, and calls back once on an unspecified
    /// queue.
    package func changeSelection(
        handler: @escaping @Sendable (Result<[String], LibraryError>) -> Void
    ) {
        queue.async {
            let result: Result<[String], LibraryError>
            do throws(LibraryError) {
                result = .success(try self.changeSelection())
            } catch {
                result = .failure(error)
                self.recordUnchangedSelection(error)
            }
            DispatchQueue.global().async { handler(result) }
        }
    }

    private var selectable: SelectableLibrary? {
        do throws(LibraryError) {
            return try wholeLibrary()
        } catch {
            recordUnchangedSelection(error)
            return nil
        }
    }

    private func recordUnchangedSelection(_ error: LibraryError) {
        logger.warning(
            "The selection of photos could not be changed.",
            metadata: error.metadata(for: logger)
        )
    }

    /// Returns the newest assets of the library, as its owner sees them.
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
