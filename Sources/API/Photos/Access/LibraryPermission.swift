internal import Dispatch
internal import Foundation
internal import Glibc
package import LibraryService
package import Logging
package import PhotoModel
package import ProgramAccess
internal import Synchronization

/// The permission of this program to use a library, as the engine or a daemon reports it.
///
/// A connection without a permission object belongs to the library's owner. The type is
/// thread-safe. Only methods that say so wait for the user.
package final class LibraryPermission: Sendable {
    /// A closure that opens the authorization service that is used while no library is open.
    package typealias Opener = @Sendable () throws(LibraryError) -> any AuthorizationService

    /// The label of the queues on which handlers are called, one for each call.
    package static let handlerLabel = "photos.permission.handlers"

    package let program: ClientProgram
    private let logger: Logger
    private let withoutLibrary: Opener
    private let connection = Mutex(WeakConnection())
    private let queue = DispatchQueue(label: "photos.permission")
    private let hasAsked = Atomic<Bool>(false)
    private let isAnswered = Atomic<Bool>(false)
    private let remarks = Mutex<Set<String>>([])
    /// The time of the last recorded use of a library, on this process's monotonic clock; 0 before
    /// the first use.
    private let lastNoted = Atomic<Int>(0)

    private struct WeakConnection { weak var connection: LibraryConnection? }

    /// Creates the permission of a program.
    ///
    /// - Parameters:
    ///   - program: The program, whose own choices count only with the engine in this process.
    ///   - logger: Receives what a call cannot throw.
    ///   - withoutLibrary: Opens the authorization of the program while no library is open.
    package init(
        _ program: ClientProgram,
        logger: Logger,
        withoutLibrary: @escaping Opener
    ) {
        self.program = program
        self.logger = logger
        self.withoutLibrary = withoutLibrary
    }

    /// Sets the connection whose library reports the permission.
    ///
    /// Called once, before any use.
    func attach(to connection: LibraryConnection) {
        self.connection.withLock { $0.connection = connection }
    }

    /// Returns the service that reports the permission: the open library, or the result of
    /// `withoutLibrary` while no library is open.
    ///
    /// - Parameter opensLibrary: Whether to open the library first, if it can be opened.
    /// - Returns: The authorization service.
    /// - Throws: The reason that the permission cannot be determined.
    private func authority(
        opensLibrary: Bool = false
    ) throws(LibraryError) -> any AuthorizationService {
        let connection = connection.withLock(\.connection)
        if let service = connection?.openService { return service }
        // Its failure is reported by the calls that need the library.
        if opensLibrary, let service = try? connection?.opened() { return service }
        return try withoutLibrary()
    }

    /// Returns the permission at an access level.
    ///
    /// If it cannot be determined, the reply has the status `notDetermined` and the reason.
    func permission(at level: AccessLevel) -> AuthorizationStatusReply {
        do throws(LibraryError) {
            return try authority().authorizationStatus(AuthorizationStatusRequest(level: level))
        } catch {
            return AuthorizationStatusReply(status: .notDetermined, refusal: error)
        }
    }

    /// Returns the authorization status for an access level.
    package func status(for level: AccessLevel) -> AccessStatus { permission(at: level).status }

    /// The reason that the program is not allowed to read anything, or nil if it may read at least
    /// some assets.
    package var refusal: LibraryError? { permission(at: .readWrite).refusal }

    /// Logs that the program's permission limits a fetch, once for each distinct reason.
    func report(_ refusal: LibraryError) {
        guard remarks.withLock({ $0.insert(refusal.description).inserted }) else { return }
        logger.warning(
            "The program's permission limits a fetch.",
            metadata: refusal.metadata(for: logger)
        )
    }

    // MARK: - Requesting authorization

    /// Prompts the user for access if no choice was made yet, and waits for the user's answer.
    ///
    /// - Parameter level: The level, or nil for that of the first use.
    /// - Returns: The status; `denied` when nobody answered.
    private func request(_ level: AccessLevel?) -> AccessStatus {
        do throws(LibraryError) {
            let known = try authority()
                .authorizationStatus(AuthorizationStatusRequest(level: level ?? .readWrite)).status
            if known != .notDetermined { return known }
            let reply = try authority(opensLibrary: true)
                .requestAuthorization(AuthorizationRequest(level: level))
            if let remark = reply.remark { note(remark, of: reply.status) }
            return reply.status
        } catch {
            note(error.description, of: .denied)
            return .denied
        }
    }

    /// Logs a message about an authorization request, unless the same message was logged before.
    private func note(_ remark: String, of status: AccessStatus) {
        guard remarks.withLock({ $0.insert(remark).inserted }) else { return }
        // The remark names this program, and may name a file in the home folder.
        let text =
            logger.logLevel <= .debug
            ? remark : remark.replacingOccurrences(of: NSHomeDirectory(), with: LogText.removed)
        logger.warning(
            status == .limited
                ? "The selection of photos could not be changed."
                : "Nobody was asked for permission.",
            metadata: ["photos.error": "\(text)"]
        )
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
            OwnQueue.run(Self.handlerLabel) { handler(.authorized) }
            return
        }
        permission.queue.async {
            let status = permission.request(level)
            // Handlers may request another level and wait for it.
            OwnQueue.run(Self.handlerLabel) { handler(status) }
        }
    }

    /// Records that the program uses the library.
    ///
    /// On the first use, this starts the access prompt without waiting for the answer.
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

    /// The current time in seconds on a coarse monotonic clock, never 0; reading it takes a few
    /// nanoseconds.
    private static var coarseSeconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec + 1
    }

    /// Prompts the user on the first use of a library, and waits for the answer.
    ///
    /// If the prompt is already shown, it waits for that answer. After the answer, it returns at
    /// once.
    func awaitFirstAnswer() {
        if isAnswered.load(ordering: .acquiring) { return }
        queue.sync { askOnce() }
    }

    /// Prompts the user on the first call, and does nothing on later calls.
    ///
    /// It must be called on `queue`.
    private func askOnce() {
        guard !hasAsked.exchange(true, ordering: .relaxed) else { return }
        defer { isAnswered.store(true, ordering: .releasing) }
        _ = request(nil)
    }

    // MARK: - Selecting assets

    /// Lets the user change which assets a program with limited access may see, and waits for the
    /// choice.
    ///
    /// - Returns: The local identifiers of the added assets, newest first.
    /// - Throws: The reason that no assets can be offered, or that the selection cannot be saved.
    package func changeSelection() throws(LibraryError) -> [String] {
        try authority(opensLibrary: true).changeSelection().added
            .map { $0 + ObjectKind.asset.identifierSuffix }
    }

    /// Lets the user change which assets a program with limited access may see, without waiting.
    ///
    /// The handler is called once, on an unspecified queue.
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
            OwnQueue.run(Self.handlerLabel) { handler(result) }
        }
    }

    private func recordUnchangedSelection(_ error: LibraryError) {
        logger.warning(
            "The selection of photos could not be changed.",
            metadata: error.metadata(for: logger)
        )
    }
}
