internal import LibraryService

/// Asks the user at the controlling terminal.
package struct TerminalAsker: PersonAsker {
    /// The maximum number of times that a question is asked until the answer is valid.
    private static let patience = 3
    /// The number of assets that are listed per page.
    private static let page = 20

    private let terminal: ControllingTerminal

    package init(_ terminal: ControllingTerminal) {
        self.terminal = terminal
    }

    package func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        terminal.discardInput()
        let choices =
            question.level == .addOnly
            ? "[y] yes  [n] no: " : "[y] all photos  [s] photos that you select  [n] no: "
        guard terminal.show("\n\(question.request)\n\(question.reason)\n") else { return nil }
        for _ in 0..<Self.patience {
            guard terminal.show("Allow it?  " + choices), let line = terminal.line() else {
                return nil
            }
            switch line.lowercased() {
            case "y", "yes": return .everything
            case "n", "no": return .nothing
            case "s" where question.level == .readWrite: return .selection
            default: continue
            }
        }
        return nil
    }

    package func selection(for question: SelectionQuestion) -> Set<String>? {
        terminal.discardInput()
        var picker = TerminalPicker(question: question, pageLength: Self.page)
        guard terminal.show("\n\(question.text)\n") else { return nil }
        while true {
            guard terminal.show(picker.text), let line = terminal.line() else { return nil }
            switch picker.take(line) {
            case .more: continue
            case .done: return picker.selected
            case .cancelled: return nil
            }
        }
    }
}

/// A paged list of assets on a terminal, in which typed lines select and unselect assets.
package struct TerminalPicker {
    /// The state of the selection after a typed line.
    package enum Step: Hashable, Sendable { case more, done, cancelled }

    /// The UUIDs of the selected assets.
    package private(set) var selected: Set<String>

    private let assets: [SelectableAsset]
    private let pageLength: Int
    private var first = 0
    private var complaint: String?

    package init(question: SelectionQuestion, pageLength: Int) {
        assets = question.assets
        selected = question.selected
        self.pageLength = pageLength
    }

    /// The text of the current page, with the available commands.
    package var text: String {
        var lines: [String] = []
        for index in first..<min(first + pageLength, assets.count) {
            let asset = assets[index]
            let mark = selected.contains(asset.uuid) ? "x" : " "
            let number =
                String(repeating: " ", count: max(0, 4 - "\(index + 1)".count))
                + "\(index + 1)"
            lines.append("[\(mark)] \(number)  \(PlainText.safe(asset.name))  \(asset.date)")
        }
        if assets.isEmpty { lines.append("The library has no photos yet.") }
        if let complaint { lines.append(complaint) }
        lines.append(
            "\(selected.count) selected. Numbers such as 1 3-5 select or unselect;"
                + " [n]ext, [p]revious, [d]one, [q]uit: "
        )
        return lines.joined(separator: "\n")
    }

    /// Executes a typed line and returns the state of the selection.
    package mutating func take(_ line: String) -> Step {
        complaint = nil
        switch line.lowercased() {
        case "d", "done": return .done
        case "q", "quit": return .cancelled
        case "n", "next":
            if first + pageLength < assets.count { first += pageLength }
        case "p", "previous": first = max(0, first - pageLength)
        default:
            if let places = indexes(in: line) {
                for place in places { toggle(assets[place].uuid) }
            } else {
                complaint = "“\(PlainText.line(line, limit: 40))” is not understood."
            }
        }
        return .more
    }

    private mutating func toggle(_ uuid: String) {
        if selected.remove(uuid) == nil { selected.insert(uuid) }
    }

    /// Returns the indexes of the assets that a line names, such as `1 3-5`; nil if the line
    /// contains anything else.
    private func indexes(in line: String) -> Set<Int>? {
        var places: Set<Int> = []
        for word in line.split(whereSeparator: { $0 == " " || $0 == "," }) {
            let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1],
                low >= 1, low <= high, high <= assets.count
            else { return nil }
            places.formUnion((low - 1)...(high - 1))
        }
        return places
    }
}
