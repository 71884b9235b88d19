import ArgumentParser
import PhotosManagement
import PhotosJSON

/// Shows the number and size of the renditions.
struct RenditionsStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the number and the disk usage of thumbnails.",
        discussion: """
            EXAMPLES
              photos renditions status
              photos renditions status --json | jq 'select(.missing > 0)'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let status = try LibraryRenditions(library: try location.open()).status()
        if output.json {
            for count in status.counts {
                var object = JSONObject()
                object.add("size", count.size.rawValue)
                object.add("current", count.current)
                object.add("missing", count.missing)
                object.add("outdated", count.outdated)
                object.add("bytes", status.bytes)
                object.add("path", status.path)
                try StandardOutput.shared.write(object.line + "\n")
            }
            return
        }
        for count in status.counts {
            let name = Columns.pad("\(count.size)", to: 7)
            var text = "\(count.current) of \(status.assets) assets"
            if count.outdated > 0 { text += ", \(count.outdated) outdated" }
            try StandardOutput.shared.write("\(name) \(count.size.rawValue)  \(text)\n")
        }
        let room = "\(SizeText.bytes(status.bytes)) in \(TerminalStyle.safe(status.path))"
        try StandardOutput.shared.write(room + "\n")
    }
}
