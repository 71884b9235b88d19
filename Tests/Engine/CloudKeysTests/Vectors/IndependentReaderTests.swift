import CloudKeys
import CloudSync
import Foundation
import TestSupport
import Testing

/// A program in Python, without any code of this package, reads a store that this package filled.
@Suite(.needsProgram("python3"), .timeLimit(.minutes(3))) struct IndependentReaderTests {
    private struct Secrets: Encodable {
        var passphrase: String
        var recoveryCode: String
        var device: String
        var agreementSeed: String
        var blobs: [String: String]
    }

    private struct Reading: Decodable {
        var passphrase: String
        var recoveryCode: String
        var member: String
        var names: [String: String]
        var segments: [String: String]
        var blobs: [String: String]
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    @Test func everyObjectIsReadByAnotherProgram() async throws {
        let store = try await FilledStore()
        let blob = ObjectName.blob(store.blob.name).description
        let secrets = Secrets(
            passphrase: FilledStore.passphrase,
            recoveryCode: store.code.text,
            device: store.second.id.hexadecimal,
            agreementSeed: Self.hexadecimal(store.second.keys.agreementSeed),
            blobs: [blob: Self.hexadecimal(store.blob.record.encoded)]
        )
        let input = try store.folder.write(JSONEncoder().encode(secrets), to: "secrets.json")
        let script = SharedData.packageRoot
            .appendingPathComponent("Tests/Engine/CloudKeysTests/Oracle/read-cloud.py")
        let output = try ProcessRunner.run(
            "/bin/sh",
            [
                "-c", "exec python3 \"$1\" \"$2\" < \"$3\"", "read-cloud", script.path,
                store.folder.file("bucket").path, input.path,
            ]
        )
        if output.status == 69 {
            print("Skipped: \(output.errorText)")
            return
        }
        try #require(output.status == 0, "\(output.errorText)")
        let reading = try JSONDecoder().decode(Reading.self, from: output.standardOutput)
        let key = Self.hexadecimal(store.epochKey.bytes)
        #expect(reading.passphrase == key)
        #expect(reading.recoveryCode == key)
        #expect(reading.member == key)
        #expect(
            reading.names == [
                store.world.first.id.hexadecimal: "Ännis Laptop",
                store.second.id.hexadecimal: "Desktop",
            ]
        )
        #expect(reading.segments == store.segments.mapValues { Self.hexadecimal($0) })
        #expect(reading.blobs == [blob: Self.hexadecimal(store.blob.content.bytes)])
    }
}
