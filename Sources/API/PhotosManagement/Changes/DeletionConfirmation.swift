public import Photos

/// The policy for confirming deletions before they are committed.
///
/// The confirmation is requested after the change block ends and before anything changes. When it
/// is declined, the change fails with `userCancelled` and nothing changes. Creations and reversible
/// changes need no confirmation. For edits of content, see ``EditConfirmation``.
public struct DeletionConfirmation: Sendable {
    /// A deletion that awaits confirmation.
    public struct Question: Sendable, Hashable {
        /// Indicates whether the assets are deleted permanently.
        ///
        /// Otherwise they move to Recently Deleted for 30 days.
        public var isForGood: Bool
        /// The local identifiers of all assets to be deleted.
        public var localIdentifiers: [String]
        /// The original file names of the first ten assets.
        public var filenames: [String]

        /// The text of the question: the number of assets, the first few names, and the
        /// consequence.
        public var text: String {
            let list = TerminalQuestion.list(localIdentifiers.count, filenames)
            return isForGood
                ? "Permanently delete \(list)? This cannot be undone."
                : "Move \(list) to Recently Deleted?"
        }
    }

    let answer: (@Sendable (Question) -> Bool)?

    /// A policy that allows every deletion without confirmation; the default for programs that may
    /// change the library.
    public static let allowed = DeletionConfirmation(answer: nil)

    /// A policy that asks the user at the controlling terminal, never through standard input.
    ///
    /// Only `y` or `yes` confirms. The deletion is declined when the program has no controlling
    /// terminal or runs in the terminal's background.
    public static let terminal = DeletionConfirmation { question in
        TerminalQuestion.ask(question.text)
    }

    /// Creates a policy that calls a closure to confirm or decline each deletion.
    ///
    /// - Parameter ask: Called on the thread that commits the change, with no lock held. It may
    ///   block; asynchronous changes of this program wait behind it.
    /// - Returns: A policy that follows the result of `ask`.
    public static func custom(
        _ ask: @escaping @Sendable (Question) -> Bool
    ) -> DeletionConfirmation {
        DeletionConfirmation(answer: ask)
    }
}

extension PHPhotoLibrary {
    /// The confirmation required before this process deletes assets of this library.
    ///
    /// The default is ``DeletionConfirmation/allowed``.
    public var deletionConfirmation: DeletionConfirmation {
        get {
            guard let policy = connection.changes.deletionPolicy else { return .allowed }
            return DeletionConfirmation { question in
                policy(
                    ChangeQuestion(
                        question.isForGood ? .purge : .delete,
                        identifiers: question.localIdentifiers,
                        filenames: question.filenames
                    )
                )
            }
        }
        set {
            connection.changes.deletionPolicy = newValue.answer.map { answer in
                { @Sendable question in
                    answer(
                        DeletionConfirmation.Question(
                            isForGood: question.kind == .purge,
                            localIdentifiers: question.identifiers,
                            filenames: question.filenames
                        )
                    )
                }
            }
        }
    }
}
