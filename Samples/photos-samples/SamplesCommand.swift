import ArgumentParser
import Foundation
import SamplePhotos

/// Draws the demo's photos into a folder.
@main
struct SamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos-samples",
        abstract: "Draw sample photos and movies, with the metadata of real cameras.",
        discussion: """
            The same options give the same files. Pairs, bursts, panoramas and other special kinds
            come first; the rest are photos of trips over some years.

              photos-samples --out samples
              photos-samples --out big --count 500 --megapixels 12.2
            """
    )

    @Option(help: "The folder to write to; it is made when it is missing.")
    var out: String

    @Option(help: "How many files.")
    var count = 60

    @Option(help: "Another seed gives other pictures.")
    var seed: UInt64 = 1

    @Option(help: "The size of the ordinary photos; 12.2 are 4032 x 3024.")
    var megapixels = 1.2

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count is at least 0.") }
        guard (0.01...100).contains(megapixels) else {
            throw ValidationError("--megapixels is 0.01 to 100.")
        }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: out, isDirectory: true)
        let set = SampleSet.demo(count: count, seed: seed, megapixels: megapixels)
        try set.write(to: folder) { name in print(name) }
    }
}
