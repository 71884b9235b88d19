public import Photos

/// Whether somebody is asked before a program edits the content of assets or reverts it, and who.
///
/// The answer is wanted when a change block has ended and before anything is changed. After a no the
/// change fails with `userCancelled` and nothing is changed. The content of assets that the same block
/// makes is not asked about.
public struct EditConfirmation: Sendable {
    /// What is to be edited.
    public struct Question: Sendable, Hashable {
        /// Whether the edits are to be taken away, so that the originals are shown.
        public var isRevert: Bool
        /// The local identifiers of all of them.
        public var localIdentifiers: [String]
        /// The original file names of the first ten.
        public var filenames: [String]

        /// The question in words: how many, the first few by name, and what becomes of them.
        public var text: String {
            let list = TerminalQuestion.list(localIdentifiers.count, filenames)
            return isRevert
                ? "Take the edits of \(list) away, and show the originals?"
                : "Show an edit of \(list) in place of what is shown now?"
        }
    }

    let answer: (@Sendable (Question) -> Bool)?

    /// Nobody is asked: what programs that may change the library get to begin with.
    ///
    /// Originals stay, and edits and reverts can be undone.
    public static let allowed = EditConfirmation(answer: nil)

    /// The person at the controlling terminal is asked, never the program's standard input.
    ///
    /// Anything but yes is a no, and so it is when the program has no terminal or runs in the
    /// background of one.
    public static let terminal = EditConfirmation { question in
        TerminalQuestion.ask(question.text)
    }

    /// A program's own way of asking.
    ///
    /// - Parameter ask: Called on the thread that commits the change, with no lock held. It may take
    ///   its time; other changes of this program that nobody waits for come after it.
    /// - Returns: A policy that does what `ask` says.
    public static func custom(_ ask: @escaping @Sendable (Question) -> Bool) -> EditConfirmation {
        EditConfirmation(answer: ask)
    }
}

extension PHPhotoLibrary {
    /// Whether somebody is asked before this process edits the content of this library's assets.
    ///
    /// Nobody, unless it is set.
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
