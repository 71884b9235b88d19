public import Foundation
internal import LibraryService
internal import PhotoModel
internal import ProgramAccess

/// The photo library: what fetches read from and change blocks change.
///
/// ``shared()`` is the library at `$PHOTOS_LIBRARY`, else `Photos Library.photolibrary` in the
/// pictures folder. It is opened when it is first needed, and can be used from any thread.
open class PHPhotoLibrary: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    package let connection: LibraryConnection

    package init(connection: LibraryConnection) {
        self.connection = connection
        super.init()
    }

    /// The one library of this process.
    ///
    /// Never fails: while the library cannot be opened fetches are empty, the reason is logged, and
    /// ``unavailabilityReason`` holds it.
    @discardableResult
    open class func shared() -> PHPhotoLibrary {
        LibraryConnection.current.library
    }

    /// Why the library cannot be read; nil when it can.
    ///
    /// A ``PHPhotosError``, with code `libraryVolumeOffline` when the library or its volume is not
    /// there, and `accessUserDenied` or `accessRestricted` when this program may not read it. Asked
    /// afresh every time, so a volume that was mounted meanwhile is found.
    open var unavailabilityReason: (any Error)? {
        do throws(LibraryError) {
            _ = try connection.service().status()
            return connection.permission?.refusal.map { PHPhotosError($0) }
        } catch {
            return PHPhotosError(error)
        }
    }

    // MARK: - Authorization

    /// What this program may do at a level.
    ///
    /// Answered from what is chosen at the moment; asks nobody. ``PHAuthorizationStatus/limited`` is
    /// a status of `readWrite` only.
    @discardableResult
    open class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        guard let permission = LibraryConnection.current.permission else { return .authorized }
        return PHAuthorizationStatus(permission.status(for: AccessLevel(accessLevel)))
    }

    /// Whether this program may read and write; `authorized` also when it may see selected assets
    /// only.
    @discardableResult
    open class func authorizationStatus() -> PHAuthorizationStatus {
        authorizationStatus(for: .readWrite).withoutLimit
    }

    /// Asks the person at the computer, when that was not done yet, and reports what was chosen.
    ///
    /// The question is put on the controlling terminal while the program is in its foreground, never
    /// on its standard input, else by a dialog of the desktop. Where nobody can be asked, or nobody
    /// answers, the handler gets `denied`, the status stays `notDetermined`, and a logged message
    /// says what to run instead.
    ///
    /// - Parameters:
    ///   - accessLevel: What is asked for.
    ///   - handler: Called once, on a queue of no particular kind.
    open class func requestAuthorization(
        for accessLevel: PHAccessLevel,
        handler: @escaping (PHAuthorizationStatus) -> Void
    ) {
        let handler = AuthorizationHandler(body: handler)
        LibraryPermission.request(
            AccessLevel(accessLevel),
            of: LibraryConnection.current.permission
        ) { handler.body(PHAuthorizationStatus($0)) }
    }

    /// Asks the person at the computer, when that was not done yet, and reports what was chosen.
    ///
    /// As with a handler; cancelling the task does not take the question back.
    open class func requestAuthorization(
        for accessLevel: PHAccessLevel
    ) async -> PHAuthorizationStatus {
        let permission = LibraryConnection.current.permission
        return await withCheckedContinuation { continuation in
            LibraryPermission.request(AccessLevel(accessLevel), of: permission) {
                continuation.resume(returning: PHAuthorizationStatus($0))
            }
        }
    }

    /// Asks for reading and writing; `authorized` also when selected assets may be seen only.
    ///
    /// - Parameter handler: Called once, on a queue of no particular kind.
    open class func requestAuthorization(_ handler: @escaping (PHAuthorizationStatus) -> Void) {
        requestAuthorization(for: .readWrite) { handler($0.withoutLimit) }
    }

    // MARK: - Changing

    /// Changes the library: all that a block asks for, at once and durably, or nothing of it.
    ///
    /// The block makes change requests, which only record. When it has ended, the files that they name
    /// are copied and everything is committed as one transaction. What it asks for is not to be seen
    /// by fetches inside of it.
    ///
    /// - Parameters:
    ///   - changeBlock: Runs once, on a serial queue, after those before it. Another change block inside of it is a programming error, and stops the program.
    ///   - completionHandler: Called once, on a serial queue, when the change is durable or has
    ///     failed: whether it succeeded, and else a ``PHPhotosError``. It may wait for further changes.
    open func performChanges(
        _ changeBlock: @escaping () -> Void,
        completionHandler: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        guard ChangeRecorder.current == nil else {
            fatalError(
                "PHPhotoLibrary.performChanges(_:completionHandler:): This method cannot be called"
                    + " from inside of a change block."
            )
        }
        let handler = completionHandler.map { handler in
            ChangeHandler { result in
                switch result {
                case .success: handler(true, nil)
                case .failure(let error): handler(false, PHPhotosError(error))
                }
            }
        }
        connection.changes.submit(
            ChangeBlock(body: changeBlock),
            to: connection,
            handler: handler
        )
    }

    /// Changes the library: all that a block asks for, at once and durably, or nothing of it.
    ///
    /// - Parameter changeBlock: Makes change requests. Runs once, on a serial queue; not at all when
    ///   the task is cancelled before.
    /// - Throws: A ``PHPhotosError``, which says which request failed and why; `userCancelled` when the
    ///   task was cancelled before the block began.
    open func performChanges(_ changeBlock: @escaping () -> Void) async throws {
        try await connection.changes.submit(ChangeBlock(body: changeBlock), to: connection)
    }

    /// Changes the library and waits until that is durable.
    ///
    /// - Parameter changeBlock: Makes change requests. Runs once, on the calling thread.
    /// - Throws: A ``PHPhotosError``, which says which request failed and why; also when it is called
    ///   inside of a change block, where waiting would never end.
    open func performChangesAndWait(_ changeBlock: @escaping () -> Void) throws {
        try connection.changes.wait(for: ChangeBlock(body: changeBlock), on: connection)
    }

    /// Changes the library as ``performChangesAndWait(_:)`` does, and returns the version made.
    ///
    /// - Returns: Nil when the library already was as the block asks for.
    package func commit(_ changeBlock: @escaping () -> Void) throws -> Int64? {
        let reply = try connection.changes.wait(
            for: ChangeBlock(body: changeBlock),
            on: connection
        )
        return reply.flatMap { $0.isChange ? $0.version : nil }
    }

    // MARK: - NSObject

    /// Equal when both are of the same connection.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? PHPhotoLibrary)?.connection === connection
    }

    /// Agrees with equality.
    open override var hash: Int {
        ObjectIdentifier(connection).hashValue
    }
}
