import CloudSync
import PhotoModel
import Testing

/// The folders of collections, of which concurrent moves can make cycles.
@Suite(.timeLimit(.minutes(1))) struct CollectionParentsTests {
    /// A collection that was moved into a folder.
    private struct Move {
        var collection: UInt64
        var folder: UInt64
        var time: UInt64
        var device: UInt64 = 1
    }

    private static func id(_ number: UInt64) -> CloudID { CloudID(0, number) }

    /// Returns the number of the folder of each collection that is in one.
    private func parents(_ moves: [Move], albums: Set<UInt64> = []) -> [UInt64: UInt64] {
        let key = RegisterKey(.parent)
        var view = MergedLibrary()
        var stamps: [CloudID: [RegisterKey: Register]] = [:]
        for move in moves {
            let value = RegisterValue.parent(Self.id(move.folder), order: [])
            view.objects[Self.id(move.collection)] = MergedObject(
                creation: Creation(kind: albums.contains(move.collection) ? .album : .folder),
                contents: [],
                values: [key: value]
            )
            stamps[Self.id(move.collection)] = [
                key: Register(
                    stamp: ChangeStamp(
                        time: HybridTime(rawValue: move.time),
                        device: Self.id(move.device)
                    ),
                    value: value
                )
            ]
        }
        let found = CollectionParents.parents(of: view) { stamps[$0] }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.key.low, $0.value.low) })
    }

    @Test(
        "The latest move of a cycle is ignored, whatever the identifiers are",
        arguments: [[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1], [1, 3, 2], [3, 1, 2]]
    )
    func cycle(_ folders: [UInt64]) {
        let moves = [
            Move(collection: folders[0], folder: folders[1], time: 10),
            Move(collection: folders[1], folder: folders[2], time: 30),
            Move(collection: folders[2], folder: folders[0], time: 20),
            // Hangs on the cycle, and was moved last.
            Move(collection: 9, folder: folders[1], time: 40),
        ]
        #expect(
            parents(moves, albums: [9])
                == [folders[0]: folders[1], folders[2]: folders[0], 9: folders[1]]
        )
    }

    @Test("Moves at the same time are ordered by their devices, and those of clones by identifiers")
    func sameTime() {
        let concurrent = [
            Move(collection: 1, folder: 2, time: 10, device: 8),
            Move(collection: 2, folder: 1, time: 10, device: 7),
        ]
        #expect(parents(concurrent) == [2: 1])
        let cloned = [
            Move(collection: 1, folder: 2, time: 10), Move(collection: 2, folder: 1, time: 10),
        ]
        #expect(parents(cloned) == [1: 2])
    }

    @Test("A collection whose folder is an album, itself or deleted is in the root")
    func noFolder() {
        let moves = [
            Move(collection: 1, folder: 1, time: 10), Move(collection: 2, folder: 7, time: 10),
            Move(collection: 3, folder: 4, time: 10), Move(collection: 4, folder: 5, time: 20),
            Move(collection: 5, folder: 6, time: 30),
        ]
        #expect(parents(moves, albums: [4]) == [4: 5])
    }
}
