import CLinuxShim
import Glibc
import PhotoModel
import Testing
import WorkerProtocol

@testable import WorkerClient

/// The possible effects of a compromised worker on the memory for its answers.
@Suite(.timeLimit(.minutes(2))) struct AnswerMemoryTests {
    private func decode(_ shape: PixelShape) -> WorkerRequest {
        .decode(DecodeRequest(shape: shape, layout: .rgba))
    }

    @Test func sizedPicturesBoundTheMemory() throws {
        let size = PixelSize(width: 200, height: 100)
        for fitting in [PixelShape.Fitting.fit, .exactFit, .exactFill] {
            let memory = try AnswerMemory(for: decode(PixelShape(size: size, fitting: fitting)))
            #expect(!memory.isUnbounded)
            var byte: UInt8 = 1
            #expect(pwrite(memory.descriptor, &byte, 1, 200 * 100 * 4 - 1) == 1)
            #expect(pwrite(memory.descriptor, &byte, 1, 1 << 20) == -1)
            #expect(ftruncate(memory.descriptor, 1 << 20) == -1)
        }
    }

    @Test func whatIsNotTakenHoldsNothing() throws {
        for shape in [PixelShape(), PixelShape(size: PixelSize(width: 64, height: 64))] {
            var memory: AnswerMemory? = try AnswerMemory(for: decode(shape))
            let kept = dup(try #require(memory).descriptor)
            defer { close(kept) }
            let bytes = [UInt8](repeating: 7, count: 4_096)
            #expect(pwrite(kept, bytes, bytes.count, 0) == bytes.count)
            memory = nil
            var status = stat()
            #expect(fstat(kept, &status) == 0 && status.st_size == 0 && status.st_blocks == 0)
            #expect(pwrite(kept, bytes, bytes.count, 0) == -1)
        }
    }
}
