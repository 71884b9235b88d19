public import Photos

/// Whether somebody is asked before a program deletes assets, and who.
///
/// The answer is wanted when a change block has ended and before anything is changed. After a no the
/// change fails with `userCancelled` and nothing is changed. Creating, and all that can be changed
/// back, is not asked about; edits of content are by ``EditConfirmation``.
public struct DeletionConfirmation: Sendable {
    /// What is to be deleted.
    public struct Question: Sendable, Hashable {
        /// Whether the assets go for good; else to Recently Deleted, for 30 days.
        public var isForGood: Bool
        /// The local identifiers of all of them.
        public var localIdentifiers: [String]
        /// The original file names of the first ten.
        public var filenames: [String]

        /// The question in words: how many, the first few by name, and what becomes of them.
        public var text: String {
            let list = TerminalQuestion.list(localIdentifiers.count, filenames)
            return isForGood
                ? "Delete \(list) for good? This cannot be undone."
                : "Move \(list) to Recently Deleted?"
        }
    }

    let answer: (@Sendable (Question) -> Bool)?

    /// Nobody is asked: what programs that may change the library get to begin with.
    public static let allowed = DeletionConfirmation(answer: nil)

    /// The person at the controlling terminal is asked, never the program's standard input.
    ///
    /// Anything but yes is a no, and so it is when the program has no terminal or runs in the
    /// background of one.
    public static let terminal = DeletionConfirmation { question in
        TerminalQuestion.ask(question.text)
    }

    /// A program's own way of asking.
    ///
    /// - Parameter ask: Called on the thread that commits the change, with no lock held. It may take
    ///   its time; other changes of this program that nobody waits for come after it.
    /// - Returns: A policy that does what `ask` says.
    public static func custom(
        _ ask: @escaping @Sendable (Question) -> Bool
    ) -> DeletionConfirmation {
        DeletionConfirmation(answer: ask)
    }
}

extension PHPhotoLibrary {
    /// Whether somebody is asked before assets of this library are deleted by this process.
    ///
    /// Nobody, unless it is set.
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
