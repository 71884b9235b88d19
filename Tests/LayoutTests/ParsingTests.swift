import Foundation
import TestSupport
import Testing

/// Bytes that nobody trusts are parsed by workers alone: of what parses anything elsewhere it is known
/// what, and whose.
@Suite struct ParsingTests {
    /// The readers that Foundation has.
    private static let readers = [
        "PropertyListSerialization.propertyList(", "PropertyListDecoder(", "XMLParser(",
        "XMLDocument(", "NSKeyedUnarchiver", "JSONDecoder(", "JSONSerialization.jsonObject(",
        "NSDictionary(contentsOf", "NSArray(contentsOf",
    ]

    /// What runs in workers, where there is nothing to be had.
    private static let workers: Set<String> = ["Media", "Imaging", "PhotosWorker"]

    /// What is parsed in a client's process, and whose bytes these are.
    private static let known = [
        // The program's own, beside its executable.
        "ProgramAccess/Identity/ProgramIdentity.swift": "PropertyListSerialization.propertyList(",
        // This user's choices, which no other user can write.
        "ProgramAccess/Choices/AccessStore.swift": "JSONDecoder(",
        // Messages of the other side, of limited length; a worker's are judged by who asked.
        "WorkerProtocol/Connection/MessageConnection.swift": "JSONDecoder(",
        // Columns of the library's own database.
        "PhotoLibrary/Store/RowReader.swift": "JSONDecoder(",
        "PhotoLibrary/Journal/JournalValue.swift": "JSONDecoder(",
        "PhotoLibrary/Journal/MembersChange.swift": "JSONDecoder(",
        // The open format of edits, taken out of its envelope by a worker, of limited length.
        "PhotosManagement/Editing/PhotoAdjustments+Coding.swift": "JSONDecoder(",
        // Requests of who is signed in, of limited length.
        "PhotosGallery/Serving/Response+Answers.swift": "JSONDecoder(",
    ]

    @Test func onlyWorkersParseWhatNobodyTrusts() throws {
        let root = SharedData.packageRoot.appendingPathComponent("Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(names.count > 300)
        var found: [String: Set<String>] = [:]
        for name in names {
            let target = name.split(separator: "/").first.map(String.init) ?? ""
            guard !Self.workers.contains(target) else { continue }
            let file = try SourceFile.at(root.appendingPathComponent(name))
            for reader in Self.readers where file.lines.contains(where: { $0.contains(reader) }) {
                found[name, default: []].insert(reader)
            }
        }
        for (name, readers) in found {
            #expect(
                readers == Self.known[name].map { [$0] },
                "\(name) parses with \(readers.sorted()): say here whose bytes these are."
            )
        }
        #expect(Set(found.keys) == Set(Self.known.keys))
    }

    /// Envelopes are read behind the worker's connection, and written, but not read, by the engine.
    @Test func envelopesAreReadByWorkers() throws {
        let root = SharedData.packageRoot.appendingPathComponent("Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".swift") }
        let readers = try names.filter { name in
            try SourceFile.at(root.appendingPathComponent(name)).lines.contains {
                $0.contains("AdjustmentEnvelope(")
            }
        }
        #expect(!readers.isEmpty)
        #expect(readers.allSatisfy { $0.hasPrefix("PhotosWorker/") || $0.hasPrefix("Media/") })
    }
}
