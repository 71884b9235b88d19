import Foundation
import Glibc
import LibraryService
import ProgramAccess
import TestSupport
import Testing

/// Questions on a terminal, answered by a person at its other end.
@Suite(.timeLimit(.minutes(1))) struct TerminalAskerTests {
    private static func question(_ level: AccessLevel = .readWrite) -> PermissionQuestion {
        let program = ProgramIdentity(
            identifier: "org.example.A",
            name: "A\u{1B}[2J",
            usage: "Shows your\nphotos."
        )
        return PermissionQuestion(program: program, level: level)
    }

    private static let selection = SelectionQuestion(
        program: ProgramIdentity(identifier: "org.example.A"),
        assets: (1...25).map { number in
            SelectableAsset(
                uuid: "U\(number)",
                name: "\(number).jpg",
                date: "2024-05-01",
                isSelected: number == 2
            )
        }
    )

    @Test func answersAreUnderstood() async {
        await #expect(processExitsWith: .success) {
            let terminal = ProgramTerminal()
            func answer(_ lines: String, _ level: AccessLevel = .readWrite) -> PermissionAnswer? {
                let question = TerminalAskerTests.question(level)
                return terminal.answer(lines, after: "no: ") { terminal in
                    TerminalAsker(terminal).answer(to: question)
                }.answer
            }
            #expect(answer("y\n") == .everything)
            #expect(answer(" YES \n") == .everything)
            #expect(answer("n\n") == .nothing)
            #expect(answer("No\n") == .nothing)
            #expect(answer("s\n") == .selection)
            #expect(answer("what?\n\ny\n") == .everything)
            #expect(answer("y\n", .addOnly) == .everything)
            // Whoever only adds has nothing to select.
            #expect(answer("s\nn\n", .addOnly) == .nothing)
            #expect(answer("a\nb\nc\n") == nil)
            // The end of the input is no answer.
            #expect(answer("\u{4}") == nil)
        }
    }

    @Test func thePersonReadsWhoAsksAndWhy() async {
        await #expect(processExitsWith: .success) {
            let terminal = ProgramTerminal()
            let seen = terminal.answer("n\n", after: "no: ") { terminal in
                TerminalAsker(terminal).answer(to: TerminalAskerTests.question())
            }.seen.joined()
            #expect(
                seen.contains("(org.example.A) would like to see and change your photo library")
            )
            #expect(seen.contains("It says: “Shows your photos.”"))
            #expect(seen.contains("[s] photos that you select"))
            #expect(!seen.unicodeScalars.contains("\u{1B}"))
        }
    }

    /// What was typed before the question does not answer it.
    @Test func earlierInputIsDiscarded() async {
        await #expect(processExitsWith: .success) {
            let terminal = ProgramTerminal()
            terminal.type("y\ny\ny\n")
            let answer = terminal.answer("n\n", after: "no: ") { terminal in
                TerminalAsker(terminal).answer(to: TerminalAskerTests.question())
            }.answer
            #expect(answer == .nothing)
        }
    }

    @Test func photosAreSelected() async {
        await #expect(processExitsWith: .success) {
            let terminal = ProgramTerminal()
            func select(_ lines: String) -> (answer: Set<String>?, seen: [String]) {
                terminal.answer(lines, after: "[q]uit: ") { terminal in
                    TerminalAsker(terminal).selection(for: TerminalAskerTests.selection)
                }
            }
            let (answer, seen) = select("1 2\nn\n25\nd\n")
            #expect(answer == ["U1", "U25"])
            #expect(seen.count == 4)
            #expect(seen[0].contains("Which photos may “org.example.A” see?"))
            #expect(seen[0].contains("[x]    2  2.jpg") && seen[0].contains("[ ]   20  20.jpg"))
            #expect(!seen[0].contains("21.jpg"), "it is on the next page")
            #expect(seen[2].contains("[ ]   21  21.jpg") && !seen[2].contains("20.jpg"))
            #expect(seen[3].contains("[x]   25  25.jpg"))
            #expect(select("d\n").answer == ["U2"])
            #expect(select("1\nq\n").answer == nil)
            #expect(select("\u{4}").answer == nil)
        }
    }

    @Test func aProgramWithoutATerminalAsksByDialog() async {
        await #expect(processExitsWith: .success) {
            guard setsid() >= 0 else { exit(90) }
            for name in ["DISPLAY", "WAYLAND_DISPLAY"] { unsetenv(name) }
            #expect(ControllingTerminal() == nil)
            #expect(PersonAskers.present == nil)
            #expect(QuestionDesk.own.findAsker() == nil && QuestionDesk.desktop.findAsker() == nil)
        }
    }

    @Test func aProgramInTheForegroundAsksOnItsTerminal() async {
        await #expect(processExitsWith: .success) {
            _ = ProgramTerminal()
            #expect(ControllingTerminal()?.isForeground == true)
            #expect(PersonAskers.present is TerminalAsker)
            #expect(QuestionDesk.own.findAsker() is TerminalAsker)
        }
    }

    /// Reading in the background would stop the program.
    @Test func aProgramInTheBackgroundDoesNotRead() async {
        await #expect(processExitsWith: .success) {
            let terminal = ProgramTerminal()
            guard let controlling = ControllingTerminal() else { exit(93) }
            let other = try ProgramStart.spawn(
                "/bin/sleep",
                ["sleep", "60"],
                environment: [:],
                group: .own
            )
            terminal.giveForeground(to: other)
            #expect(!controlling.isForeground && controlling.line() == nil)
            #expect(ControllingTerminal() == nil)
            kill(other, SIGKILL)
            waitpid(other, nil, 0)
        }
    }
}
