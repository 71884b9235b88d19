import CloudSync
import PhotoModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LibraryStateTests {
    private struct Hashing: SegmentHashing {
        func hash(of segment: Segment) -> CloudID { CloudID(segment.device.low, segment.sequence) }
    }

    private static func id(_ number: UInt64) -> CloudID { CloudID(0, number) }

    /// Returns the state of a device that receives the logs of others in an order.
    private static func state(_ logs: [[CloudTransaction]], order: [Int]) -> LibraryState {
        var machine = SyncMachine(
            device: id(900),
            name: "reader",
            isCreator: true,
            hashing: Hashing()
        )
        var names: [CloudID: Segment] = [:]
        for (index, log) in logs.enumerated() {
            let device = id(UInt64(index) + 1)
            let segment = Segment(
                device: device,
                sequence: 1,
                previous: Segment.origin,
                vector: [:],
                transactions: log
            )
            names[device] = segment
        }
        for (step, index) in order.enumerated() {
            let device = id(UInt64(index) + 1)
            guard let segment = names[device] else { continue }
            let environment = SyncEnvironment(now: 0, fresh: id(1000 + UInt64(step)))
            let sealed = SealedSegment(segment: segment, hash: Hashing().hash(of: segment))
            let name = ObjectName.segment(device, sealed.position)
            var outputs = machine.step(.perform(.poll(device)), environment)
            while let output = outputs.popLast() {
                guard case .request(let number, let request) = output else { continue }
                let result: StoreResult
                switch request {
                case .listLog: result = .listed([name])
                case .get: result = .found(.segment(sealed))
                default: result = .failed
                }
                outputs += machine.step(.answer(request: number, result), environment)
            }
        }
        return machine.state
    }

    private static func transaction(_ time: UInt64, _ author: UInt64, _ operation: CloudOperation)
        -> CloudTransaction
    {
        CloudTransaction(
            time: HybridTime(rawValue: time),
            author: id(author),
            operations: [operation]
        )
    }

    private static let favorite = RegisterKey(.isFavorite)
    private static let trash = RegisterKey(.trash)

    /// Two clones upload one blob with keys of their own, or a damaged device names another
    /// content.
    @Test func theOrderOfKeysMakesNoDifference() {
        let blob = BlobName(device: Self.id(1), id: Self.id(60))
        let (low, high) = (ContentID(Self.id(1), Self.id(1)), ContentID(Self.id(2), Self.id(2)))
        let logs = [
            [Self.transaction(1, 1, .stored(high, blob: blob, key: [1]))],
            [Self.transaction(2, 2, .stored(high, blob: blob, key: [2, 5]))],
            [Self.transaction(3, 3, .stored(low, blob: blob, key: [9]))],
        ]
        let first = Self.state(logs, order: [0, 1, 2])
        #expect(first.blobs[blob]?.key == [2, 5])
        #expect(first.readableBlob(of: high) == blob)
        #expect(first.readableBlob(of: low) == nil)
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            #expect(Self.state(logs, order: order) == first, "order \(order)")
        }
    }

    @Test func theOrderOfArrivalMakesNoDifference() {
        let asset = Self.id(50)
        let creation = Creation(kind: .asset)
        let logs = [
            [
                Self.transaction(1, 1, .create(asset, creation)),
                Self.transaction(2, 1, .set(asset, Self.trash, rank: 0, .number(2))),
                Self.transaction(
                    3,
                    1,
                    .purge(
                        asset,
                        trash: ChangeStamp(time: HybridTime(rawValue: 2), device: Self.id(1)),
                        date: .number(2)
                    )
                ),
            ],
            [Self.transaction(4, 2, .set(asset, Self.favorite, rank: 0, .flag(true)))],
            [
                Self.transaction(4, 3, .set(asset, Self.favorite, rank: 0, .flag(false))),
                Self.transaction(2, 3, .set(asset, Self.trash, rank: 0, .none)),
            ],
        ]
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        let states = orders.map { Self.state(logs, order: $0) }
        for state in states.dropFirst() { #expect(state == states[0]) }
        // The restore has another stamp than the purge names, so the asset is back.
        #expect(states[0].isAlive(asset))
        // Equal times are decided by the device.
        #expect(states[0].objects[asset]?.registers[Self.favorite]?.value == .flag(false))
    }

    /// A device that has read the purge must not offer the asset to be restored, even if it cannot
    /// read the log with the trash yet.
    @Test func aPurgeBringsItsTrash() {
        let asset = Self.id(50)
        let stamp = ChangeStamp(time: HybridTime(rawValue: 5), device: Self.id(2))
        let logs = [
            [
                Self.transaction(1, 1, .create(asset, Creation(kind: .asset))),
                Self.transaction(2, 1, .set(asset, Self.trash, rank: 0, .number(2))),
            ],
            [Self.transaction(5, 2, .set(asset, Self.trash, rank: 0, .number(5)))],
            [Self.transaction(6, 3, .purge(asset, trash: stamp, date: .number(5)))],
        ]
        let state = Self.state(logs, order: [0, 2])
        #expect(!state.isAlive(asset))
        #expect(state.objects[asset]?.registers[Self.trash]?.value == .number(5))
        #expect(
            Self.state(logs, order: [0, 2, 1]).objects
                == Self.state(logs, order: [0, 1, 2]).objects
        )
    }

    @Test func aHigherReaderVersionWins() {
        let asset = Self.id(50)
        let facts = RegisterKey(.facts)
        let state = Self.state(
            [
                [Self.transaction(1, 1, .set(asset, facts, rank: 2, .text("new reader")))],
                [Self.transaction(9, 2, .set(asset, facts, rank: 1, .text("old reader")))],
                [Self.transaction(1, 3, .set(asset, Self.favorite, rank: 7, .flag(false)))],
                [Self.transaction(2, 4, .set(asset, Self.favorite, rank: 0, .flag(true)))],
            ],
            order: [0, 1, 2, 3]
        )
        #expect(state.objects[asset]?.registers[facts]?.value == .text("new reader"))
        // A rank means nothing in other groups.
        #expect(state.objects[asset]?.registers[Self.favorite]?.value == .flag(true))
    }

    @Test func operationsOfLaterVersionsAreKept() {
        let state = Self.state(
            [[Self.transaction(1, 1, .unknown(kind: 77, [1, 2, 3]))]],
            order: [0, 0]
        )
        #expect(state.unknown.map(\.bytes) == [[1, 2, 3]])
    }

    @Test func anObjectCreatedTwiceIsOne() {
        let asset = Self.id(50)
        let state = Self.state(
            [
                [Self.transaction(5, 1, .create(asset, Creation(kind: .asset, constants: [1])))],
                [Self.transaction(4, 2, .create(asset, Creation(kind: .asset, constants: [2])))],
            ],
            order: [0, 1]
        )
        #expect(state.objects[asset]?.creation?.constants == [2])
    }

    @Test func twinsAreShownOnce() {
        let content = ContentID(Self.id(1), Self.id(2))
        let originals = [CloudResource(id: Self.id(60), content: content)]
        let creation = Creation(kind: .asset, isImported: true, originals: originals)
        let (first, second) = (Self.id(50), Self.id(51))
        let logs = [
            [Self.transaction(5, 1, .create(first, creation))],
            [
                Self.transaction(6, 2, .create(second, creation)),
                Self.transaction(7, 2, .set(second, Self.favorite, rank: 0, .flag(true))),
            ],
            [Self.transaction(8, 3, .same(first, second))],
        ]
        let apart = Self.state(Array(logs.prefix(2)), order: [0, 1])
        #expect(apart.missingPairs(limit: 9) == [TwinPair(first, second)])
        let state = Self.state(logs, order: [0, 1, 2])
        #expect(state.missingPairs(limit: 9) == [])
        let view = state.view()
        #expect(view.objects.keys.sorted() == [first])
        #expect(view.objects[first]?.values[Self.favorite] == .flag(true))
        #expect(view.aliases == [second: first])
    }

    /// What a person had set before an import wins over the file of a later one, and a change in
    /// the library over both.
    @Test func theOriginOfAValueDecidesBetweenTwins() {
        let content = ContentID(Self.id(1), Self.id(2))
        let originals = [CloudResource(id: Self.id(60), content: content)]
        let creation = Creation(kind: .asset, isImported: true, originals: originals)
        let (migrated, imported, changed) = (Self.id(50), Self.id(51), Self.id(52))
        let key = RegisterKey(.title)
        let logs = [
            [
                Self.transaction(4, 1, .set(migrated, key, rank: 0, .text("source"))),
                Self.transaction(5, 1, .create(migrated, creation)),
            ],
            [
                Self.transaction(6, 2, .create(imported, creation)),
                Self.transaction(6, 2, .set(imported, key, rank: 0, .text("file"))),
            ],
            [
                Self.transaction(2, 3, .create(changed, creation)),
                Self.transaction(3, 3, .set(changed, key, rank: 0, .text("change"))),
            ],
            [
                Self.transaction(8, 4, .same(migrated, imported)),
                Self.transaction(8, 4, .same(imported, changed)),
            ],
        ]
        for order in [[0, 1, 3], [3, 1, 0]] {
            let view = Self.state(logs, order: order).view()
            #expect(view.objects.count == 1)
            #expect(view.objects.values.first?.values[key] == .text("source"))
        }
        for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
            let view = Self.state(logs, order: order).view()
            #expect(view.objects.count == 1)
            #expect(view.objects.values.first?.values[key] == .text("change"))
        }
    }

    /// An edit may be imported with its original.
    ///
    /// The other twin is imported without it, earlier or later.
    @Test(arguments: [UInt64(4), 6]) func anImportedEditStays(time: UInt64) {
        let content = ContentID(Self.id(1), Self.id(2))
        let render = ContentID(Self.id(3), Self.id(4))
        let creation = Creation(
            kind: .asset,
            isImported: true,
            originals: [CloudResource(id: Self.id(60), content: content)]
        )
        let (edited, other) = (Self.id(50), Self.id(51))
        let edit = RegisterValue.version([1], [CloudResource(id: Self.id(61), content: render)])
        let key = RegisterKey(.content)
        let logs = [
            [
                Self.transaction(5, 1, .create(edited, creation)),
                Self.transaction(5, 1, .set(edited, key, rank: 0, edit)),
            ],
            [
                Self.transaction(time, 2, .create(other, creation)),
                Self.transaction(time, 2, .set(other, key, rank: 0, .version([2], []))),
            ],
            [Self.transaction(8, 3, .same(edited, other))],
        ]
        for order in [[0, 1, 2], [2, 1, 0]] {
            let view = Self.state(logs, order: order).view()
            #expect(view.objects.count == 1)
            #expect(view.objects.values.first?.values[key] == edit)
        }
    }

    /// Two devices move two folders into each other.
    @Test func theLaterEdgeOfACycleIsIgnored() {
        let (first, second, album) = (Self.id(50), Self.id(51), Self.id(52))
        let key = RegisterKey(.parent)
        let logs = [
            [
                Self.transaction(1, 1, .create(first, Creation(kind: .folder))),
                Self.transaction(2, 1, .create(second, Creation(kind: .folder))),
                Self.transaction(3, 1, .create(album, Creation(kind: .album))),
                Self.transaction(4, 1, .set(album, key, rank: 0, .parent(first, order: []))),
            ],
            [Self.transaction(5, 2, .set(first, key, rank: 0, .parent(second, order: [])))],
            [Self.transaction(6, 3, .set(second, key, rank: 0, .parent(first, order: [])))],
            [Self.transaction(7, 4, .set(first, RegisterKey(.existence), rank: 0, .flag(false)))],
        ]
        let view = Self.state(logs, order: [0, 1, 2]).view()
        #expect(view.parents == [first: second, album: first])
        // What a deleted folder contained without the deleting device's knowledge is in the root.
        #expect(Self.state(logs, order: [0, 1, 2, 3]).view().parents == [:])
    }
}
