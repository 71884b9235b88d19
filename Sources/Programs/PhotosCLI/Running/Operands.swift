import ArgumentParser
import Foundation
import PhotosManagement
import Synchronization

/// Expands the positional arguments of commands that accept any number of them.
///
/// 1. The parser takes time quadratic in the number of arguments. So it receives only the first few
///    of a long run of arguments, and a placeholder for the others, which ``expanded(_:)``
///    replaces.
/// 2. The argument `-` stands for the lines of standard input.
enum Operands {
    /// The argument that stands for standard input.
    static let standardInput = "-"

    /// The maximum length of a run of positional arguments that is passed unchanged to the parser.
    private static let limit = 32
    /// The number of arguments, from the start of a run longer than `limit`, that are passed to the
    /// parser.
    ///
    /// They include subcommands and titles.
    private static let head = 8
    /// The prefix of the placeholders for omitted arguments; it begins with U+001F, a control
    /// character that does not occur in arguments.
    private static let mark = "\u{1F}photos-operands-"

    private struct State {
        var runs: [[String]] = []
        var lines: [SourcePath]?
    }

    private static let state = Mutex(State())

    // MARK: - Before parsing

    /// Shortens each run of more than `limit` positional arguments to its first `head` arguments
    /// and one placeholder for the others.
    static func shortened(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var run: [String] = []
        var isPastTerminator = false
        func flush() {
            if run.count > limit {
                result += run.prefix(head)
                result.append(keep(Array(run.dropFirst(head))))
            } else {
                result += run
            }
            run = []
        }
        for argument in arguments {
            if isPastTerminator || !argument.hasPrefix("-") || argument == standardInput {
                run.append(argument)
            } else {
                flush()
                result.append(argument)
                isPastTerminator = argument == "--"
            }
        }
        flush()
        return result
    }

    private static func keep(_ run: [String]) -> String {
        state.withLock { state in
            state.runs.append(run)
            return mark + "\(state.runs.count - 1)"
        }
    }

    // MARK: - After parsing

    /// Replaces placeholders with their arguments, and the argument `-` with the lines of standard
    /// input.
    ///
    /// - Throws: A usage error when standard input is a terminal or contains no names.
    static func expanded(_ values: [String]) throws -> [String] {
        try expandedPaths(values).map { path in
            guard path.isUTF8 || RawArguments.holds(path) else {
                throw ValidationError("Standard input has a line that is not valid UTF-8.")
            }
            return path.description
        }
    }

    /// Expands arguments as ``expanded(_:)`` does, but returns paths, which need not be valid
    /// UTF-8.
    static func expandedPaths(_ values: [String]) throws -> [SourcePath] {
        try values.flatMap { value -> [SourcePath] in
            if value == standardInput { return try lines() }
            guard let run = run(value) else { return [RawArguments.path(value)] }
            return try run.flatMap { item in
                item == standardInput ? try lines() : [RawArguments.path(item)]
            }
        }
    }

    private static func run(_ value: String) -> [String]? {
        guard value.hasPrefix(mark), let index = Int(value.dropFirst(mark.count)) else {
            return nil
        }
        return state.withLock { $0.runs.indices.contains(index) ? $0.runs[index] : nil }
    }

    // MARK: - Standard input

    /// Returns the lines or NUL-separated items of standard input.
    ///
    /// Standard input is read only once.
    private static func lines() throws -> [SourcePath] {
        if let lines = state.withLock({ $0.lines }) { return lines }
        guard isatty(STDIN_FILENO) == 0 else {
            throw ValidationError(
                "- reads a list from standard input, but that is a terminal. Pipe a list into it."
            )
        }
        let bytes: [UInt8]
        do {
            bytes = Array(try FileHandle.standardInput.readToEnd() ?? Data())
        } catch {
            throw ValidationError("Standard input cannot be read: \(error.localizedDescription)")
        }
        let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
        let lines = bytes.split(separator: separator).compactMap { line -> SourcePath? in
            let isDOS = separator != 0 && line.last == UInt8(ascii: "\r")
            let line = isDOS ? line.dropLast() : line
            return line.isEmpty ? nil : SourcePath(bytes: Array(line))
        }
        guard !lines.isEmpty else {
            throw ValidationError("Standard input is empty. Write one name per line to it.")
        }
        state.withLock { $0.lines = lines }
        return lines
    }
}
