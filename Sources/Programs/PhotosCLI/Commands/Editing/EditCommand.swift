import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Edits photos and keeps their originals.
struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit photos without changing their originals.",
        discussion: """
            The edited photo is stored beside the original, together with the adjustments. A later \
            edit continues from there: it changes the adjustments that it names and keeps the \
            others. A photo that another program edited is edited as it is shown. A Live Photo \
            remains one: each frame of its movie is edited, which takes some seconds. Movies \
            cannot be edited. All photos are changed together, or none if one of them cannot be \
            changed. photos undo undoes the edit; photos revert returns to the original.

            EXAMPLES
              photos edit 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --filter Noir
              photos edit "$id" --auto true --exposure 0.5 --shadows 0.3
              photos edit "$id" --rotate 90 --crop 0.1,0.1,0.8,0.8
              photos edit "$id" --filter none
              photos image "$id" --version unadjusted -o before.jpg
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var assets: AssetsArgument
    @OptionGroup var adjustments: AdjustmentOptions

    @Flag(help: "Start again from the original, without earlier edits.")
    var reset = false

    func validate() throws {
        if adjustments.isEmpty {
            throw ValidationError("Give an adjustment, such as --filter Noir.")
        }
    }

    func run() throws {
        let library = try location.open()
        try output.report(of: assets.identifiers) {
            let assets = try AssetArguments.assets(assets.identifiers, in: library)
            let edits = try assets.compactMap { asset in
                try rendered(asset).map { (asset, $0) }
            }
            let change = try Changes.perform(in: library) {
                for (asset, output) in edits {
                    PHAssetChangeRequest(for: asset).contentEditingOutput = output
                }
            }
            return ChangeReport(
                outcome: "edited",
                of: assets.map(\.localIdentifier),
                changed: change.changed,
                noun: "photo"
            ) { "Edited \(Wording.count($0, "photo"))." }
        }
    }

    /// Renders a photo with the requested adjustments; returns nil if the photo already has them.
    private func rendered(_ asset: PHAsset) throws -> PHContentEditingOutput? {
        var edit = try PhotoEdit(of: asset)
        let present = edit.adjustments
        if reset { edit.adjustments = PhotoAdjustments() }
        adjustments.apply(to: &edit.adjustments)
        // The adjustments do not describe another program's edit, so the photo is rendered again.
        let isOwn = !asset.hasAdjustments || edit.continuesPresentEdit
        return isOwn && edit.adjustments == present ? nil : try edit.output()
    }
}
