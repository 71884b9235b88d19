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
        "Engine/ProgramAccess/Identity/ProgramIdentity.swift":
            "PropertyListSerialization.propertyList(",
        // This user's choices, which no other user can write.
        "Engine/ProgramAccess/Choices/AccessStore.swift": "JSONDecoder(",
        // Messages of the other side, of limited length; a worker's are judged by who asked.
        "Base/WorkerProtocol/Connection/MessageConnection.swift": "JSONDecoder(",
        // Columns of the library's own database.
        "Engine/PhotoLibrary/Database/RowReader.swift": "JSONDecoder(",
        "Engine/PhotoLibrary/Journal/JournalValue.swift": "JSONDecoder(",
        "Engine/PhotoLibrary/Journal/MembersChange.swift": "JSONDecoder(",
        // The open format of edits, taken out of its envelope by a worker, of limited length.
        "API/PhotosManagement/Editing/PhotoAdjustments+Coding.swift": "JSONDecoder(",
        // Requests of who is signed in, of limited length.
        "Programs/PhotosGallery/Serving/Response+Answers.swift": "JSONDecoder(",
    ]

    /// The lines of code below a folder of the package that hold one of some texts, by file.
    private static func lines(with texts: [String], below folder: String) throws
        -> [String: [String]]
    {
        let root = SharedData.packageRoot.appendingPathComponent(folder).path
        let output = try ProcessRunner.run(
            "grep",
            ["-rF", "--include=*.swift"] + texts.flatMap { ["-e", $0] } + [root]
        )
        #expect(output.status == 0, "\(output.errorText)")
        var found: [String: [String]] = [:]
        for line in output.lines {
            let parts = line.dropFirst(root.utf8.count + 1).split(separator: ":", maxSplits: 1)
            let code = parts.last?.trimmingCharacters(in: .whitespaces) ?? ""
            guard parts.count == 2, !code.hasPrefix("//") else { continue }
            found[String(parts[0]), default: []].append(code)
        }
        return found
    }

    @Test func onlyWorkersParseWhatNobodyTrusts() throws {
        var found: [String: Set<String>] = [:]
        for (name, lines) in try Self.lines(with: Self.readers, below: "Sources") {
            let target = name.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            guard !Self.workers.contains(target) else { continue }
            found[name] = Set(
                Self.readers.filter { reader in lines.contains { $0.contains(reader) } }
            )
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
        let readers = try Self.lines(with: ["AdjustmentEnvelope("], below: "Sources").keys
        #expect(!readers.isEmpty)
        #expect(
            readers.allSatisfy {
                $0.hasPrefix("Worker/PhotosWorker/") || $0.hasPrefix("Worker/Media/")
            }
        )
    }
}
