import DaemonCore
import DaemonFakes
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// A subscription's descriptor reports changes over all connections of its library.
@Suite(.timeLimit(.minutes(2))) struct SubscriptionTests {
    private func becomesReadable(_ descriptor: Descriptor) -> Bool {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 20_000) == 1
    }

    @Test func changesAreReported() throws {
        let world = try DaemonWorld()
        let (observer, writer) = (try world.library(), try world.library())
        let descriptor = try observer.subscribe()
        for index in 1...5 {
            #expect(becomesReadable(descriptor))
            #expect(descriptor.drain())
            let version = try observer.status().version
            _ = try writer.commit(CommitRequest(mark: "\(index)"))
            #expect(becomesReadable(descriptor) && version < Int64(index))
        }
        observer.close()
        // The end of the library is the end of the subscription.
        while descriptor.drain() { #expect(becomesReadable(descriptor)) }
    }

    @Test func descriptorSurvivesTheDaemon() throws {
        let folder = try SocketFolder()
        let journal = try ChangeJournal(path: nil)
        let engine = { FakeEngine(journal: journal) }
        var world: DaemonWorld? = try DaemonWorld(folder: folder, engine: engine())
        let library = try #require(try world?.library())
        let descriptor = try library.subscribe()
        #expect(becomesReadable(descriptor) && descriptor.drain())
        for index in 1...3 {
            world?.server.stop(.reconnect)
            #expect(world?.waitForEnd() == true)
            world = nil
            // The client makes no call, so its library connects by itself.
            world = try DaemonWorld(folder: folder, engine: engine())
            var isNoticed = false
            while !isNoticed {
                #expect(becomesReadable(descriptor) && descriptor.drain())
                isNoticed = world?.server.status.clients.isEmpty == false
            }
            let writer = try #require(try world?.library())
            while try library.status().version < index {
                _ = try writer.commit(CommitRequest(mark: "\(index)"))
                #expect(becomesReadable(descriptor) && descriptor.drain())
            }
        }
    }

    @Test func droppedDescriptorEndsItsSubscription() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        var descriptors = try (0..<50).map { _ in try library.subscribe() }
        descriptors.removeFirst(49)
        _ = try library.commit(CommitRequest(mark: "a"))
        #expect(becomesReadable(descriptors[0]))
        _ = try library.status()
    }
}
