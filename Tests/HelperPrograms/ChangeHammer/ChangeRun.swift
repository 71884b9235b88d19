import Foundation
import LibraryService
import PhotoModel

/// Makes many small changes to objects that all processes share, while a follower tracks the
/// changes of all.
///
/// Each change adds a unique keyword to an asset, so that a lost change is noticed at the end, and
/// makes exactly one version. Prints `change NUMBER VERSION` for each, and at the end `state
/// VERSION DIGEST` and `followed VERSION`.
struct ChangeRun {
    let library: any LibraryService
    let name: String
    let count: Int
    /// The version at which all processes are done.
    let total: Int64
    var random: SplitMix

    func run() throws {
        let start = try library.status().version
        let follower = Follower(library: library, since: start)
        let thread = Thread { follower.run(until: total) }
        thread.start()
        var run = self
        for number in 0..<count { try run.change(number) }
        let states = try follower.wait()
        let state = try Follower.presentState(of: library)
        guard states == state else { throw HammerError("What was followed is not what there is.") }
        ChangeHammer.say("state", "\(try library.status().version)", Follower.digest(of: state))
        ChangeHammer.say("followed", "\(total)")
    }

    private mutating func change(_ number: Int) throws {
        let reply = try library.fetch(Follower.everything)
        let assets = try library.loadAssets(AssetLoadRequest(ids: reply.ids)).assets.map(\.uuid)
        let albums = try library.fetchCollections(
            CollectionFetchRequest(scope: .library, kind: .album)
        )
        let records = try library.loadCollections(CollectionLoadRequest(ids: albums.ids))
        guard let tagged = assets.randomElement(using: &random),
            let other = assets.randomElement(using: &random),
            let album = records.collections.randomElement(using: &random)?.uuid
        else { throw HammerError("The library is empty.") }
        var edit = AssetEdit()
        edit.addedKeywords = ["\(name)-\(number)"]
        edit.isFavorite = Bool.random(using: &random)
        var actions = [ChangeAction.editAsset(uuid: tagged, edit)]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: actions.append(.editMembers(album: album, ListEdit(steps: [.add([other])])))
        case 1: actions.append(.editMembers(album: album, ListEdit(steps: [.remove([other])])))
        case 2:
            actions.append(.editMembers(album: album, ListEdit(steps: [.insert([other], at: [0])])))
        case 3: actions.append(.retitleCollection(uuid: album, title: "\(name) \(number)"))
        default:
            var rating = AssetEdit()
            rating.rating = number % 6
            actions.append(.editAsset(uuid: other, rating))
        }
        let version = try library.commit(
            CommitRequest(
                changes: ChangeSet(
                    operations: actions.map { ChangeOperation(request: "hammer", action: $0) }
                )
            )
        ).version
        ChangeHammer.say("change", "\(number)", "\(version)")
    }
}
