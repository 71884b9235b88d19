#if canImport(Glibc)
internal import Glibc
#endif
internal import Synchronization

/// Memory of this process with the bytes of one picture, which nobody changes any more.
///
/// What the library decodes itself needs no seals. It is given back with the last reference.
package final class PixelBlock: Sendable {
    /// Written before this object is made, and given back only with it.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer

    package let count: Int

    /// Where the bytes begin, for whoever keeps this object as long as it reads them.
    package var start: UnsafeRawPointer { UnsafeRawPointer(memory) }

    /// Memory of `count` bytes that `write` fills, all of it: they are not zero before.
    ///
    /// - Returns: nil when there is no memory, or `write` says no.
    package init?(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Bool) {
        guard count > 0, let memory = SpareBlocks.take(count) else { return nil }
        guard write(UnsafeMutableRawBufferPointer(start: memory, count: count)) else {
            SpareBlocks.giveBack(memory, count)
            return nil
        }
        self.memory = memory
        self.count = count
    }

    deinit { SpareBlocks.giveBack(memory, count) }
}

/// Memory of small pictures that are gone, for the next of the same size.
///
/// A grid's cells have few sizes, and come and go all the time. The system would take such memory away
/// and give it back page by page, each of them cleared, which takes half as long as decoding.
private enum SpareBlocks {
    /// Larger blocks go back to the system at once.
    private static let largest = 1 << 20
    /// At most so much is kept, in bytes.
    private static let limit = 8 << 20

    private struct State: @unchecked Sendable {
        var blocks: [Int: [UnsafeMutableRawPointer]] = [:]
        var kept = 0
    }

    private static let state = Mutex(State())

    /// Whole pages, so that pictures of nearly the same size share their blocks.
    private static func length(_ count: Int) -> Int { (count + 4_095) & ~4_095 }

    static func take(_ count: Int) -> UnsafeMutableRawPointer? {
        guard count <= largest else { return malloc(count) }
        let length = length(count)
        let spare = state.withLock { state in
            let spare = state.blocks[length]?.popLast()
            if spare != nil { state.kept -= length }
            return spare
        }
        return spare ?? malloc(length)
    }

    static func giveBack(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        let length = length(count)
        var freed: [UnsafeMutableRawPointer] = []
        if count > largest {
            freed = [memory]
        } else {
            state.withLock { state in
                if state.kept + length > limit {
                    // Of sizes that nobody asks for any more, for all that is known.
                    freed = state.blocks.values.flatMap(\.self)
                    state = State()
                }
                state.blocks[length, default: []].append(memory)
                state.kept += length
            }
        }
        for block in freed { free(block) }
    }
}
