internal import Foundation
internal import LibraryService
internal import PhotoModel

extension PHAssetChangeRequest {
    /// Records an edit of the asset's content, or removes the recorded edit if the output is nil.
    func setContent(_ output: PHContentEditingOutput?) {
        let call = "\(type(of: self)).contentEditingOutput"
        checkUse(call)
        Self.checkAllowed(.content, record, call)
        guard let output else {
            if let known = contentOperation, known !== operation { recorder.remove(known) }
            operation.output = nil
            contentOperation = nil
            return
        }
        if contentOperation == nil { contentOperation = contentOperation(call) }
        contentOperation?.output = output
    }

    private func contentOperation(_ call: String) -> ChangeRecorder.Operation {
        guard case .editAsset(let uuid, _) = operation.action else { return operation }
        let nothing = ContentEdit(
            adjustments: ContentAdjustments(
                formatIdentifier: "",
                formatVersion: "",
                data: Data()
            ),
            renderings: []
        )
        return recorder.add(call, .editContent(uuid: uuid, nothing))
    }

    /// Records a revert to the original.
    func revert(to choice: PHAsset.OriginalResourceChoice?, _ member: String) {
        let call = "\(type(of: self)).\(member)"
        checkUse(call)
        Self.checkAllowed(.content, record, call)
        guard case .editAsset(let uuid, _) = operation.action else {
            recorder.fail(
                call,
                LibraryError(
                    .invalidRequest,
                    "A new asset has no edit that could be reverted.",
                    recovery: "Do not set its contentEditingOutput."
                )
            )
            return
        }
        recorder.add(call, .revertContent(uuid: uuid, choice: choice?.rawValue))
    }
}
