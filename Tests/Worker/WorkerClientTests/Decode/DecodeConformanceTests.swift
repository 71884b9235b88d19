import Foundation
import Glibc
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Decoded pixels compared with those of other programs (pains 8 and 9).
///
/// Decodes every picture in the folders of files, scales it with the worker and with libvips' own
/// thumbnailer, and compares the results.
@Suite(.needsSharedData, .needsProgram("vips"), .timeLimit(.minutes(2)))
struct DecodeConformanceTests {
    private let pool = WorkerPool.shared
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The files that libvips reads differently, or not at all, with the reason.
    private static let exceptions: [String: String] = [
        "exif_imagemagick_orientation.png": "libvips does not read that block",
        "xmp_tags_orientation.png": "libvips does not turn by XMP",
        "xmp_tags_orientation_exiftool.png": "libvips does not turn by XMP",
        "jpeg-12bit.jpg": "libjpeg-turbo has no 12 bits",
        "jxl-splines-2048.jxl": "libjxl 0.7 refuses so many splines",
        "clap_irot_imir_non_essential.avif": "libvips can't crop more than 8 bits",
        "clop_irot_imor.avif": "libvips can't crop more than 8 bits",
        "iphone15pro-live-id-stub.heic": "a header without a picture",
        "iphone8-thumb-live-id.heic": "a header and a thumbnail",
    ]

    /// The mean difference, of 255, that two ways of shrinking may have; a wrong rotation differs
    /// by 20 and more, unmanaged colors by 5.
    private static let tolerance = 2.0

    private static func files(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: SharedData.file(folder).path
        )
        return (names ?? []).sorted().filter { exceptions[$0] == nil }.map { "\(folder)/\($0)" }
    }

    @Test(arguments: ["formats", "orientation", "apple", "screenshot"])
    func scaledPicturesLookAsOthersMakeThem(_ name: String) throws {
        let files = Self.files(in: name)
        #expect(files.count > 3)
        // Results are collected on one thread, because expectations on other threads would not
        // belong to this test.
        let found = Mutex<[(path: String, result: Result<Double, any Error>)]>([])
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let result = Result { try difference(files[index]) }
            found.withLock { $0.append((files[index], result)) }
        }
        for (path, result) in found.withLock(\.self) {
            #expect(try result.get() < Self.tolerance, "\(path)")
        }
    }

    /// Returns the difference between a scaled picture of a file and libvips' result.
    private func difference(_ path: String) throws -> Double {
        let file = SharedData.file(path)
        let shape = PixelShape(size: PixelSize(width: 200, height: 200))
        let (_, pixels) = try decoded(file, shape)
        let size = pixels.description.size
        return try ReferencePicture.vips(file, size: size, in: folder).difference(from: pixels)
    }

    /// Returns the pixels of a file, or throws the worker's error.
    private func decoded(
        _ file: URL,
        _ shape: PixelShape
    ) throws -> (DecodedFacts, PixelMemory) {
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        let answer = try pool.decode(
            DecodeRequest(shape: shape, layout: .rgb),
            descriptor: descriptor
        )
        guard case .pixels(let facts, let pixels) = answer, let memory = pixels.mapped() else {
            throw DecodeError(answer: answer)
        }
        return (facts, memory)
    }

    private struct DecodeError: Error {
        let answer: DecodeAnswer
    }

    @Test("Developed RAW files are those that dcraw_emu writes", .needsProgram("dcraw_emu"))
    func rawFilesAreDeveloped() throws {
        for name in ["pixel7.dng", "canon-d30.CRW"] {
            let file = SharedData.file("raw/\(name)")
            let copy = try folder.write(try Data(contentsOf: file), to: name)
            let output = try ProcessRunner.run("dcraw_emu", ["-w", copy.path])
            try #require(output.status == 0)
            let reference = try ReferencePicture(pixmap: folder.file("\(name).ppm"))
            let (_, pixels) = try decoded(file, PixelShape())
            #expect(reference.difference(from: pixels) < 0.01, "\(name)")
        }
    }

    @Test("A movie's frame is upright, and one that FFmpeg writes", .needsProgram("ffmpeg"))
    func moviesGiveTheirFirstFrame() throws {
        let names = [
            "rotation-0.mov", "rotation-90.mov", "rotation-180.mov", "rotation-270.mov",
            "iphoneX-60fps-portrait.mov", "sample.3gp", "prores-422.mov", "slomo-240fps-hevc.mov",
        ]
        for name in names {
            let file = SharedData.file("video/\(name)")
            let picture = folder.file("\(name).ppm")
            let output = try ProcessRunner.run(
                "ffmpeg",
                [
                    "-v", "error", "-i", file.path, "-frames:v", "1", "-pix_fmt", "rgb24", "-y",
                    picture.path,
                ]
            )
            try #require(output.status == 0, "\(output.errorText)")
            let reference = try ReferencePicture(pixmap: picture)
            let (_, pixels) = try decoded(file, PixelShape())
            // FFmpeg's own conversion rounds more coarsely, and assumes BT.601 if none is declared.
            #expect(reference.difference(from: pixels) < 6, "\(name)")
        }
    }

    @Test("What is brighter than a screen is brought to it, not cut off")
    func brightPicturesAreCompressed() throws {
        for name in ["hdr-pq.heic", "cosmos1650_yuv444_10bpc_p3pq.avif"] {
            let shape = PixelShape(size: PixelSize(width: 200, height: 200))
            let file = SharedData.file("hdr-gainmap/\(name)")
            let (_, pixels) = try decoded(file, shape)
            let bytes = pixels.withBytes { Array($0) }
            let mean = bytes.reduce(0) { $0 + Int($1) } / bytes.count
            #expect((40...200).contains(mean), "\(name)")
            #expect(bytes.filter { $0 == 255 }.count < bytes.count / 10, "\(name)")
        }
    }
}
