import Foundation
import LibraryService
import ProgramAccess
import TestSupport
import Testing

/// The desktop's dialog tools, simulated by scripts.
@Suite(.timeLimit(.minutes(2))) struct DialogAskerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("photos-dialogs")
    }

    private func asker(_ tool: String, _ script: String, desktop: String = "GNOME") throws
        -> DialogAsker?
    {
        let file = try folder.write(Data("#!/bin/sh\n\(script)\n".utf8), to: "bin/\(tool)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: file.path
        )
        return DialogAsker(environment: [
            "PATH": folder.file("bin").path, "DISPLAY": ":7", "XDG_CURRENT_DESKTOP": desktop,
        ])
    }

    private static let program = ProgramIdentity(
        identifier: "org.example.A",
        name: "<b>A</b>",
        usage: "Shows your photos."
    )
    private let question = PermissionQuestion(program: program, level: .readWrite)

    @Test func withoutADisplayNobodyIsThere() throws {
        #expect(try asker("zenity", "exit 0") != nil)
        let path = folder.file("bin").path
        #expect(DialogAsker(environment: ["PATH": path]) == nil)
        #expect(DialogAsker(environment: ["PATH": path, "WAYLAND_DISPLAY": "w"]) != nil)
        #expect(DialogAsker(environment: ["PATH": folder.path, "DISPLAY": ":7"]) == nil)
    }

    @Test(arguments: [
        ("Allow All Photos", PermissionAnswer.everything),
        ("Select Photos…", PermissionAnswer.selection),
        ("Don’t Allow", PermissionAnswer.nothing),
    ])
    func zenityAnswers(_ label: String, _ answer: PermissionAnswer) throws {
        let log = folder.file("log").path
        let script = "printf '%s\\n' \"$@\" > \(log); echo \"\(label)\"; exit 1"
        #expect(try asker("zenity", script)?.answer(to: question) == answer)
        let words = try String(contentsOfFile: log, encoding: .utf8)
        #expect(words.contains("--no-markup"))
        #expect(words.contains("“<b>A</b>” (org.example.A) would like to see and change"))
        #expect(words.contains("It says: “Shows your photos.”"))
        #expect(words.contains(label))
    }

    /// A daemon with many clients has many open files.
    @Test func manyOpenFilesDoNotMatter() throws {
        let files = try (0..<1_800).map { _ in
            try #require(FileHandle(forReadingAtPath: "/dev/null"))
        }
        let listing = folder.file("listing").path
        let script = "ls /proc/self/fd > \(listing); echo 'Allow All Photos'"
        #expect(try self.asker("zenity", script)?.answer(to: question) == .everything)
        // Its input, output and errors, and the folder that `ls` reads.
        let numbers = try String(contentsOfFile: listing, encoding: .utf8).split(separator: "\n")
        #expect(numbers.compactMap { Int($0) }.allSatisfy { $0 < 16 })
        withExtendedLifetime(files) {}
    }

    /// The dialog was closed, or there was no display.
    @Test(arguments: ["exit 1", "exit 0", "kill -9 $$", "echo nonsense"])
    func silenceIsNoAnswer(_ script: String) throws {
        for tool in ["zenity", "kdialog"] {
            let asker = try asker(tool, script)
            #expect(asker != nil)
            #expect(asker?.answer(to: question) == nil)
            try FileManager.default.removeItem(at: folder.file("bin"))
        }
    }

    @Test func kdialogIsAskedFirstOnItsDesktop() throws {
        _ = try asker("zenity", "echo 'Allow All Photos'")
        let log = folder.file("log").path
        let script = "printf '%s\\n' \"$@\" > \(log); echo 'Don’t Allow'"
        let kde = try asker("kdialog", script, desktop: "KDE")
        #expect(kde?.answer(to: question) == .nothing)
        let words = try String(contentsOfFile: log, encoding: .utf8)
        #expect(words.contains("‹b>A‹/b>"))
    }

    private var selection: SelectionQuestion {
        SelectionQuestion(
            program: Self.program,
            assets: (1...3).map {
                SelectableAsset(
                    uuid: "U\($0)",
                    name: "a\nb\($0).jpg",
                    date: "2024-05-0\($0)",
                    isSelected: $0 == 2
                )
            }
        )
    }

    @Test func zenityOffersRowsAndKnowsOnlyThem() throws {
        let log = folder.file("log").path
        let script = "cat > \(log); printf 'U1\\nU3\\nU99\\n'"
        #expect(try asker("zenity", script)?.selection(for: selection) == ["U1", "U3"])
        let rows = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(rows.prefix(4) == ["FALSE", "a b1.jpg", "2024-05-01", "U1"])
        #expect(rows.count == 12 && rows[4] == "TRUE")
        #expect(try asker("zenity", "exit 1")?.selection(for: selection) == nil)
        // An empty selection is an answer.
        #expect(try asker("zenity", "exit 0")?.selection(for: selection) == [])
    }

    @Test func kdialogOffersArguments() throws {
        let log = folder.file("log").path
        let script = "printf '%s\\n' \"$@\" > \(log); echo U2"
        let kde = try asker("kdialog", script, desktop: "KDE")
        #expect(kde?.selection(for: selection) == ["U2"])
        let words = try String(contentsOfFile: log, encoding: .utf8)
        #expect(words.contains("U2\na b2.jpg  2024-05-02\non\n"))
        #expect(words.contains("Which photos may “‹b>A‹/b>” see?"))
    }
}
