import ArgumentParser
import Foundation
import Photos
import PhotosJSON
import PhotosManagement

/// Downloads files of photos that are only in the cloud.
struct CloudDownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download photos whose files are only in the cloud.",
        discussion: """
            Syncs nothing else, and need not wait for a session. Photos whose files are here are \
            left as they are. The exit status is 1 if a photo could not be downloaded; the others \
            are.

            Each JSON object has the keys localIdentifier, outcome (downloaded, here or failed) and \
            reason.

            EXAMPLES
              photos cloud download 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos list --album Summer --json | jq -r .localIdentifier | photos cloud download -
            """
    )

    /// The maximum number of photos per download request.
    ///
    /// The outcomes of a request are shown before the next request begins.
    private static let batch = 16

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: AssetArguments.help)
    var operands: [String]

    func run() throws {
        let interruption = Interruption()
        let library = try location.open()
        let assets = try AssetArguments.assets(try Operands.expanded(operands), in: library)
        let cloud = try CloudLibrary(of: location.url)
        guard try cloud.state().activity != .none else { throw CloudSyncCommand.notJoined }
        var rest = assets.map(\.localIdentifier)[...]
        var hasFailure = false
        while !rest.isEmpty, interruption.error == nil {
            let batch = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(batch.count)
            for download in try cloud.download(batch) {
                if download.outcome == .failed { hasFailure = true }
                try report(download)
            }
            try StandardOutput.shared.flush()
        }
        if let error = interruption.error { throw error }
        if hasFailure { throw ExitCode(ExitStatus.failed) }
    }

    private func report(_ download: CloudDownload) throws {
        guard output.json else {
            let text = download.localIdentifier + ": "
            switch download.outcome {
            case .downloaded: try StandardOutput.shared.write(text + "downloaded\n")
            case .here: try StandardOutput.shared.write(text + "is here\n")
            case .failed:
                StandardError.shared.say(
                    TerminalStyle.safe("photos: " + text + (download.reason ?? ""))
                )
            }
            return
        }
        var object = JSONObject()
        object.add("localIdentifier", download.localIdentifier)
        object.add("outcome", download.outcome.rawValue)
        object.add("reason", download.reason)
        try StandardOutput.shared.write(object.line + "\n")
    }
}
