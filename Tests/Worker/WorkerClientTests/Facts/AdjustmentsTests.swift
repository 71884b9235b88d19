import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Envelopes of adjustments that other programs write: Foundation's property lists, intact and
/// damaged in every way.
@Suite(.timeLimit(.minutes(5))) struct AdjustmentsTests {
    private let folder: TemporaryFolder
    private let pool = Self.makePool()

    private static func makePool() -> WorkerPool {
        WorkerPool(configuration: .init(maximumWorkers: 1))
    }

    init() throws { folder = try TemporaryFolder("photos-adjustments") }

    private func read(_ data: Data, in given: WorkerPool? = nil) throws -> AdjustmentsAnswer {
        let file = try folder.write(data, to: UUID().uuidString)
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer {
            close(descriptor)
            unlink(file.path)
        }
        return try (given ?? pool).adjustments(in: descriptor)
    }

    private static let identifier = "org.exämple.<&\"'> 📷"

    /// Returns an envelope as Apple's programs and ours write it, with extra members that are
    /// ignored.
    private func envelope(
        _ format: PropertyListSerialization.PropertyListFormat,
        data: Data = Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    ) throws -> Data {
        let members: [String: Any] = [
            "adjustmentBaseVersion": 0,
            "adjustmentData": data,
            "adjustmentEditorBundleID": "com.apple.mobileslideshow",
            "adjustmentFormatIdentifier": Self.identifier,
            "adjustmentFormatVersion": "1.5",
            "adjustmentRenderTypes": 0,
            "adjustmentTimestamp": Date(timeIntervalSinceReferenceDate: 600_000_000),
            "other": ["adjustmentFormatVersion": ["9", true, 1.5, Data([1, 2, 3])] as [Any]],
        ]
        return try PropertyListSerialization.data(
            fromPropertyList: members,
            format: format,
            options: 0
        )
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func envelopesOfBothKindsAreRead(
        _ format: PropertyListSerialization.PropertyListFormat
    ) throws {
        for data in [Data(), Data([7]), Data((0..<70_001).map { UInt8(truncatingIfNeeded: $0) })] {
            guard
                case .adjustments(Self.identifier, "1.5", data) = try read(
                    envelope(format, data: data)
                )
            else {
                Issue.record("\(format), \(data.count) bytes")
                continue
            }
        }
    }

    @Test("What cameras and programs wrote is read as Foundation reads it", .needsSharedData)
    func realEnvelopesAreReadAsFoundationDoes() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: SharedData.file("").path)
            .filter { $0.lowercased().hasSuffix(".aae") }
        #expect(!names.isEmpty)
        for name in names {
            let data = try Data(contentsOf: SharedData.file(name))
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
            let members = list as? [String: Any]
            let answer = try read(data)
            guard let format = members?["adjustmentFormatIdentifier"] as? String,
                let version = members?["adjustmentFormatVersion"] as? String,
                let bytes = members?["adjustmentData"] as? Data
            else { continue }
            guard case .adjustments(format, version, bytes) = answer else {
                Issue.record("\(name): \(answer)")
                continue
            }
        }
    }

    @Test("Truncated, changed and hostile envelopes cost an answer, and never a worker")
    func brokenEnvelopesAreAnswered() throws {
        let seed = TestSeed()
        var random = seed.generator
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            // A worker is replaced after some hundreds of requests.
            let pool = Self.makePool()
            let whole = try envelope(format, data: Data(repeating: 9, count: 60))
            for length in stride(from: 0, to: whole.count, by: 11) {
                _ = try read(whole.prefix(length), in: pool)
            }
            for _ in 0..<250 {
                var data = whole
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let place = Int.random(in: 0..<data.count, using: &random)
                    data[place] = UInt8.random(in: 0...255, using: &random)
                }
                // The last 32 bytes of a binary list control how it is read.
                if Bool.random(using: &random) {
                    let place = data.count - Int.random(in: 1...32, using: &random)
                    data[place] = UInt8.random(in: 0...255, using: &random)
                }
                _ = try read(data, in: pool)
            }
            #expect(pool.startCount == 1, seed.comment)
        }
        for data in Self.hostile {
            guard case .unreadable(let reason) = try read(data) else {
                Issue.record("\(data.prefix(60)) was read")
                continue
            }
            #expect(reason.hasSuffix("."))
        }
        #expect(pool.startCount == 1, seed.comment)
    }

    /// Lists that are deeply nested, endless or self-referential.
    private static var hostile: [Data] {
        let head = "<?xml version=\"1.0\"?><plist><dict><key>a</key>"
        func texts(_ text: String) -> Data { Data((head + text).utf8) }
        /// Returns objects, a table of their offsets and a trailer; `count` is the number that the
        /// trailer declares.
        func binary(_ objects: [[UInt8]], count: UInt64? = nil, top: UInt8 = 0) -> Data {
            var data = Data("bplist00".utf8)
            var table: [UInt8] = []
            for object in objects {
                table.append(UInt8(data.count))
                data += object
            }
            let start = UInt8(data.count)
            data += table + [0, 0, 0, 0, 0, 0, 1, 1]
            let number = count ?? UInt64(objects.count)
            data += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            return data + [0, 0, 0, 0, 0, 0, 0, top, 0, 0, 0, 0, 0, 0, 0, start]
        }
        return [
            Data(), Data("bplist00".utf8),
            texts(String(repeating: "<dict><key>a</key>", count: 200_000)),
            texts(String(repeating: "<array>", count: 1_000_000)),
            texts("<string>" + String(repeating: "&#x41;", count: 100_000)),
            texts("<string>&" + String(repeating: "a", count: 1_000_000) + "</string>"),
            texts("<data>" + String(repeating: "=", count: 1_000_000) + "</data></dict></plist>"),
            texts(String(repeating: "<!--", count: 500_000)),
            // A dictionary that is its own key and value.
            binary([[0xd1, 0, 0]]),
            binary([[0xd1, 0, 0]], count: .max), binary([[0xd1, 0, 0]], top: 255),
            // Lengths out of all bounds.
            binary([[0xdf, 0x13, 0x7f, 255, 255, 255, 255, 255, 255, 255]]),
            binary([[0xd1, 1, 2], [0x5f, 0x13, 255, 255, 255, 255, 255, 255, 255, 255], [0x40]]),
            binary([[0xd1, 1, 1], [0x6f, 0x12, 0x7f, 255, 255, 255]]),
        ]
    }
}
