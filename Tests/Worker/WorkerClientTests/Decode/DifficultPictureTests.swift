import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Pictures that a library alone decodes incorrectly or rejects, and the messages for those that
/// nothing here reads.
@Suite(.timeLimit(.minutes(2)), .needsSharedData)
struct DifficultPictureTests {
    private let pool = WorkerPool.shared

    private func answer(
        _ name: String,
        _ shape: PixelShape = PixelShape()
    ) throws -> DecodeAnswer {
        let file = open(SharedData.file(name).path, O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        return try pool.decode(
            DecodeRequest(shape: shape, layout: .rgba),
            descriptor: file
        )
    }

    private func pixels(_ name: String) throws -> (DecodedFacts, PixelMemory) {
        guard case .pixels(let facts, let pixels) = try answer(name) else {
            Issue.record("\(name) gave no pixels")
            throw CocoaError(.fileReadCorruptFile)
        }
        return (facts, try #require(pixels.mapped()))
    }

    @Test("Pictures of more than 8 bits are cropped and turned as the file says")
    func wideCropsAndTurns() throws {
        // Cropped to 8 × 10, rotated and mirrored; and only rotated.
        let (_, cropped) = try pixels("orientation/clap_irot_imir_non_essential.avif")
        #expect(cropped.description.size == PixelSize(width: 10, height: 8))
        let (_, turned) = try pixels("orientation/clop_irot_imor.avif")
        #expect(turned.description.size == PixelSize(width: 34, height: 12))
        // Both files contain the same picture: one is a mirrored part of the other.
        let whole = turned.withBytes { Array($0) }
        let part = cropped.withBytes { Array($0) }
        var difference = 0
        for y in 0..<8 {
            for x in 0..<10 {
                // After a quarter turn counterclockwise, rows 6...15 become columns, and columns
                // 4...11 become rows from the bottom. Then left and right are swapped.
                let from = (y * 34 + (6 + (9 - x))) * 4
                for channel in 0..<3 {
                    difference += abs(
                        Int(whole[from + channel]) - Int(part[(y * 10 + x) * 4 + channel])
                    )
                }
            }
        }
        #expect(difference / (8 * 10 * 3) < 6)
    }

    @Test(
        "What there is of a JPEG that is cut short is shown, with the reason",
        arguments: [
            "hdr-gainmap/pixel6-ultrahdr.jpg", "malformed/jpeg-first-80-percent.jpg",
            "malformed/jpeg-first-40-percent.jpg", "malformed/truncated.jpg",
        ]
    )
    func whatThereIsIsShown(_ name: String) throws {
        let (facts, pixels) = try pixels(name)
        #expect(pixels.description.size == facts.fullSize)
        #expect(facts.damage?.contains("truncated") == true)
        // The area is not a single color.
        let bytes = pixels.withBytes { Set($0) }
        #expect(bytes.count > 8, "\(name)")
    }

    @Test func whatNothingHereReadsIsSaid() throws {
        for (name, words) in [
            ("formats/jpeg-12bit.jpg", "8 bits per sample"),
            ("formats/jxl-splines-2048.jxl", "libjxl rejects it"),
        ] {
            guard case .failed(let reason) = try answer(name) else {
                Issue.record("\(name) was decoded")
                continue
            }
            #expect(reason.contains(words), "\(name): \(reason)")
        }
    }
}
