import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Lists groups of duplicate photos, and merges each group into one photo.
struct DuplicatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "Find photos that show the same picture in different files.",
        discussion: """
            Finds photos that were resized, recompressed, converted to another format or slightly \
            cropped, and prints them in groups. The first photo of each group is suggested to be \
            kept: it has the most pixels or, in this order, was edited, is a favorite, is in more \
            albums, or is the oldest. Frames of one burst are not duplicates, nor are photos that \
            were taken at different times. The first run examines every photo and can take a long \
            time.

            With --merge, the suggested photo of each group replaces the others in albums, and \
            becomes a favorite if one of them is; the others move to Recently Deleted. This is one \
            change, which photos undo reverts. You are asked for confirmation, unless --yes is \
            given.

            EXAMPLES
              photos duplicates
              photos duplicates --json | jq -r 'select(.isSuggested | not) | .localIdentifier'
              photos duplicates --merge
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Keep the suggested photo of each group, and delete the others.")
    var merge = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    func validate() throws {
        guard merge || !yes else { throw ValidationError("--yes requires --merge.") }
    }

    func run() throws {
        let interruption = Interruption()
        let library = try location.open()
        var bar = ProgressBar()
        let groups = try library.duplicatePhotos(control: interruption.control) { left, total in
            bar.show(total == 0 ? 1 : 1 - Double(left) / Double(total))
        }
        bar.finish()
        if let error = interruption.error { throw error }
        guard merge else { return try show(groups, of: library) }
        try output.report(of: groups.flatMap { $0.photos.dropFirst() }.map(\.localIdentifier)) {
            guard !groups.isEmpty else { return ChangeReport("No duplicates found.") }
            if !yes {
                guard Confirmation.isPossible else { throw Confirmation.nobodyToAsk }
                Confirmation.beforeDeleting(from: library)
            }
            try library.merge(groups)
            let deleted = groups.flatMap { $0.photos.dropFirst() }
            return ChangeReport(
                "Kept \(Wording.count(groups.count, "photo")) and moved \(deleted.count) to Recently"
                    + " Deleted. Use photos undo to restore.",
                lines: groups.flatMap(Self.outcomes)
            )
        }
    }

    private static func outcomes(_ group: DuplicatePhotos) -> [JSONObject] {
        group.photos.map { photo in
            JSONObject(
                outcome: photo == group.suggested ? "kept" : "deleted",
                of: photo.localIdentifier
            )
        }
    }

    private func show(_ groups: [DuplicatePhotos], of library: PhotoLibraryBundle) throws {
        var rows = Columns()
        let times = try WallTimes(of: output.json ? [] : groups.flatMap(\.photos), in: library)
        for (index, group) in groups.enumerated() {
            for photo in group.photos {
                if output.json {
                    var object = JSONObject()
                    object.add("group", index)
                    object.add("localIdentifier", photo.localIdentifier)
                    object.add("isSuggested", photo == group.suggested)
                    object.add("originalFilename", photo.extendedMetadata.originalFilename)
                    object.add("pixelWidth", photo.pixelWidth)
                    object.add("pixelHeight", photo.pixelHeight)
                    object.add("isFavorite", photo.isFavorite)
                    object.add("creationDate", photo.creationDate)
                    try StandardOutput.shared.write(object.line + "\n")
                } else {
                    rows.add(Self.row(photo, of: group, index: index, time: times[photo]))
                }
            }
        }
        for line in rows.lines() { try StandardOutput.shared.write(line + "\n") }
        try StandardOutput.shared.flush()
        guard !output.json else { return }
        let copies = groups.reduce(0) { $0 + $1.photos.count - 1 }
        StandardError.shared.say(
            groups.isEmpty
                ? "No duplicates found."
                : "\(Wording.count(groups.count, "group")) with \(Wording.count(copies, "redundant photo"))."
        )
    }

    private static func row(
        _ photo: PHAsset,
        of group: DuplicatePhotos,
        index: Int,
        time: String
    ) -> [String] {
        [
            photo == group.suggested ? "\(index + 1)" : "",
            photo == group.suggested ? "keep" : "",
            "\(photo.pixelWidth) × \(photo.pixelHeight)",
            time,
            TerminalStyle.safe(photo.extendedMetadata.originalFilename ?? ""),
            TerminalStyle.dim(photo.localIdentifier),
        ]
    }
}
