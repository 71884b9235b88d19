import Dispatch
import Foundation
import Glibc
import ProgramAccess
import Synchronization

/// A terminal that becomes the controlling one of this process, and the person at its other end.
///
/// Only for the processes of exit tests, which lead no group of processes.
struct ProgramTerminal {
    /// TIOCSPTLCK and TIOCGPTN, which Swift does not see: `unlockpt` and `ptsname`.
    private static let lock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    private let program: Int32
    /// The end at which the person types and reads.
    private let person: Int32

    /// Opens the terminal; exits with a code of its own if this fails.
    init() {
        guard setsid() >= 0 else { exit(90) }
        person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: Int32 = 0
        guard person >= 0, ioctl(person, Self.lock, &isLocked) == 0,
            ioctl(person, Self.number, &number) == 0
        else { exit(91) }
        // The first terminal that the leader of a session opens becomes its own.
        program = open("/dev/pts/\(number)", O_RDWR)
        guard program >= 0, tcgetpgrp(program) == getpgrp() else { exit(92) }
    }

    /// Has another group of processes be in the foreground.
    func giveForeground(to group: pid_t) {
        guard tcsetpgrp(program, group) == 0 else { exit(94) }
    }

    /// Has the person type without being asked.
    func type(_ line: String) { _ = write(person, line, line.utf8.count) }

    /// Returns what the person reads, up to and including a text.
    private static func read(_ person: Int32, through text: String) -> String {
        let end = Array(text.utf8)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(end.count).elementsEqual(end), Glibc.read(person, &byte, 1) == 1 {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func lines(of text: String) -> [String] {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
        return parts.dropLast().map { $0 + "\n" }
            + parts.suffix(1).filter { !$0.isEmpty }.map(String.init)
    }

    /// Has the person type a line after each prompt.
    ///
    /// - Parameters:
    ///   - text: Lines with their line breaks, each of which answers a prompt.
    ///   - prompt: The end of each prompt.
    ///   - ask: The question.
    /// - Returns: The result of the question, and what the person read before typing a line.
    func answer<Answer>(
        _ text: String,
        after prompt: String,
        _ ask: (ControllingTerminal) -> Answer
    ) -> (answer: Answer, seen: [String]) {
        guard let terminal = ControllingTerminal() else { exit(93) }
        let seen = SeenText()
        let typed = DispatchSemaphore(value: 0)
        let person = person
        Thread.detachNewThread {
            // Each prompt is awaited, so that none is left for the next question.
            for line in Self.lines(of: text) {
                seen.append(Self.read(person, through: prompt))
                _ = write(person, line, line.utf8.count)
            }
            typed.signal()
        }
        let answer = ask(terminal)
        typed.wait()
        return (answer, seen.value)
    }
}

/// What a person read before each line.
private final class SeenText: Sendable {
    private let texts = Mutex<[String]>([])
    var value: [String] { texts.withLock(\.self) }
    func append(_ text: String) { texts.withLock { $0.append(text) } }
}
