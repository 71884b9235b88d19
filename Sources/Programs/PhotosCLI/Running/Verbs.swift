import ArgumentParser

/// Checks the subcommands before the rest of the command line is parsed.
///
/// The parser reports a mistyped subcommand as an unexpected argument, and `help` ignores it.
enum Verbs {
    /// The options with a value that can precede a subcommand.
    private static let valued: Set = ["--library", "--generate-completion-script"]

    /// Throws an error if the arguments name a subcommand that does not exist.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: A usage error that names the unknown subcommand and the most similar one.
    static func check(_ arguments: [String]) throws {
        var command: any ParsableCommand.Type = PhotosCommand.self
        var path = ["photos"]
        var isHelp = false
        var words = arguments[...]
        while let word = words.popFirst() {
            // The remaining arguments belong to the subcommand, or are a shell's completion
            // request.
            if word == "--" || word.hasPrefix("---") { return }
            if word.hasPrefix("-") {
                if valued.contains(word) { words = words.dropFirst() }
                continue
            }
            if path.count == 1, !isHelp, word == "help" {
                isHelp = true
                continue
            }
            let verbs = command.configuration.subcommands
            guard !verbs.isEmpty else {
                if isHelp { throw unknown(word, among: [], path) }
                return
            }
            guard let next = verbs.first(where: { name(of: $0) == word }) else {
                throw unknown(word, among: verbs.map(name), path)
            }
            command = next
            path.append(word)
        }
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }

    private static func unknown(_ word: String, among verbs: [String], _ path: [String])
        -> ValidationError
    {
        let command = path.joined(separator: " ")
        let shown = TerminalStyle.quoted(word)
        guard let nearest = nearest(to: word, among: verbs) else {
            return ValidationError("\(command) has no command \(shown).")
        }
        return ValidationError("\(command) has no command \(shown). Did you mean '\(nearest)'?")
    }

    /// Returns the subcommand that is most similar to a mistyped word; nil if none is similar.
    ///
    /// The edit distance may be at most a third of the number of letters, and 1 for short words.
    private static func nearest(to word: String, among verbs: [String]) -> String? {
        let word = word.lowercased()
        return
            verbs.map { (verb: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= max(1, min($0.verb.count, word.count + 1) / 3) }
            .min { $0.distance < $1.distance }?.verb
    }

    /// Returns the edit distance between two words: the minimum number of insertions, deletions,
    /// substitutions and transpositions of neighboring characters.
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var next = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var cost = min(
                    last[column] + (isSame ? 0 : 1),
                    last[column + 1] + 1,
                    next[column] + 1
                )
                let isSwapped =
                    row > 0 && column > 0 && first[row] == second[column - 1]
                    && first[row - 1] == second[column]
                if isSwapped { cost = min(cost, beforeLast[column - 1] + 1) }
                next.append(cost)
            }
            (beforeLast, last) = (last, next)
        }
        return last[second.count]
    }
}
