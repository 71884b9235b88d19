import Foundation
import Media

/// A parser of foreign bytes, as libFuzzer runs it.
///
/// A finding is a trap, an error of a sanitizer, a timeout, or a violated precondition of the
/// target itself.
struct FuzzTarget: Sendable {
    let name: String
    /// The parsers, for `--list`.
    let summary: String
    let run: @Sendable (ByteView) -> Void
    /// The inputs to begin with; a corpus in `Corpus/NAME` is used besides.
    let seeds: @Sendable () throws -> [Data]

    static let all: [FuzzTarget] = media + archives + messages + words + [gallery, cloud]

    init(
        _ name: String,
        _ summary: String,
        seeds: @escaping @Sendable () throws -> [Data],
        run: @escaping @Sendable (ByteView) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.run = run
        self.seeds = seeds
    }
}

extension ByteView {
    /// The bytes as text, with replacement characters for what is not UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Splits the bytes at the first line feed.
    var firstLine: (line: ByteView, rest: ByteView) {
        guard let end = index(of: 10) else { return (self, available(at: count)) }
        return (available(at: 0, length: end), available(at: end + 1))
    }
}
