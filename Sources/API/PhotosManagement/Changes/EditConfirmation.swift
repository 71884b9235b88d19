public import Photos

/// The policy for confirming edits of content and reverts to the original before they are
/// committed.
///
/// The confirmation is requested after the change block ends and before anything changes. When it
/// is declined, the change fails with `userCancelled` and nothing changes. Content of assets that
/// the same block creates needs no confirmation.
public struct EditConfirmation: Sendable {
    /// An edit or a revert that awaits confirmation.
    public struct Question: Sendable, Hashable {
        /// Indicates whether the change reverts assets to their originals; otherwise it edits their
        /// content.
        public var isRevert: Bool
        /// The local identifiers of all assets to be edited or reverted.
        public var localIdentifiers: [String]
        /// The original file names of the first ten assets.
        public var filenames: [String]

        /// The text of the question: the number of assets, the first few names, and the
        /// consequence.
        public var text: String {
            let list = TerminalQuestion.list(localIdentifiers.count, filenames)
            return isRevert
                ? "Remove the edits of \(list) and return to the originals?"
                : "Save an edit of \(list), which replaces the current version?"
        }
    }

    let answer: (@Sendable (Question) -> Bool)?

    /// A policy that allows every edit without confirmation; the default for programs that may
    /// change the library.
    ///
    /// Originals are kept, and edits and reverts can be undone.
    public static let allowed = EditConfirmation(answer: nil)

    /// A policy that asks the user at the controlling terminal, never through standard input.
    ///
    /// Only `y` or `yes` confirms. The edit is declined when the program has no controlling
    /// terminal or runs in the terminal's background.
    public static let terminal = EditConfirmation { question in
        TerminalQuestion.ask(question.text)
    }

    /// Creates a policy that calls a closure to confirm or decline each edit.
    ///
    /// - Parameter ask: Called on the thread that commits the change, with no lock held. It may
    ///   block; asynchronous changes of this program wait behind it.
    /// - Returns: A policy that follows the result of `ask`.
    public static func custom(_ ask: @escaping @Sendable (Question) -> Bool) -> EditConfirmation {
        EditConfirmation(answer: ask)
    }
}

extension PHPhotoLibrary {
    /// The confirmation required before this process edits the content of this library's assets.
    ///
    /// The default is ``EditConfirmation/allowed``.
    public var editConfirmation: EditConfirmation {
        get {
            guard let policy = connection.changes.editPolicy else { return .allowed }
            return EditConfirmation { question in
                policy(
                    ChangeQuestion(
                        question.isRevert ? .revert : .edit,
                        identifiers: question.localIdentifiers,
                        filenames: question.filenames
                    )
                )
            }
        }
        set {
            connection.changes.editPolicy = newValue.answer.map { answer in
                { @Sendable question in
                    answer(
                        EditConfirmation.Question(
                            isRevert: question.kind == .revert,
                            localIdentifiers: question.identifiers,
                            filenames: question.filenames
                        )
                    )
                }
            }
        }
    }
}
