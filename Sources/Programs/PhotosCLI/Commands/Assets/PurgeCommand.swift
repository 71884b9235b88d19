import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Permanently deletes assets in Recently Deleted.
struct PurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Permanently delete items in Recently Deleted, with their files.",
        discussion: """
            This cannot be undone, so you are asked for confirmation. Without a terminal, as in a \
            script, --yes is required; otherwise nothing is changed and the exit status is 1.

            EXAMPLES
              photos purge 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos purge --all
              photos purge --all --yes --json
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Everything in Recently Deleted.")
    var all = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @Argument(
        help: ArgumentHelp(
            "The assets' complete identifiers, as shown by photos list --deleted; - reads standard input.",
            valueName: "id"
        )
    )
    var operands: [String] = []

    func validate() throws {
        guard all == operands.isEmpty else {
            throw ValidationError("Give either the assets to delete, or --all.")
        }
    }

    func run() throws {
        let library = try location.open()
        let identifiers = try Operands.expanded(operands)
        try Abbreviations.refuse(in: identifiers, because: "purge")
        try output.report(of: all ? [nil] : identifiers) {
            let deleted = DeletedAssets(library)
            let assets = try all ? deleted.all() : deleted.named(identifiers)
            guard !assets.isEmpty else { return ChangeReport("Recently Deleted is empty.") }
            let count = Wording.count(assets.count, "asset")
            if !yes {
                guard Confirmation.isPossible else { throw Confirmation.nobodyToAsk }
                Confirmation.beforeDeleting(from: library)
            }
            try library.purge(assets)
            return ChangeReport(
                "Permanently deleted \(count).",
                outcome: "purged",
                of: assets.map(\.localIdentifier)
            )
        }
    }
}
