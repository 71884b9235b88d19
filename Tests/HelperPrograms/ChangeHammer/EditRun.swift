import Foundation
import LibraryService
import PhotoModel

/// Saves edits and reverts of random assets, one after the other, until it is killed.
///
/// Each change also sets the title of its asset to the name of the rendered file and a number, or
/// to `original NUMBER`. Prints `begin UUID NAME NUMBER` before and `done UUID NAME NUMBER` after.
struct EditRun {
    let library: any LibraryService
    let folder: String

    func run(_ random: inout SplitMix) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let ids = try library.fetch(AssetFetchRequest()).ids
        let assets = try library.loadAssets(AssetLoadRequest(ids: ids)).assets.map(\.uuid)
        while true {
            guard let asset = assets.randomElement(using: &random),
                let name = names.randomElement(using: &random)
            else { throw HammerError("The library or the folder is empty.") }
            let isRevert = Int.random(in: 0..<4, using: &random) == 0
            let number = UInt32.random(in: 0...UInt32.max, using: &random)
            try change(asset, isRevert ? nil : name, number)
        }
    }

    private func change(_ asset: String, _ name: String?, _ number: UInt32) throws {
        let words = [name ?? "original", "\(number)"]
        var title = AssetEdit()
        title.title = .set(words.joined(separator: " "))
        var files: [Descriptor] = []
        let content: ChangeAction
        if let name {
            let file = open(folder + "/" + name, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw HammerError("\(name) cannot be opened.") }
            files = [Descriptor(owning: file)]
            let edit = ContentEdit(
                adjustments: ContentAdjustments(
                    formatIdentifier: "hammer",
                    formatVersion: "1",
                    data: Data("\(number)".utf8)
                ),
                renderings: [
                    ResourceCreation(
                        type: .fullSizePhoto,
                        file: FileToken(0),
                        originalFilename: name,
                        contentType: "public.jpeg"
                    )
                ]
            )
            content = .editContent(uuid: asset, edit)
        } else {
            content = .revertContent(uuid: asset, choice: nil)
        }
        ChangeHammer.say("begin", asset, words[0], words[1])
        try library.commit(
            ChangeSet(
                operations: [.editAsset(uuid: asset, title), content].map {
                    ChangeOperation(request: "hammer", action: $0)
                }
            ),
            files: files
        )
        ChangeHammer.say("done", asset, words[0], words[1])
    }
}
