import Foundation
import LibraryService
import PhotoModel

/// Creates albums with new assets from files, one change after the other, until it is killed.
///
/// The album's title is the number of assets that it was created with. Prints `album UUID` after
/// the commit.
struct FileRun {
    let library: any LibraryService
    let folder: String

    func run(_ random: inout SplitMix) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        while true { try change(names, &random) }
    }

    private func change(_ names: [String], _ random: inout SplitMix) throws {
        let album = UUID().uuidString
        var files: [Descriptor] = []
        var creations: [AssetCreation] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard let name = names.randomElement(using: &random) else { continue }
            let number = open(folder + "/" + name, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { throw HammerError("\(name) cannot be opened.") }
            files.append(Descriptor(owning: number))
            creations.append(
                AssetCreation(
                    uuid: UUID().uuidString,
                    resources: [
                        ResourceCreation(
                            type: .photo,
                            file: FileToken(Int64(files.count - 1)),
                            originalFilename: name
                        )
                    ]
                )
            )
        }
        let actions: [ChangeAction] =
            [
                .createCollection(
                    CollectionCreation(uuid: album, kind: .album, title: "\(creations.count)")
                )
            ] + creations.map(ChangeAction.createAsset) + [
                .editMembers(album: album, ListEdit(steps: [.add(creations.map(\.uuid))]))
            ]
        try library.commit(
            ChangeSet(
                operations: actions.map { ChangeOperation(request: "hammer", action: $0) }
            ),
            files: files
        )
        ChangeHammer.say("album", album)
    }
}
