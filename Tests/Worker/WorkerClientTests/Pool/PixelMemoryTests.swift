import CLinuxShim
import Glibc
import PhotoModel
import Testing
import WorkerClient
import WorkerProtocol

/// The host maps no memory that a worker could still change or shrink.
@Suite(.timeLimit(.minutes(2)))
struct PixelMemoryTests {
    private let description = PixelBufferDescription(
        size: PixelSize(width: 4, height: 2)
    )

    private func memory(size: Int, isSealed: Bool = true) throws -> Int32 {
        let memory = cphotos_memory_file("test", size)
        try #require(memory >= 0)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        #expect(pwrite(memory, bytes, size, 0) == size)
        if isSealed { #expect(cphotos_seal(memory) == 0) }
        return memory
    }

    @Test func sealedPixelsAreMapped() throws {
        let memory = try memory(size: 24)
        defer { close(memory) }
        let pixels = try #require(
            PixelMemory(description: description, descriptor: memory, maximumSide: 100)
        )
        #expect(pixels.withBytes { Array($0) } == Array(0..<24))
    }

    @Test("Pixels of this process are used as they are, where they are as many as is said")
    func blocksAreShared() throws {
        let block = try #require(
            PixelBlock(count: 24) { bytes in
                bytes.copyBytes(from: 0..<24)
                return true
            }
        )
        let pixels = try #require(PixelMemory(description: description, block: block))
        #expect(pixels.start == block.start)
        #expect(pixels.withBytes { Array($0) } == Array(0..<24))
        let short = try #require(PixelBlock(count: 23) { _ in true })
        #expect(PixelMemory(description: description, block: short) == nil)
        #expect(PixelBlock(count: 24) { _ in false } == nil)
    }

    @Test func unsealedMemoryIsRefused() throws {
        let memory = try memory(size: 24, isSealed: false)
        defer { close(memory) }
        #expect(
            PixelMemory(description: description, descriptor: memory, maximumSide: 100) == nil
        )
    }

    @Test func aFileIsRefused() throws {
        let file = open("/etc/hostname", O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        #expect(PixelMemory(description: description, descriptor: file, maximumSide: 100) == nil)
    }

    @Test func memoryThatIsTooSmallIsRefused() throws {
        let memory = try memory(size: 23)
        defer { close(memory) }
        #expect(
            PixelMemory(description: description, descriptor: memory, maximumSide: 100) == nil
        )
    }

    @Test(arguments: [
        (0, 2), (4, 0), (-4, 2), (4, 341), (101, 1), (Int.max, 2), (Int.max / 3, Int.max),
    ])
    func impossibleDescriptionsAreRefused(_ width: Int, _ height: Int) throws {
        let memory = try memory(size: 4096)
        defer { close(memory) }
        let description = PixelBufferDescription(
            size: PixelSize(width: width, height: height)
        )
        #expect(
            PixelMemory(description: description, descriptor: memory, maximumSide: 100) == nil
        )
    }
}
