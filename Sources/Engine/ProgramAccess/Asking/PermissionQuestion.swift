package import LibraryService

/// A question to the user about whether a program gets access to the photo library.
package struct PermissionQuestion: Hashable, Sendable {
    package var program: ProgramIdentity
    package var level: AccessLevel

    package init(program: ProgramIdentity, level: AccessLevel) {
        self.program = program
        self.level = level
    }

    /// A sentence that names the program and the access that it requests.
    package var request: String {
        let identifier = PlainText.safe(program.identifier)
        let wish = level == .addOnly ? "add photos to" : "see and change"
        return "\(program.quotedName) (\(identifier)) would like to \(wish) your photo library."
    }

    /// The program's stated reason, or “It gives no reason.”, followed by the warning about the
    /// program, if any.
    package var reason: String {
        let words = program.reason(for: level).map {
            "It says: “\(PlainText.line($0, limit: 500))”"
        }
        return [words ?? "It gives no reason.", program.notice].compactMap(\.self)
            .joined(separator: " ")
    }
}

/// The user's answer to a permission question.
package enum PermissionAnswer: Hashable, Sendable {
    case everything
    /// Access to selected assets only.
    case selection
    case nothing
}

/// An asset that can be selected.
package struct SelectableAsset: Hashable, Sendable {
    package var uuid: String
    /// The file name.
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

/// A question about which assets a program may see.
package struct SelectionQuestion: Hashable, Sendable {
    package var program: ProgramIdentity
    /// The assets, newest first.
    package var assets: [SelectableAsset]

    package init(program: ProgramIdentity, assets: [SelectableAsset]) {
        self.program = program
        self.assets = assets
    }

    /// The UUIDs of the assets that are selected when the question is asked.
    var selected: Set<String> { Set(assets.lazy.filter(\.isSelected).map(\.uuid)) }

    /// The text of the question.
    var text: String { "Which photos may \(program.quotedName) see?" }
}

/// A means of asking the user, such as a terminal or a dialog.
package protocol PersonAsker: Sendable {
    /// Asks the user a permission question, and returns the answer; nil if the user did not answer.
    func answer(to question: PermissionQuestion) -> PermissionAnswer?

    /// Asks the user to select assets, and returns the selected UUIDs; nil if the user did not
    /// answer.
    func selection(for question: SelectionQuestion) -> Set<String>?
}

/// The available means of asking the user.
package enum PersonAskers {
    /// The asker to use now: the controlling terminal if this program is in the foreground there,
    /// otherwise desktop dialogs; nil if neither is available.
    package static var present: (any PersonAsker)? {
        if let terminal = ControllingTerminal() { return TerminalAsker(terminal) }
        return DialogAsker.present
    }
}
