public import Foundation
internal import LibraryService
internal import PhotoModel
internal import ProgramAccess

/// A photo library, whose content is read by fetches and modified by change blocks.
///
/// ``shared()`` is the library at `$PHOTOS_LIBRARY`, or `Photos Library.photolibrary` in the
/// pictures folder if that is not set. It is opened on first use, and can be used from any thread.
open class PHPhotoLibrary: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    package let connection: LibraryConnection

    package init(connection: LibraryConnection) {
        self.connection = connection
        super.init()
    }

    /// Returns the shared library of this process.
    ///
    /// This method never fails. While the library cannot be opened, fetches return empty results,
    /// the reason is logged, and ``unavailabilityReason`` returns it.
    @discardableResult
    open class func shared() -> PHPhotoLibrary {
        LibraryConnection.current.library
    }

    /// The reason that the library cannot be read, or nil when it can.
    ///
    /// It is a ``PHPhotosError``. Its code is `libraryVolumeOffline` if the library or its volume
    /// is missing, and `accessUserDenied` or `accessRestricted` if this program has no permission
    /// to read. It is evaluated on every access, so a volume mounted in the meantime is found.
    open var unavailabilityReason: (any Error)? {
        do throws(LibraryError) {
            _ = try connection.service().status()
            return connection.permission?.refusal.map { PHPhotosError($0) }
        } catch {
            return PHPhotosError(error)
        }
    }

    // MARK: - Authorization

    /// Returns this program's authorization status for an access level.
    ///
    /// It returns the current choice without prompting. ``PHAuthorizationStatus/limited`` is
    /// returned for `readWrite` only.
    @discardableResult
    open class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        guard let permission = LibraryConnection.current.permission else { return .authorized }
        return PHAuthorizationStatus(permission.status(for: AccessLevel(accessLevel)))
    }

    /// Returns this program's authorization status for reading and writing.
    ///
    /// It returns `authorized` also if the program may see only selected assets.
    @discardableResult
    open class func authorizationStatus() -> PHAuthorizationStatus {
        authorizationStatus(for: .readWrite).withoutLimit
    }

    /// Requests authorization, prompting the user if no choice was made yet, and reports the
    /// status.
    ///
    /// The prompt appears on the controlling terminal if the program is in its foreground, but
    /// never uses the program's standard input. Otherwise it appears as a desktop dialog. If no
    /// user can be prompted, or no user answers, the handler receives `denied`, the status remains
    /// `notDetermined`, and a logged message names the command to run instead.
    ///
    /// - Parameters:
    ///   - accessLevel: The access level to request.
    ///   - handler: Called once, on an unspecified queue.
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

    /// Requests authorization, prompting the user if no choice was made yet, and returns the
    /// status.
    ///
    /// This is the asynchronous form of the method with a handler. Canceling the task does not
    /// withdraw the prompt.
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

    /// Requests authorization for reading and writing.
    ///
    /// The handler receives `authorized` also if the program may see only selected assets.
    ///
    /// - Parameter handler: Called once, on an unspecified queue.
    open class func requestAuthorization(_ handler: @escaping (PHAuthorizationStatus) -> Void) {
        requestAuthorization(for: .readWrite) { handler($0.withoutLimit) }
    }

    // MARK: - Changing

    /// Commits the changes that a block requests: either all of them, atomically and durably, or
    /// none.
    ///
    /// The block creates change requests, which only record. After the block ends, the files that
    /// they name are copied and all changes are committed in one transaction. Fetches inside the
    /// block do not see its changes.
    ///
    /// - Parameters:
    ///   - changeBlock: Runs once, on a serial queue, after previously submitted blocks. Calling
    ///     this method inside a change block is a programming error and stops the program.
    ///   - completionHandler: Called once, on a serial queue, after the change is durable or has
    ///     failed. It receives whether the change succeeded, and a ``PHPhotosError`` if it failed.
    ///     Handlers are called one at a time, in the order of the changes. A handler may wait for
    ///     further changes, and for their handlers: one that runs for longer than a second no
    ///     longer holds up the next one.
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

    /// Commits the changes that a block requests: either all of them, atomically and durably, or
    /// none.
    ///
    /// - Parameter changeBlock: Creates change requests. It runs once, on a serial queue, unless
    ///   the task is canceled first.
    /// - Throws: A ``PHPhotosError`` that names the failed request and the reason; `userCancelled`
    ///   if the task was canceled before the block began.
    open func performChanges(_ changeBlock: @escaping () -> Void) async throws {
        try await connection.changes.submit(ChangeBlock(body: changeBlock), to: connection)
    }

    /// Commits all changes that a block requests, and waits until they are durable.
    ///
    /// - Parameter changeBlock: Creates change requests. It runs once, on the calling thread.
    /// - Throws: A ``PHPhotosError`` that names the failed request and the reason. A call inside a
    ///   change block also throws, because it would deadlock.
    open func performChangesAndWait(_ changeBlock: @escaping () -> Void) throws {
        try connection.changes.wait(for: ChangeBlock(body: changeBlock), on: connection)
    }

    /// Commits changes like ``performChangesAndWait(_:)``, and returns the new version.
    ///
    /// - Returns: The version, or nil if the library already was in the requested state.
    package func commit(_ changeBlock: @escaping () -> Void) throws -> Int64? {
        let reply = try connection.changes.wait(
            for: ChangeBlock(body: changeBlock),
            on: connection
        )
        return reply.flatMap { $0.isChange ? $0.version : nil }
    }

    // MARK: - NSObject

    /// Returns whether both objects use the same connection.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? PHPhotoLibrary)?.connection === connection
    }

    /// A hash value that is consistent with equality.
    open override var hash: Int {
        ObjectIdentifier(connection).hashValue
    }
}
