import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Lists duplicate photos and merges each group into one.
struct DuplicatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "Show photos that are the same picture in other bytes.",
        discussion: """
            Photos that were scaled, compressed anew, saved in another format or cut a little, in \
            groups; the first of each is suggested to be kept: it has the most pixels, or was edited, \
            or is a favourite, or is in more albums, or is the oldest. Frames of one burst are no \
            duplicates, nor are photos that were taken at different times. The first run looks at \
            every photo and can take long.

            With --merge the suggested one of each group takes the others' places in albums, and \
            becomes a favourite when one of them is; the others go to Recently Deleted. That is one \
            change, which photos undo takes back. You are asked first, unless --yes is given.

            EXAMPLES
              photos duplicates
              photos duplicates --json | jq -r 'select(.isSuggested | not) | .localIdentifier'
              photos duplicates --merge
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Keep the suggested one of each group, and delete the others.")
    var merge = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard merge || !yes else { throw ValidationError("--yes goes with --merge.") }
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
            guard !groups.isEmpty else { return ChangeReport("There are no duplicates.") }
            if !yes {
                guard Confirmation.isPossible else { throw Confirmation.nobodyToAsk }
                Confirmation.beforeDeleting(from: library)
            }
            try library.merge(groups)
            let deleted = groups.flatMap { $0.photos.dropFirst() }
            return ChangeReport(
                "Kept \(Wording.count(groups.count, "photo")) and moved \(deleted.count) to Recently"
                    + " Deleted. photos undo takes that back.",
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
                ? "There are no duplicates."
                : "\(Wording.count(groups.count, "group")), \(copies) more than needed."
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
