import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Lists the permissions of programs.
struct AccessListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the permissions of programs.",
        discussion: """
            Prints one line for each program with a permission, with the day on which it last used \
            a library. A note on standard error says what the permissions promise: programs that \
            you start follow them by convention, with and without the library daemon, and could \
            read your files. “enforced” marks a program that could not at its last use: it ran in \
            a sandbox, under a security profile or as another user, and had only what the daemon \
            gave it. In JSON, "enforcement" is "convention" or "boundary".

            EXAMPLES
              photos access list
              photos access list --json | jq -r 'select(.readWrite == "authorized").program'
            """
    )

    /// The note, printed after the list, that permissions are a convention unless they are marked
    /// as enforced.
    private static let promise = """
        These permissions are a convention, except where enforced: programs that you start follow \
        them, and could read your files.
        """

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var rows = Columns()
        for permission in try ProgramPermission.all() {
            if output.json {
                try StandardOutput.shared.write(JSONObject(permission).line + "\n")
            } else {
                rows.add([
                    TerminalStyle.safe(permission.program),
                    TerminalStyle.safe(permission.name ?? ""),
                    permission.words,
                    permission.lastUsed.map { "used " + LocalTime.day($0) } ?? "never used",
                    permission.isEnforced ? "enforced" : "",
                ])
            }
        }
        let lines = rows.lines()
        for line in lines { try StandardOutput.shared.write(line + "\n") }
        guard !lines.isEmpty else { return }
        try StandardOutput.shared.flush()
        StandardError.shared.say(Self.promise)
    }
}
