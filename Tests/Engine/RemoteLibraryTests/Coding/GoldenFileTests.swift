import BinaryCoding
import Foundation
import LibraryService
import RemoteLibrary
import SamplePhotos
import Testing

/// Messages that each protocol's first version wrote still decode to the same values.
///
/// `Tests/Resources/wire/<protocol>/messages.json` contains each message in both forms. With
/// `PHOTOS_WIRE_RECORD=1`, the file of the newest protocol is written anew, which is right only
/// until a version with that protocol has been released.
@Suite(.timeLimit(.minutes(2))) struct GoldenFileTests {
    /// A message in both forms.
    private struct Recorded: Codable {
        var name: String
        var json: String
        var binary: Data
    }

    private static func file(_ number: Int) -> URL {
        PackageFiles.url("Tests/Resources/wire/\(number)/messages.json")
    }

    private static var isRecording: Bool {
        ProcessInfo.processInfo.environment["PHOTOS_WIRE_RECORD"] == "1"
    }

    @Test(arguments: Array(ProtocolVersions.supported)) func messagesDecode(_ number: Int) throws {
        if Self.isRecording, number == ProtocolVersions.supported.upperBound {
            try record(number)
        }
        let messages = try JSONDecoder().decode(
            [Recorded].self,
            from: Data(contentsOf: Self.file(number))
        )
        let byName = Dictionary(uniqueKeysWithValues: SeamMessage.all.map { ($0.name, $0) })
        for recorded in messages {
            let message = try #require(byName[recorded.name], "\(recorded.name) is gone.")
            let binary = try message.decode(Array(recorded.binary), with: BinaryCoder())
            let json = try message.decode(Array(recorded.json.utf8), with: JSONCoder())
            #expect(SeamMessage.areEqual(binary, json), "\(recorded.name)")
        }
    }

    /// The newest file has a message of each type.
    @Test func newestFileIsComplete() throws {
        let messages = try JSONDecoder().decode(
            [Recorded].self,
            from: Data(contentsOf: Self.file(ProtocolVersions.supported.upperBound))
        )
        #expect(Set(messages.map(\.name)) == Set(SeamMessage.all.map(\.name)))
    }

    private func record(_ number: Int) throws {
        let messages = try SeamMessage.all.enumerated().map { index, message in
            let value = try message.value(Fabrication(seed: UInt64(index), isSmall: true))
            return Recorded(
                name: message.name,
                json: String(decoding: try JSONCoder().encode(value), as: UTF8.self),
                binary: Data(try BinaryCoder().encode(value))
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(messages).write(to: Self.file(number))
    }
}
