import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Shows the history of the library.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what was changed in the library, when and by whom.",
        discussion: """
            Prints one line per object and transaction, oldest first. Each line begins with the \
            number of its transaction. --since takes this number, or a token printed by --json or \
            --token, and shows only what changed later. The token of a line covers everything that \
            was printed completely up to that line, so a program that saves the latest token \
            misses nothing. Moving an asset to Recently Deleted appears as deleted, restoring it \
            as inserted.

            History is kept for a limited number of days. If it no longer reaches back to --since, \
            the command fails: the changes in between can only be found by reading the whole \
            library.

            EXAMPLES
              photos history --limit 20
              token=$(photos history --token)
              photos history --since "$token" --json
              photos history --keep-days 365
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Show what changed after this token or number.", valueName: "token"))
    var since: SinceArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of transactions: the first after --since, otherwise the latest.",
            valueName: "n"
        )
    )
    var limit: Int?

    @Flag(help: "Print only the token of the current state.")
    var token = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Keep history for this many days from now on; 0 only shows the setting.",
            valueName: "n"
        )
    )
    var keepDays: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or greater.") }
        if let keepDays, keepDays < 0 {
            throw ValidationError("--keep-days must be 0 or greater.")
        }
        let isOther = since != nil || limit != nil
        if keepDays != nil, token || isOther {
            throw ValidationError("--keep-days cannot be combined with other options.")
        }
        if token, isOther {
            throw ValidationError("--token cannot be combined with other options.")
        }
    }

    func run() throws {
        let library = try location.open()
        if let keepDays { return try reportHorizon(of: library, days: keepDays) }
        if token { return try reportToken(of: library) }
        let lines = HistoryLines(output: output, library: library)
        if let since {
            let token = try since.token(in: library)
            try library.readHistory(since: token, limit: limit ?? .max) { try lines.report($0) }
        } else if let limit {
            try lines.report(try library.latestHistory(limit: limit))
        } else {
            try library.readHistory { try lines.report($0) }
        }
    }

    private func reportToken(of library: PhotoLibraryBundle) throws {
        let token = try library.historyToken.description
        var object = JSONObject()
        object.add("token", token)
        try StandardOutput.shared.write((output.json ? object.line : token) + "\n")
    }

    private func reportHorizon(of library: PhotoLibraryBundle, days: Int) throws {
        let horizon = try days > 0 ? library.keepHistory(days: days) : library.historyHorizon
        guard output.json else {
            let text = Wording.count(horizon.days, "day")
            try StandardOutput.shared.write(
                "History is kept for \(text), and reaches back to number \(horizon.start.version).\n"
            )
            return
        }
        var object = JSONObject()
        object.add("keepDays", horizon.days)
        object.add("start", horizon.start.description)
        try StandardOutput.shared.write(object.line + "\n")
    }
}

/// A history token, or the number of a transaction of the open library.
struct SinceArgument: ExpressibleByArgument {
    private enum Form {
        case token(HistoryToken)
        case version(Int64)
    }

    private let form: Form

    init?(argument: String) {
        if let token = HistoryToken(argument) {
            form = .token(token)
        } else if let version = Int64(argument), version >= 0 {
            form = .version(version)
        } else {
            return nil
        }
    }

    /// Returns the history token for the argument.
    func token(in library: PhotoLibraryBundle) throws -> HistoryToken {
        switch form {
        case .token(let token): token
        case .version(let version): try library.historyToken(at: version)
        }
    }
}
