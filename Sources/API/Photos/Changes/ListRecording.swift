internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Records one request's changes to the members of an album or to the content of a folder.
///
/// With a basis, all steps form a single operation, because their indexes refer to the client's
/// fetch result as modified by the previous steps. The operation takes the position of its last
/// step, when all of its objects exist. Without a basis, each step is an operation of its own.
final class ListRecording {
    private let recorder: ChangeRecorder
    private let uuid: String
    private let kind: ObjectKind
    private let basis: RowIDBuffer?
    private var operation: ChangeRecorder.Operation?
    private var steps: [ListEdit.Step] = []
    private let call: String

    /// Creates a recording for one request.
    ///
    /// - Parameters:
    ///   - recorder: The recorder of the block.
    ///   - uuid: The album or folder.
    ///   - kind: The kind of collection: album or folder.
    ///   - basis: The row ids of the client's fetch result, or nil.
    ///   - call: The call that made the request, for errors.
    init(
        _ recorder: ChangeRecorder,
        uuid: String,
        kind: ObjectKind,
        basis: RowIDBuffer?,
        call: String
    ) {
        self.recorder = recorder
        self.uuid = uuid
        self.kind = kind
        self.basis = basis
        self.call = call
    }

    /// Records one step of the request, such as an insertion.
    func record(_ call: String, _ step: ListEdit.Step) {
        guard let basis else {
            recorder.add(call, action(ListEdit(steps: [step])))
            return
        }
        steps.append(step)
        let action = action(ListEdit(basis: basis, steps: steps))
        if let operation {
            operation.action = action
            recorder.moveToEnd(operation)
        } else {
            operation = recorder.add(self.call, action)
        }
    }

    private func action(_ edit: ListEdit) -> ChangeAction {
        kind == .folder ? .editChildren(folder: uuid, edit) : .editMembers(album: uuid, edit)
    }
}
