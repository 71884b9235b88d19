import ArgumentParser
import Foundation
import PhotosManagement
import Synchronization

/// The positional arguments of verbs that take any number of them.
///
/// 1. The parser's time grows with the square of their number, so it gets only the first few of a long
///    run and a placeholder for the rest, which ``expanded(_:)`` replaces.
/// 2. The argument `-` stands for lines of standard input.
enum Operands {
    /// The argument that stands for standard input.
    static let standardInput = "-"

    /// A run is shortened when it is longer than this.
    private static let limit = 32
    /// How many arguments of a shortened run the parser gets: verbs and titles are among them.
    private static let head = 8
    /// No argument of a person begins so: U+001F separates units in data streams.
    private static let mark = "\u{1F}photos-operands-"

    private struct State {
        var runs: [[String]] = []
        var lines: [SourcePath]?
    }

    private static let state = Mutex(State())

    // MARK: - Before parsing

    /// The arguments for the parser: long runs of positional ones are shortened.
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

    /// The whole list of arguments: placeholders are replaced, and `-` by the lines of standard input.
    ///
    /// - Throws: A usage error when standard input is a terminal or names nothing.
    static func expanded(_ values: [String]) throws -> [String] {
        try expandedPaths(values).map { path in
            guard path.isUTF8 || RawArguments.holds(path) else {
                throw ValidationError("Standard input has a line that is not UTF-8 text.")
            }
            return path.description
        }
    }

    /// As ``expanded(_:)`` does it, for paths, whose bytes need not be text.
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

    /// The lines of standard input, or what NUL characters separate in it; read once.
    private static func lines() throws -> [SourcePath] {
        if let lines = state.withLock({ $0.lines }) { return lines }
        guard isatty(STDIN_FILENO) == 0 else {
            throw ValidationError(
                "- reads a list from standard input, which is a terminal here. Pipe one into it."
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
            throw ValidationError("Standard input names nothing: it has no line with text.")
        }
        state.withLock { $0.lines = lines }
        return lines
    }
}
