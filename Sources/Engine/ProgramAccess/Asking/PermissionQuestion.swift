/// What a person is asked about a program.
package struct PermissionQuestion: Hashable, Sendable {
    package var program: ProgramIdentity
    package var level: AccessLevel

    package init(program: ProgramIdentity, level: AccessLevel) {
        self.program = program
        self.level = level
    }

    /// What the program wants, and which one it is.
    package var request: String {
        let identifier = PlainText.safe(program.identifier)
        let wish = level == .addOnly ? "add photos to" : "see and change"
        return "\(program.quotedName) (\(identifier)) would like to \(wish) your photo library."
    }

    /// Why, in the program's own words; that it gives no reason where it gives none.
    package var reason: String {
        guard let words = program.reason(for: level) else { return "It gives no reason." }
        return "It says: “\(PlainText.line(words, limit: 500))”"
    }
}

/// What a person answers.
package enum PermissionAnswer: Hashable, Sendable {
    case everything
    /// Only what is selected.
    case selection
    case nothing
}

/// An asset that can be selected.
package struct SelectableAsset: Hashable, Sendable {
    package var uuid: String
    /// Its file's name and its day, as people know it.
    package var name: String
    package var date: String
    package var isSelected: Bool

    package init(uuid: String, name: String, date: String, isSelected: Bool) {
        self.uuid = uuid
        self.name = name
        self.date = date
        self.isSelected = isSelected
    }
}

/// Asks which assets a program may see.
package struct SelectionQuestion: Hashable, Sendable {
    package var program: ProgramIdentity
    /// Newest first.
    package var assets: [SelectableAsset]

    package init(program: ProgramIdentity, assets: [SelectableAsset]) {
        self.program = program
        self.assets = assets
    }

    /// The UUIDs of those that are selected.
    var selected: Set<String> { Set(assets.lazy.filter(\.isSelected).map(\.uuid)) }

    /// The question in words.
    var text: String { "Which photos may \(program.quotedName) see?" }
}

/// A way to the person at the computer.
package protocol PersonAsker: Sendable {
    /// The answer; nil when nobody answered, which is no answer.
    func answer(to question: PermissionQuestion) -> PermissionAnswer?

    /// The UUIDs of what was selected; nil when nobody answered.
    func selection(for question: SelectionQuestion) -> Set<String>?
}

/// Finds the person at the computer.
package enum PersonAskers {
    /// The controlling terminal while this program is in its foreground, else the desktop; nil when
    /// nobody can be asked.
    package static var present: (any PersonAsker)? {
        if let terminal = ControllingTerminal() { return TerminalAsker(terminal) }
        return DialogAsker.present
    }
}
