import Foundation
import TestSupport
import Testing

/// Only workers parse untrusted bytes.
///
/// All other parsing is listed here, with the origin of its bytes.
@Suite(.timeLimit(.minutes(2))) struct ParsingTests {
    /// Foundation's parsers.
    private static let readers = [
        "PropertyListSerialization.propertyList(", "PropertyListDecoder(", "XMLParser(",
        "XMLDocument(", "NSKeyedUnarchiver", "JSONDecoder(", "JSONSerialization.jsonObject(",
        "NSDictionary(contentsOf", "NSArray(contentsOf",
    ]

    /// The modules that run in workers, where nothing can be stolen.
    private static let workers: Set<String> = ["Media", "Imaging", "PhotosWorker"]

    /// The parsing in clients' processes, with the origin of the bytes.
    private static let known = [
        // The program's own file, next to its executable.
        "Engine/ProgramAccess/Identity/ProgramIdentity.swift":
            "PropertyListSerialization.propertyList(",
        // This user's choices, which no other user can write.
        "Engine/ProgramAccess/Choices/AccessStore.swift": "JSONDecoder(",
        // This user's stores of cloud libraries, in a file that no other user can write.
        "Engine/CloudHost/Settings/StoredSettings.swift": "JSONDecoder(",
        // This user's watch folders, which no other user can write.
        "Engine/ImportSources/Watching/WatchFolderList.swift": "JSONDecoder(",
        "Engine/ImportSources/Watching/WatchLedger.swift": "JSONDecoder(",
        // Greetings of limited length, and a worker's messages for debugging.
        "Base/WorkerProtocol/Connection/MessageConnection.swift": "JSONDecoder(",
        // Greetings and farewells of a connection, of limited length, and the form for debugging.
        "Base/BinaryCoding/JSONCoder.swift": "JSONDecoder(",
        // Columns of the library's own database.
        "Engine/PhotoLibrary/Database/RowReader.swift": "JSONDecoder(",
        "Engine/PhotoLibrary/Journal/JournalValue.swift": "JSONDecoder(",
        "Engine/PhotoLibrary/Journal/MembersChange.swift": "JSONDecoder(",
        "Engine/PhotoLibrary/Migration/MigrationFacts.swift": "JSONDecoder(",
        "Engine/PhotoLibrary/Takeout/TakeoutApplied.swift": "JSONDecoder(",
        "Engine/PhotoLibrary/Answers/AnsweredChange.swift": "JSONDecoder(",
        // What a check recorded in the library's folder, of limited length.
        "Engine/PhotoLibrary/Status/LastCheckFile.swift": "JSONDecoder(",
        // What the daemon recorded in the library's folder, of limited length.
        "Engine/PhotoLibrary/Duties/DutyRecord.swift": "JSONDecoder(",
        // The open format of edits, of limited length, which a worker extracts from its envelope.
        "API/PhotosManagement/Editing/PhotoAdjustments+Coding.swift": "JSONDecoder(",
        // Requests of signed-in users, of limited length.
        "Programs/PhotosGallery/Serving/Response+Answers.swift": "JSONDecoder(",
    ]

    /// Returns the lines of code below a folder of the package that contain one of some texts, by
    /// file.
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

    /// Workers read the lines of exports; the host only writes them, and copies them.
    @Test func exportsAreReadByWorkers() throws {
        let parsers = ["ExportLineParser.", "ExportFactsReader(", "JSONParser.", "JSONParser("]
        let readers = try Self.lines(with: parsers, below: "Sources").keys
        #expect(!readers.isEmpty)
        #expect(
            readers.allSatisfy {
                $0.hasPrefix("Worker/PhotosWorker/") || $0.hasPrefix("Worker/Media/")
            }
        )
    }

    /// Workers read envelopes; the engine only writes them.
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
