import CloudSync
import Testing

@testable import CloudSimulation

/// The removal of blobs that no change names.
@Suite(.timeLimit(.minutes(1))) struct AbandonedBlobTests {
    /// Three computers that know each other, and a blob of the third one that no change names.
    private struct World {
        var store = SimulatedStore()
        var computers: [TestComputer]
        let blob = BlobName(device: CloudID(3, 1), id: CloudID(9, 9))

        init(weakness: Weakness? = nil) throws {
            computers = (1...3).map {
                TestComputer(UInt64($0), isCreator: $0 == 1, weakness: weakness)
            }
            for _ in 0..<3 { for index in computers.indices { try sync(index) } }
            store.put(.blob(blob), .blob(AbandonedBlobTests.content(1)))
            for computer in computers { try #require(computer.machine.isFull) }
        }

        mutating func perform(_ index: Int, _ duty: Duty) throws {
            try computers[index].perform(duty, &store)
        }

        /// Publishes, reads all logs, and acknowledges what was read.
        mutating func sync(_ index: Int) throws {
            for _ in 0..<3 { try perform(index, .publish) }
            try perform(index, .pollAll)
            for _ in 0..<2 { try perform(index, .publish) }
        }

        /// Answers the first request of a computer.
        mutating func answer(_ index: Int) throws { try computers[index].answer(0, &store) }

        /// Retires the third computer, until the retirement is settled on the first one.
        mutating func retireThird() throws {
            computers[0].step(.perform(.retire(blob.device)))
            for _ in 0..<2 { for index in 0..<2 { try sync(index) } }
            try #require(computers[0].machine.settled.contains(blob.device))
        }

        func isAbandoned(_ blob: BlobName? = nil, on index: Int = 0) -> Bool {
            let environment = SyncEnvironment(now: 1_000, fresh: CloudID(8, 8))
            return computers[index].machine.isAbandoned(blob ?? self.blob, environment)
        }

        mutating func remove(on index: Int = 0) throws {
            try perform(index, .removeAbandoned([blob]))
        }

        var hasBlob: Bool { store.objects[.blob(blob)] != nil }
    }

    private static func content(_ number: UInt64) -> ContentID {
        ContentID(CloudID(1, number), CloudID(2, number))
    }

    // MARK: - The rule

    @Test func aBlobOfARetiredDeviceIsAbandoned() throws {
        var world = try World()
        try world.retireThird()
        #expect(world.isAbandoned())
        #expect(world.isAbandoned(on: 1))
    }

    @Test func aBlobOfAnActiveDeviceIsNot() throws {
        var world = try World()
        for index in 0..<3 { #expect(!world.isAbandoned(on: index)) }
        try world.remove()
        #expect(world.computers[0].machine.unexported.isEmpty)
        #expect(world.hasBlob)
    }

    /// Until the retirement is published and all logs were read after that, a segment with the name
    /// of the blob may be unread.
    @Test func aRetirementThatIsNotSettledAbandonsNothing() throws {
        var world = try World()
        world.computers[0].step(.perform(.retire(world.blob.device)))
        #expect(!world.isAbandoned())
        try world.perform(0, .publish)
        #expect(world.computers[0].machine.unexported.isEmpty)
        #expect(!world.isAbandoned())
        try world.perform(0, .pollAll)
        #expect(world.isAbandoned())
    }

    @Test func allMembersHaveReadTheEndOfTheLog() throws {
        var world = try World()
        world.computers[2].importPhotos([[]])
        for _ in 0..<3 { try world.perform(2, .publish) }
        world.computers[0].step(.perform(.retire(world.blob.device)))
        for _ in 0..<2 { try world.sync(0) }
        #expect(world.computers[0].machine.settled.contains(world.blob.device))
        #expect(!world.isAbandoned())
        try world.sync(1)
        #expect(!world.isAbandoned())
        try world.sync(0)
        #expect(world.isAbandoned())
    }

    /// A device that uploaded before its first segment has nothing that others could acknowledge.
    @Test func aDeviceWithoutALogCanBeRetired() throws {
        var world = try World()
        let blob = BlobName(device: CloudID(4, 1), id: CloudID(9, 9))
        #expect(!world.isAbandoned(blob))
        world.computers[0].step(.perform(.retire(blob.device)))
        #expect(!world.isAbandoned(blob))
        try world.sync(0)
        #expect(world.isAbandoned(blob))
    }

    @Test func aNamedBlobIsNotAbandoned() throws {
        var world = try World()
        world.computers[2].importPhotos([[Self.content(2)]])
        for _ in 0..<3 { try world.perform(2, .publish) }
        for index in 0..<3 { try world.sync(index) }
        try world.retireThird()
        let named = try #require(
            world.computers[0].machine.state.usableBlob(of: Self.content(2))
        )
        #expect(named.device == world.blob.device)
        #expect(!world.isAbandoned(named))
        #expect(world.isAbandoned())
    }

    /// Even without the rule about the device.
    @Test func anOwnUploadIsNotAbandoned() throws {
        var world = try World(weakness: .removesUnfinished)
        world.computers[0].importPhotos([[Self.content(2)]])
        world.computers[0].step(.perform(.publish))
        let upload = try #require(world.computers[0].machine.openUploads.first)
        #expect(!world.isAbandoned(upload))
        #expect(world.isAbandoned(upload, on: 1))
        #expect(world.isAbandoned())
    }

    @Test func aDeviceThatIsNotFullRemovesNothing() throws {
        var world = try World()
        try world.retireThird()
        world.computers.append(TestComputer(4, isCreator: false))
        for _ in 0..<2 { try world.perform(3, .pollAll) }
        #expect(!world.computers[3].machine.isFull)
        #expect(world.computers[3].machine.settled.contains(world.blob.device))
        #expect(!world.isAbandoned(on: 3))
    }

    @Test func aRetiredDeviceRemovesNothing() throws {
        var world = try World()
        try world.retireThird()
        world.computers[1].step(.perform(.retire(world.computers[0].machine.device)))
        try world.sync(1)
        try world.perform(0, .pollAll)
        #expect(!world.isAbandoned())
    }

    @Test func nothingIsRemovedFromAStoreThatWasRolledBack() throws {
        var world = try World()
        try world.retireThird()
        let second = world.computers[1].machine.device
        let tip = try #require(world.computers[0].machine.vector[second])
        world.store.delete(.segment(second, tip))
        try world.perform(0, .pollAll)
        #expect(world.computers[0].machine.isReadOnly)
        #expect(!world.isAbandoned())
        try world.remove()
        #expect(world.computers[0].machine.unexported.isEmpty)
        #expect(world.hasBlob)
    }

    // MARK: - The removal

    @Test func aBlobIsDeletedAfterAllKnowThatItIsCondemned() throws {
        var world = try World()
        try world.retireThird()
        try world.remove()
        let condemnation: [CloudOperation] = [.condemn(world.blob)]
        #expect(world.computers[0].machine.unexported.map(\.operations) == [condemnation])
        #expect(world.computers[0].machine.condemnedUnnamedBlobs == [world.blob])
        // It is condemned once.
        try world.remove()
        #expect(world.computers[0].machine.unexported.count == 1)
        try world.sync(0)
        try world.remove()
        #expect(world.hasBlob)
        try world.sync(1)
        try world.sync(0)
        #expect(world.isAbandoned())
        try world.remove()
        #expect(!world.hasBlob)
        let removal: [CloudOperation] = [.gone(world.blob)]
        #expect(world.computers[0].machine.unexported.map(\.operations) == [removal])
        #expect(world.computers[0].machine.condemnedUnnamedBlobs == [])
        try world.sync(0)
        try world.sync(1)
        #expect(world.computers[1].machine.condemnedUnnamedBlobs == [])
        // A late request has brought the object back.
        world.store.put(.blob(world.blob), .blob(Self.content(1)))
        #expect(world.isAbandoned(on: 1))
        try world.remove(on: 1)
        #expect(!world.hasBlob)
    }

    @Test func aRequestIsNotSentTwice() throws {
        var world = try World()
        try world.retireThird()
        try world.remove()
        for index in [0, 1, 0] { try world.sync(index) }
        for _ in 0..<2 {
            world.computers[0].step(.perform(.removeAbandoned([world.blob])))
            #expect(world.computers[0].requests.count == 1)
        }
        let number = try #require(world.computers[0].requests.first?.number)
        #expect(world.computers[0].machine.deletesBlob(number))
    }

    /// The retired device publishes the name of the blob before it reads of its retirement.
    ///
    /// If the blob were deleted without being condemned, all devices would rely on it, and its
    /// content would not be uploaded again.
    @Test(arguments: [nil, Weakness.removesUncondemned])
    func aLateAnnouncementIsNotReliedOn(_ weakness: Weakness?) throws {
        var world = try World(weakness: weakness)
        let content = Self.content(2)
        world.computers[2].importPhotos([[content]])
        world.computers[2].step(.perform(.publish))
        let blob = try #require(world.computers[2].machine.openUploads.first)
        try world.answer(2)
        #expect(world.computers[2].machine.openUploads == [])
        #expect(world.store.objects[.blob(blob)] != nil)
        try world.retireThird()
        for index in [0, 1, 0, 1] {
            try world.perform(0, .removeAbandoned([blob]))
            try world.sync(index)
        }
        #expect(world.store.objects[.blob(blob)] == nil)
        try world.perform(2, .publish)
        try world.perform(2, .publish)
        for _ in 0..<2 { for index in 0..<3 { try world.sync(index) } }
        #expect(world.computers[2].machine.device != blob.device)
        for index in 0..<3 {
            #expect(world.computers[index].machine.state.isReferenced(content))
            try world.perform(index, .replenish(limit: 4))
        }
        for _ in 0..<2 { for index in 0..<3 { try world.sync(index) } }
        for computer in world.computers {
            let usable = try #require(computer.machine.state.usableBlob(of: content))
            #expect((usable == blob) == (weakness != nil))
            #expect((world.store.objects[.blob(usable)] == nil) == (weakness != nil))
        }
    }
}
