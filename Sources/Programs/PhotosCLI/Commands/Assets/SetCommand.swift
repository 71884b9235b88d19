import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Changes the metadata of assets.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the metadata of photos and movies.",
        discussion: """
            All assets are changed together, or none if one of them cannot be changed. Only the \
            library's metadata changes; the original files stay as they were imported. photos undo \
            reverts the change.

            Dates are in ISO 8601: 2024-05-01, 2024-05-01T12:30:00Z, '2024-05-01 12:30:00+02:00'; \
            without Z or an offset, they are in this computer's time zone.

            EXAMPLES
              photos set 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --favorite true
              photos set "$id" --location -33.8568,151.2153 --rating 5
              photos set "$id" --title 'At the sea' --caption ''
              photos list --predicate 'creationDate = nil' --json |
                  jq -r .localIdentifier | xargs photos set --date 1998-07-12
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var assets: AssetsArgument

    @Option(help: ArgumentHelp("Whether they are favorites.", valueName: "true|false"))
    var favorite: Bool?

    @Option(help: ArgumentHelp("Whether they are hidden.", valueName: "true|false"))
    var hidden: Bool?

    @Option(
        help: ArgumentHelp(
            "Whether they are picked frames of their bursts.",
            valueName: "true|false"
        )
    )
    var burstPick: Bool?

    @Option(
        help: ArgumentHelp(
            "The capture date, such as 2024-05-01T12:30:00+02:00; none for no date.",
            valueName: "date"
        )
    )
    var date: DateArgument?

    @Option(
        name: .customLong("location"),
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The location: degrees north (-90 to 90), degrees east (-180 to 180), and meters above sea \
            level; none for no location.
            """,
            valueName: "lat,lon[,alt]"
        )
    )
    var place: PlaceArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The title; an empty one removes it.", valueName: "text")
    )
    var title: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The caption; an empty one removes it.", valueName: "text")
    )
    var caption: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Stars from 1 to 5; 0 for no rating, -1 for rejected.",
            valueName: "-1-5"
        )
    )
    var rating: Int?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A keyword to add. Can be repeated.",
            valueName: "word"
        )
    )
    var addKeyword: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A keyword to remove. Can be repeated.", valueName: "word")
    )
    var removeKeyword: [String] = []

    func validate() throws {
        if let rating, !(-1...5).contains(rating) {
            throw ValidationError("--rating must be from -1 to 5.")
        }
        if let title { try Titles.validate(title, what: "The title", mayBeEmpty: true) }
        if let caption { try Titles.validate(caption, what: "The caption", mayBeEmpty: true) }
        for word in addKeyword + removeKeyword { try Titles.validate(word, what: "A keyword") }
        if let word = addKeyword.first(where: removeKeyword.contains) {
            throw ValidationError(
                "The keyword \(TerminalStyle.quoted(word)) cannot be both added and removed."
            )
        }
        let isNothing =
            favorite == nil && hidden == nil && burstPick == nil && date == nil && place == nil
            && title == nil && caption == nil && rating == nil && addKeyword.isEmpty
            && removeKeyword.isEmpty
        if isNothing {
            throw ValidationError("Give a value to set, such as --favorite true.")
        }
    }

    func run() throws {
        let library = try location.open()
        try output.report(of: assets.identifiers) {
            let assets = try AssetArguments.assets(assets.identifiers, in: library)
            let change = try Changes.perform(in: library) {
                for asset in assets { apply(to: asset) }
            }
            return ChangeReport(
                outcome: "changed",
                of: assets.map(\.localIdentifier),
                changed: change.changed
            ) { "Changed \(Wording.count($0, "asset"))." }
        }
    }

    /// Requests the command's changes to one asset; must be called inside a change block.
    private func apply(to asset: PHAsset) {
        let request = PHAssetChangeRequest(for: asset)
        if let favorite { request.isFavorite = favorite }
        if let hidden { request.isHidden = hidden }
        if let burstPick { request.isBurstPick = burstPick }
        if let date { request.creationDate = date.date }
        if let place { request.location = place.location }
        if let title { request.title = title.isEmpty ? nil : title }
        if let caption { request.caption = caption.isEmpty ? nil : caption }
        if rating == -1 { request.isRejected = true }
        if let rating = rating.flatMap(PHAsset.Rating.init(rawValue:)) { request.rating = rating }
        for word in addKeyword { request.addKeyword(word) }
        for word in removeKeyword { request.removeKeyword(word) }
    }
}
