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
            them whole. With --repair, files that are missing or damaged there and whole on this \
            computer are uploaded again, so that every computer can download them, and files that \
            no change names, such as uploads of a computer that continued as a new device, are \
            removed as soon as all other computers have synced. The exit status is 1 if something \
            is wrong and was not repaired.

            Each JSON object has the keys object and finding, and with --repair also repaired and \
            reason (why it was not repaired).

            EXAMPLES
              photos cloud verify
              photos cloud verify --sample 100
              photos cloud verify --sample 100 --repair
            """
    )

    @OptionGroup var location: LibraryOptions

    @Option(
        help: ArgumentHelp("The part of the files that is read, in percent.", valueName: "percent")
    )
    var sample = 1

    @Flag(
        help: """
            Upload again what is missing or damaged, from the files on this computer, and remove \
            what no change names.
            """
    )
    var repair = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard 0...100 ~= sample else {
            throw ValidationError("--sample requires a number from 0 to 100.")
        }
    }

    func run() throws {
        let findings = try CloudLibrary(of: location.url).verify(percent: sample, repairing: repair)
        for finding in findings {
            if output.json {
                var line = JSONObject()
                line.add("object", finding.object)
                line.add("finding", finding.finding)
                if repair {
                    line.add("repaired", finding.isRepaired ?? false)
                    line.add("reason", finding.reason)
                }
                try StandardOutput.shared.write(line.line + "\n")
            } else {
                try StandardOutput.shared.write(TerminalStyle.safe(text(of: finding)) + "\n")
            }
        }
        if findings.isEmpty, !output.json {
            try StandardOutput.shared.write("Nothing is wrong.\n")
        }
        try StandardOutput.shared.flush()
        if findings.contains(where: { $0.isRepaired != true }) {
            throw ExitCode(ExitStatus.failed)
        }
    }

    private func text(of finding: CloudFinding) -> String {
        var parts = [finding.finding]
        if finding.isRepaired == true { parts.append("It was repaired.") }
        if finding.isRepaired == false { parts.append("It was not repaired.") }
        if let reason = finding.reason { parts.append(reason) }
        let text = parts.joined(separator: " ")
        return finding.object.isEmpty ? text : finding.object + ": " + text
    }
}
