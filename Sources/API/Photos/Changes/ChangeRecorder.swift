internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// What one change block asks for, in its order.
///
/// Belongs to the thread that runs the block, and is current there as long as the block runs.
final class ChangeRecorder {
    /// One operation, which its request may still change.
    final class Operation {
        /// The client's call, for errors.
        let request: String
        var action: ChangeAction
        /// What an editor rendered, which is read when the block has ended.
        var output: PHContentEditingOutput?

        init(_ request: String, _ action: ChangeAction) {
            self.request = request
            self.action = action
        }
    }

    let connection: LibraryConnection
    /// What came of the block, once that is known.
    let outcome = ChangeOutcome()
    private(set) var operations: [Operation] = []
    private(set) var files: [NewFile] = []
    /// The first thing that cannot be.
    private(set) var failure: LibraryError?

    init(connection: LibraryConnection) {
        self.connection = connection
    }

    // MARK: - The block's thread

    private static let key = "photos.change-recorder"

    /// The block that runs on this thread.
    static var current: ChangeRecorder? {
        Thread.current.threadDictionary[key] as? ChangeRecorder
    }

    /// The block that runs on this thread, which has to be one.
    static func recording(_ call: String) -> ChangeRecorder {
        guard let current else { trapOutside(call) }
        return current
    }

    /// Stops the program with the message that PhotoKit has for this.
    static func trapOutside(_ call: String) -> Never {
        fatalError(
            "\(call): This method can only be called from inside of -[PHPhotoLibrary"
                + " performChanges:completionHandler:] or -[PHPhotoLibrary"
                + " performChangesAndWait:error:], on the thread that runs the change block."
        )
    }

    /// Runs a block and records what it asks for.
    ///
    /// What the block fetches comes from the library that it changes.
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

    /// Puts an operation behind all that were recorded since.
    func moveToEnd(_ operation: Operation) {
        guard operations.last !== operation,
            let index = operations.lastIndex(where: { $0 === operation })
        else { return }
        operations.append(operations.remove(at: index))
    }

    /// Takes an operation out again.
    func remove(_ operation: Operation) {
        operations.removeAll { $0 === operation }
    }

    /// Adds a file, and says which it is.
    func add(_ file: NewFile) -> Int {
        files.append(file)
        return files.count - 1
    }

    /// Notes that a call cannot be done: the block then fails as a whole.
    func fail(_ call: String, _ error: LibraryError) {
        guard failure == nil else { return }
        var error = error
        error.message = "\(call): \(error.message)"
        failure = error
    }

    // MARK: - The end of the block

    /// The recorded operations; those that set nothing are left out.
    private var effective: [Operation] {
        operations.filter { operation in
            if case .editAsset(_, let edit) = operation.action { edit != AssetEdit() } else { true }
        }
    }

    /// Opens the files and puts everything together.
    ///
    /// - Throws: What a call could not do, or why a file cannot be taken.
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
        let root = files.contains(where: \.isMoved) ? try connection.service().status().path : ""
        for (index, file) in files.enumerated() {
            do throws(LibraryError) {
                try prepared.open(file, library: root)
            } catch {
                throw Self.named(error, file: index, operations)
            }
        }
        return prepared
    }

    /// Puts what editors rendered into the operations.
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

    /// The types of the files of an asset that the block makes; nil for another asset.
    func newResources(ofAsset localIdentifier: String) -> [ResourceType]? {
        for operation in operations {
            guard case .createAsset(let creation) = operation.action,
                creation.uuid + ObjectKind.asset.identifierSuffix == localIdentifier
            else { continue }
            return creation.resources.map(\.type)
        }
        return nil
    }

    /// The error with the request put before that wanted the file.
    private static func named(
        _ error: LibraryError,
        file: Int,
        _ operations: [Operation]
    ) -> LibraryError {
        let position = operations.firstIndex { operation in
            switch operation.action {
            case .createAsset(let creation):
                (creation.resources + (creation.content?.renderings ?? []))
                    .contains { $0.file == file }
            case .editContent(_, let edit): edit.renderings.contains { $0.file == file }
            default: false
            }
        }
        guard let position else { return error }
        return named(error, position, operations)
    }

    private static func named(
        _ error: LibraryError,
        _ position: Int,
        _ operations: [Operation]
    ) -> LibraryError {
        var error = error
        error.message =
            "Change request \(position + 1) of \(operations.count)"
            + " (\(operations[position].request)): \(error.message)"
        return error
    }
}

/// What a block asks for, ready to be committed.
struct PreparedChanges: Sendable {
    let set: ChangeSet
    private(set) var files: [Descriptor] = []
    private var moves: [MovedFile] = []

    init(set: ChangeSet) { self.set = set }

    fileprivate mutating func open(_ file: NewFile, library: String) throws(LibraryError) {
        let (descriptor, move) = try file.open(library: library)
        files.append(descriptor)
        if let move { moves.append(move) }
    }

    /// Removes the files that were moved into the library, now that it has them.
    ///
    /// - Returns: What stayed, and why.
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

/// What came of a change block, for requests that a client keeps.
final class ChangeOutcome: Sendable {
    private let reply = Mutex<CommitReply?>(nil)

    /// The answer of the library; nil before the block is committed, and when it failed.
    var commit: CommitReply? {
        get { reply.withLock(\.self) }
        set { reply.withLock { $0 = newValue } }
    }
}
