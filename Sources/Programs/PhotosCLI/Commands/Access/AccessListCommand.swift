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
            a library.

            EXAMPLES
              photos access list
              photos access list --json | jq -r 'select(.readWrite == "authorized").program'
            """
    )

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
                ])
            }
        }
        for line in rows.lines() { try StandardOutput.shared.write(line + "\n") }
    }
}
