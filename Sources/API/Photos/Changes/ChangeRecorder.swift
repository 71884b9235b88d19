internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The changes that one change block requests, in order.
///
/// A recorder belongs to the thread that runs the block, and is that thread's current recorder
/// while the block runs.
final class ChangeRecorder {
    /// A recorded operation, which its change request may still modify while the block runs.
    final class Operation {
        /// The name of the client's call, for error messages.
        let request: String
        var action: ChangeAction
        /// The output of the editing session, which is read after the block ends.
        var output: PHContentEditingOutput?

        init(_ request: String, _ action: ChangeAction) {
            self.request = request
            self.action = action
        }
    }

    let connection: LibraryConnection
    /// The outcome of the block, set after the commit.
    let outcome = ChangeOutcome()
    private(set) var operations: [Operation] = []
    private(set) var files: [NewFile] = []
    /// The error of the first invalid call.
    private(set) var failure: LibraryError?

    init(connection: LibraryConnection) {
        self.connection = connection
    }

    // MARK: - The current recorder

    private static let key = "photos.change-recorder"

    /// The recorder of the change block that is running on this thread, or nil if no block is
    /// running.
    static var current: ChangeRecorder? {
        Thread.current.threadDictionary[key] as? ChangeRecorder
    }

    /// Returns the recorder of the change block running on this thread, and stops the program if
    /// there is none.
    static func recording(_ call: String) -> ChangeRecorder {
        guard let current else { trapOutside(call) }
        return current
    }

    /// Stops the program with PhotoKit's message for a call outside of a change block.
    static func trapOutside(_ call: String) -> Never {
        fatalError(
            "\(call): This method can only be called from inside of -[PHPhotoLibrary"
                + " performChanges:completionHandler:] or -[PHPhotoLibrary"
                + " performChangesAndWait:error:], on the thread that runs the change block."
        )
    }

    /// Runs a block and records the changes that it requests.
    ///
    /// Fetches inside the block use the library that the block changes.
    func record(_ block: () -> Void) {
        let dictionary = Thread.current.threadDictionary
        dictionary[Self.key] = self
        defer { dictionary.removeObject(forKey: Self.key) }
        LibraryConnection.$override.withValue(connection, operation: block)
    }

    // MARK: - Recording

    @discardableResult
    func add(_ request: String, _ action: ChangeAction) -> Operation {
        let operation = Operation(request, action)
        operations.append(operation)
        return operation
    }

    /// Moves an operation to the end of the recorded operations.
    func moveToEnd(_ operation: Operation) {
        guard operations.last !== operation,
            let index = operations.lastIndex(where: { $0 === operation })
        else { return }
        operations.append(operations.remove(at: index))
    }

    /// Removes a recorded operation.
    func remove(_ operation: Operation) {
        operations.removeAll { $0 === operation }
    }

    /// Adds a file and returns a provisional token: the index of the file in `files`.
    ///
    /// Staging replaces the token.
    func add(_ file: NewFile) -> FileToken {
        files.append(file)
        return FileToken(Int64(files.count - 1))
    }

    /// Records the error of an invalid call, which makes the whole block fail.
    func fail(_ call: String, _ error: LibraryError) {
        guard failure == nil else { return }
        var error = error
        error.message = "\(call): \(error.message)"
        failure = error
    }

    // MARK: - Preparing the commit

    /// The recorded operations, except asset edits that change no property.
    private var effective: [Operation] {
        operations.filter { operation in
            if case .editAsset(_, let edit) = operation.action { edit != AssetEdit() } else { true }
        }
    }

    /// Opens the files that the change block adds, and assembles the change set.
    ///
    /// - Throws: The error of the first invalid call, or the reason that a file cannot be used.
    func prepared() throws(LibraryError) -> PreparedChanges {
        if let failure { throw failure }
        let operations = effective
        try takeOutputs(operations)
        var prepared = PreparedChanges(
            set: ChangeSet(
                operations: operations.map {
                    ChangeOperation(request: $0.request, action: $0.action)
                }
            )
        )
        NewFile.makeRoom(for: files.count)
        let root = files.contains(where: \.isMoved) ? try connection.service().status().path : nil
        for (index, file) in files.enumerated() {
            do throws(LibraryError) {
                try prepared.open(file, library: root)
            } catch {
                throw prepared.set.named(error, file: FileToken(Int64(index)))
            }
        }
        return prepared
    }

    /// Converts the editing outputs of the operations to content edits, and stores each edit in its
    /// operation's action.
    private func takeOutputs(_ operations: [Operation]) throws(LibraryError) {
        for (position, operation) in operations.enumerated() {
            guard let output = operation.output else { continue }
            do throws(LibraryError) {
                let edit = try output.contentEdit(addingTo: self)
                switch operation.action {
                case .editContent(let uuid, _):
                    operation.action = .editContent(uuid: uuid, edit)
                case .createAsset(var creation):
                    creation.content = edit
                    operation.action = .createAsset(creation)
                default: break
                }
            } catch { throw Self.named(error, position, operations) }
        }
    }

    /// Returns the resource types of an asset that the block creates, or nil for any other asset.
    func newResources(ofAsset localIdentifier: String) -> [ResourceType]? {
        for operation in operations {
            guard case .createAsset(let creation) = operation.action,
                creation.uuid + ObjectKind.asset.identifierSuffix == localIdentifier
            else { continue }
            return creation.resources.map(\.type)
        }
        return nil
    }

    private static func named(
        _ error: LibraryError,
        _ position: Int,
        _ operations: [Operation]
    ) -> LibraryError {
        error.ofRequest(
            position + 1,
            of: operations.count,
            named: operations[position].request
        )
    }
}

/// The changes of a block, ready to be committed.
struct PreparedChanges: Sendable {
    let set: ChangeSet
    private(set) var files: [Descriptor] = []
    private var moves: [MovedFile] = []

    init(set: ChangeSet) { self.set = set }

    fileprivate mutating func open(_ file: NewFile, library: String?) throws(LibraryError) {
        let (descriptor, move) = try file.open(library: library)
        files.append(descriptor)
        if let move { moves.append(move) }
    }

    /// Removes the source of each file that was moved into the library.
    ///
    /// It is called after the commit.
    ///
    /// - Returns: An error for each file that could not be removed.
    func removeMoved() -> [LibraryError] {
        moves.compactMap { move in
            do throws(LibraryError) {
                try move.remove()
                return nil
            } catch {
                return error
            }
        }
    }
}

/// The outcome of a change block, for change requests that a client retains after the commit.
final class ChangeOutcome: Sendable {
    private let reply = Mutex<CommitReply?>(nil)

    /// The library's reply to the commit, or nil before the commit or if the commit failed.
    var commit: CommitReply? {
        get { reply.withLock(\.self) }
        set { reply.withLock { $0 = newValue } }
    }
}
