import Foundation
import Glibc
import LibraryService
import ProgramAccess
import TestSupport
import Testing

/// Dialogs that end without an answer, or that do not begin.
@Suite(.timeLimit(.minutes(1))) struct DialogEndTests {
    private let folder: TemporaryFolder
    private let question = PermissionQuestion(
        program: ProgramIdentity(identifier: "org.example.A"),
        level: .addOnly
    )

    init() throws { folder = try TemporaryFolder("photos-dialog-ends") }

    private func asker(_ tool: String, _ content: String) throws -> DialogAsker {
        let file = try folder.write(Data(content.utf8), to: "bin/\(tool)")
        let modes = [FileAttributeKey.posixPermissions: 0o755]
        try FileManager.default.setAttributes(modes, ofItemAtPath: file.path)
        return try #require(
            DialogAsker(environment: ["PATH": folder.file("bin").path, "DISPLAY": ":7"])
        )
    }

    /// A question that is withdrawn leaves no dialog behind.
    @Test(arguments: ["zenity", "kdialog"]) func aCancellationEndsTheDialog(_ tool: String) throws {
        let pipe = folder.file("pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let asker = try asker(tool, "#!/bin/sh\necho $$ > \(pipe)\nexec sleep 60\n")
        let cancellation = CallCancellation()
        let work = Parallel.Work<PermissionAnswer?, Never> { [question] in
            CallContext(cancellation: cancellation).perform { asker.answer(to: question) }
        }
        // Opening the pipe waits until the dialog runs.
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: pipe))
        let text = String(decoding: try reader.readToEnd() ?? Data(), as: UTF8.self)
        let process = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
        #expect(kill(process, 0) == 0)
        cancellation.cancel()
        #expect(work.wait() == nil)
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test func aDialogThatDoesNotStartGivesNoAnswer() throws {
        let asker = try asker("zenity", "\u{1}\u{2}no program")
        #expect(asker.answer(to: question) == nil)
        let selection = SelectionQuestion(program: question.program, assets: [])
        #expect(asker.selection(for: selection) == nil)
    }

    /// Whoever only adds is asked with two choices.
    @Test(arguments: ["zenity", "kdialog"]) func addingIsAllowedOrNot(_ tool: String) throws {
        for (word, answer) in [("Allow", PermissionAnswer.everything), ("Don’t Allow", .nothing)] {
            let log = folder.file("log").path
            let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \(log)\necho '\(word)'\n"
            #expect(try asker(tool, script).answer(to: question) == answer)
            let words = try String(contentsOfFile: log, encoding: .utf8)
            #expect(words.contains("would like to add photos to your photo library"))
            #expect(!words.contains("Select Photos…") && words.contains("It gives no reason."))
        }
    }

    /// What did not fit into the dialog stays selected.
    @Test(arguments: ["zenity", "kdialog"]) func photosBeyondTheLimitKeepTheirState(_ tool: String)
        throws
    {
        let assets = (1...1_010).map { number in
            SelectableAsset(
                uuid: "U\(number)",
                name: "",
                date: "",
                isSelected: number == 2 || number == 1_005
            )
        }
        let asker = try asker(tool, "#!/bin/sh\ncat > /dev/null\necho U7\necho U1006\n")
        let selection = SelectionQuestion(program: question.program, assets: assets)
        #expect(asker.selection(for: selection) == ["U7", "U1005"])
    }
}
