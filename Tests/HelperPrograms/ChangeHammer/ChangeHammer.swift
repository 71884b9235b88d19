import EmbeddedLibrary
import Foundation
import LibraryService
import PhotoModel

/// Changes a library as fast as it can, for tests that start several such processes or kill one.
///
///     change-hammer changes LIBRARY NAME COUNT TOTAL SEED
///     change-hammer files LIBRARY FOLDER SEED
///     change-hammer edits LIBRARY FOLDER SEED
@main
enum ChangeHammer {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else { throw HammerError("change-hammer MODE LIBRARY …") }
        let library = try EmbeddedLibrary.open(
            at: arguments[2],
            author: arguments[1] == "changes" && arguments.count > 3 ? arguments[3] : "hammer"
        )
        switch (arguments[1], arguments.count) {
        case ("changes", 7):
            guard let count = Int(arguments[4]), let total = Int64(arguments[5]),
                let seed = UInt64(arguments[6])
            else { throw HammerError("Numbers are wanted.") }
            try ChangeRun(
                library: library,
                name: arguments[3],
                count: count,
                total: total,
                random: SplitMix(state: seed)
            ).run()
        case ("files", 5):
            guard let seed = UInt64(arguments[4]) else { throw HammerError("A seed is wanted.") }
            var random = SplitMix(state: seed)
            try FileRun(library: library, folder: arguments[3]).run(&random)
        case ("edits", 5):
            guard let seed = UInt64(arguments[4]) else { throw HammerError("A seed is wanted.") }
            var random = SplitMix(state: seed)
            try EditRun(library: library, folder: arguments[3]).run(&random)
        default: throw HammerError("Unknown mode \(arguments[1]).")
        }
    }

    /// Writes a line immediately, so that it is not lost when the process is killed.
    static func say(_ words: String...) {
        let line = Array((words.joined(separator: " ") + "\n").utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}

/// An error that ends the program.
struct HammerError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A small generator; equal seeds give equal sequences.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
