import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Shows the history of the library.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Tell what was changed in the library, when and by whom.",
        discussion: """
            A line per object and transaction, oldest first. The number in front is the transaction's; \
            --since takes it, or a token that --json or --token printed, and tells what came after. The \
            token of a line stands for what was told whole up to there, so a program that keeps the \
            last one misses nothing. Going to Recently Deleted shows as deleted, coming back as \
            inserted.

            History is kept for a number of days. When it does not reach back to --since any more, that \
            is an error: what happened in between can only be found by looking at everything.

            EXAMPLES
              photos history --limit 20
              token=$(photos history --token)
              photos history --since "$token" --json
              photos history --keep-days 365
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("What happened after this.", valueName: "token"))
    var since: SinceArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "At most so many transactions: the first ones after --since, else the last ones.",
            valueName: "n"
        )
    )
    var limit: Int?

    @Flag(help: "Only print the token of the present state.")
    var token = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Keep history for so many days from now on; 0 only tells how long it is kept.",
            valueName: "n"
        )
    )
    var keepDays: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit needs a number of 1 or more.") }
        if let keepDays, keepDays < 0 {
            throw ValidationError("--keep-days needs a number of 0 or more.")
        }
        let isOther = since != nil || limit != nil
        if keepDays != nil, token || isOther {
            throw ValidationError("--keep-days goes with no other option.")
        }
        if token, isOther { throw ValidationError("--token goes with no other option.") }
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
                "History is kept for \(text), and reaches back to \(horizon.start.version).\n"
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

    /// Returns the token that the argument stands for.
    func token(in library: PhotoLibraryBundle) throws -> HistoryToken {
        switch form {
        case .token(let token): token
        case .version(let version): try library.historyToken(at: version)
        }
    }
}
