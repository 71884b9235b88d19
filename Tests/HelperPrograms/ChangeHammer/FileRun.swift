import Foundation
import LibraryService
import PhotoModel

/// One change after the other that makes an album with new assets of files, until somebody kills it.
///
/// The album's title says how many assets it was made with. Says `album UUID` once one is committed.
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
                            file: files.count - 1,
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
        _ = try library.commit(
            CommitRequest(
                author: "hammer",
                changes: ChangeSet(
                    operations: actions.map { ChangeOperation(request: "hammer", action: $0) }
                )
            ),
            files: files
        )
        ChangeHammer.say("album", album)
    }
}
