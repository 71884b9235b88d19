import Foundation
import Media
import TestSupport
import Testing
import WorkerProtocol

/// TIFF files with subdirectories: RAW files, and pictures with smaller versions of themselves.
@Suite(.timeLimit(.minutes(1))) struct TIFFSubdirectoryTests {
    private static func type(_ bytes: [UInt8]) -> String? {
        let kind = bytes.withUnsafeBytes { Sniffer.kind(of: ByteView($0)) }
        if case .medium(_, let type) = kind { return type } else { return nil }
    }

    /// Returns a directory of numbers, and the offset of the next one, which is 0.
    private static func directory(_ entries: [(tag: Int, value: Int)]) -> [UInt8] {
        var bytes = word(entries.count, 2)
        for (tag, value) in entries.sorted(by: { $0.tag < $1.tag }) {
            bytes += word(tag, 2) + word(4, 2) + word(1, 4) + word(value, 4)
        }
        return bytes + word(0, 4)
    }

    private static func word(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Returns a file of a maker with a subdirectory; `changes` replace numbers of the first one.
    private static func file(
        _ make: String,
        _ changes: [Int: Int] = [:],
        sub: [(tag: Int, value: Int)]
    ) -> [UInt8] {
        let name = Array(make.utf8) + [0]
        var numbers = [0x0100: 400, 0x0101: 300, 0x0106: 2, 0x0111: 8, 0x014a: 0]
        numbers.merge(changes) { $1 }
        let length = 2 + 12 * (numbers.count + 1) + 4
        if numbers[0x014a] == 0 { numbers[0x014a] = 8 + length + name.count }
        var bytes = Array("II".utf8) + word(42, 2) + word(8, 4)
        bytes += word(numbers.count + 1, 2)
        for tag in (Array(numbers.keys) + [0x010f]).sorted() {
            if let number = numbers[tag] {
                bytes += word(tag, 2) + word(4, 2) + word(1, 4) + word(number, 4)
            } else {
                bytes += word(tag, 2) + word(2, 2) + word(name.count, 4) + word(8 + length, 4)
            }
        }
        return bytes + word(0, 4) + name + directory(sub)
    }

    private static let reduced = [
        (tag: 0x00fe, value: 1), (tag: 0x0100, value: 200), (tag: 0x0101, value: 150),
        (tag: 0x0106, value: 2),
    ]
    private static let sensor = [
        (tag: 0x00fe, value: 0), (tag: 0x0100, value: 4000), (tag: 0x0101, value: 3000),
        (tag: 0x0106, value: 32803),
    ]

    static let makers = [
        ("NIKON CORPORATION", "com.nikon.raw-image"), ("SONY", "com.sony.arw-raw-image"),
        ("SAMSUNG", "com.samsung.raw-image"), ("Hasselblad", "com.hasselblad.3fr-raw-image"),
        ("EASTMAN KODAK COMPANY", "com.kodak.raw-image"),
    ]

    @Test(arguments: makers)
    func smallerVersionsAreNoSensorData(_ make: String, _ raw: String) {
        #expect(Self.type(Self.file(make, sub: Self.reduced)) == "public.tiff")
        #expect(Self.type(Self.file(make, sub: Self.sensor)) == raw)
    }

    /// The subdirectory of such a file may be a preview of the sensor data.
    @Test(arguments: makers)
    func doubtfulFilesAreRAW(_ make: String, _ raw: String) {
        let doubtful: [[Int: Int]] = [
            // The first directory is a thumbnail, has sensor data, or is smaller than the
            // subdirectory's picture; the subdirectory is missing.
            [0x00fe: 1], [0x0106: 32803], [0x0100: 100], [0x014a: 1 << 20],
        ]
        for changes in doubtful {
            let file = Self.file(make, changes, sub: Self.reduced)
            #expect(Self.type(file) == raw, "\(changes)")
        }
    }

    @Test(.needsSharedData) func filesOfCamerasKeepTheirTypes() throws {
        let folder = SharedData.file("raw")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where !name.hasSuffix(".JPG") {
            let bytes = try Array(Data(contentsOf: folder.appendingPathComponent(name)))
            #expect(Self.type(bytes)?.hasSuffix("raw-image") == true, "\(name)")
        }
    }
}
