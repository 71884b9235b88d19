import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Checks the store of the cloud library.
struct CloudVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the store of the cloud library.",
        discussion: """
            Syncs, compares the names and sizes of all files in the store, and reads a sample of \
            them whole. The exit status is 1 if something is wrong. Each JSON object has the keys \
            object and finding.

            EXAMPLES
              photos cloud verify
              photos cloud verify --sample 100
            """
    )

    @OptionGroup var location: LibraryOptions

    @Option(
        help: ArgumentHelp("The part of the files that is read, in percent.", valueName: "percent")
    )
    var sample = 1

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard 0...100 ~= sample else {
            throw ValidationError("--sample requires a number from 0 to 100.")
        }
    }

    func run() throws {
        let findings = try CloudLibrary(of: location.url).verify(percent: sample)
        for (object, finding) in findings {
            if output.json {
                var line = JSONObject()
                line.add("object", object)
                line.add("finding", finding)
                try StandardOutput.shared.write(line.line + "\n")
            } else {
                let text = object.isEmpty ? finding : object + ": " + finding
                try StandardOutput.shared.write(TerminalStyle.safe(text) + "\n")
            }
        }
        if findings.isEmpty, !output.json {
            try StandardOutput.shared.write("Nothing is wrong.\n")
        }
        try StandardOutput.shared.flush()
        if !findings.isEmpty { throw ExitCode(ExitStatus.failed) }
    }
}
