import Foundation
import TestSupport
import Testing

/// The program that requests files of assets with PhotoKit, over the daemon and without owning the
/// library.
struct FileProgram {
    /// The outcome of one request.
    struct Outcome: Equatable {
        /// The number of the error; nil for success.
        var code: Int?
        var hasProgress: Bool
    }

    /// The outcomes by the names of the requests.
    let outcomes: [String: Outcome]
    /// The bytes that the program received, by the names of its files.
    let files: [String: Data]
    /// All that the program printed: every value that it received.
    let text: String

    private static let path = BuiltProducts.executable("access-client")
        .resolvingSymlinksInPath().path

    /// Permits the program to see all photos.
    static func permit(in home: DaemonHome) throws {
        try home.succeed("access", "grant", path, daemon: "0")
    }

    /// Runs the program to its end.
    init(_ home: DaemonHome, _ identifier: String, network: String = "forbidden") throws {
        let folder = home.folder.file("received-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = try home.run(
            Self.path,
            ["files", identifier, network, folder.path],
            daemon: "1"
        )
        try #require(output.status == 0, "\(output.errorText)")
        text = output.text + output.errorText
        var outcomes: [String: Outcome] = [:]
        for line in output.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            try #require(words.count >= 3, "\(line)")
            outcomes[String(words[0])] = Outcome(
                code: Int(words[1]),
                hasProgress: words[2] == "progress"
            )
        }
        self.outcomes = outcomes
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[name] = try Data(contentsOf: folder.appending(path: name))
        }
        self.files = files
    }
}
