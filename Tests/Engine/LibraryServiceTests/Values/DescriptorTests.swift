import Glibc
import LibraryService
import Testing

@Suite(.timeLimit(.minutes(1))) struct DescriptorTests {
    private static func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    /// The ends of a pipe.
    private static func pipe() throws -> (read: Descriptor, write: Descriptor) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// Another thread may open a file with the number at once, so the other end is asked.
    @Test func theLastReferenceClosesIt() throws {
        let (read, write) = try Self.pipe()
        var owners: [Descriptor] = [write, write]
        _ = consume write
        owners.removeLast()
        #expect(read.drain(), "one owner is left")
        owners.removeLast()
        #expect(!read.drain())
    }

    /// In a program that was started without its standard streams, new files have their numbers.
    @Test func standardStreamsAreLeftAlone() async {
        await #expect(processExitsWith: .success) {
            for stream in 0...2 as ClosedRange<Int32> {
                close(stream)
                let number = open("/dev/null", O_RDWR | O_CLOEXEC)
                guard number == stream else { exit(10) }
                let descriptor = Descriptor(owning: number)
                guard descriptor.number > 2,
                    fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0,
                    !DescriptorTests.isOpen(stream)
                else { exit(11) }
                guard open("/dev/null", O_RDWR) == stream else { exit(12) }
            }
        }
    }

    @Test func otherNumbersAreKept() throws {
        let number = try #require([open("/dev/null", O_RDONLY | O_CLOEXEC)].first { $0 > 2 })
        let descriptor = Descriptor(owning: number)
        #expect(descriptor.number == number && Self.isOpen(number))
    }

    @Test func drainingTakesAllDataWithoutWaiting() throws {
        let (read, write) = try Self.pipe()
        #expect(read.drain(), "there is no data yet")
        let bytes = [UInt8](repeating: 1, count: 10_000)
        #expect(Glibc.write(write.number, bytes, bytes.count) == bytes.count)
        #expect(read.drain())
        var byte: UInt8 = 0
        #expect(Glibc.read(read.number, &byte, 1) == -1 && errno == EAGAIN)
    }

    @Test func drainingTellsTheEnd() throws {
        let (read, write) = try Self.pipe()
        var writer: Descriptor? = write
        #expect(Glibc.write(try #require(writer).number, [1], 1) == 1)
        _ = consume write
        writer = nil
        #expect(!read.drain())
    }
}
