internal import Foundation
internal import LibraryService
internal import PhotoModel

/// What one request asks for of the members of an album, or of the content of a folder.
///
/// With a basis all of it is one operation, since its indexes count in what the client has fetched and
/// in what the steps before made of that; it takes place where its last step was asked for, so that
/// all objects are there by then. Without one each step is an operation.
final class ListRecording {
    private let recorder: ChangeRecorder
    private let uuid: String
    private let kind: ObjectKind
    private let basis: RowIDBuffer?
    private var operation: ChangeRecorder.Operation?
    private var steps: [ListEdit.Step] = []
    private let call: String

    /// - Parameters:
    ///   - recorder: The block.
    ///   - uuid: The album or folder.
    ///   - kind: Which of the two it is.
    ///   - basis: The row ids of what the client has fetched.
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

    /// Records a step.
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
