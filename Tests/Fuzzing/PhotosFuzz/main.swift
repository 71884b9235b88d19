import CFuzzer
import Foundation
import Media

/// Runs one fuzz target: `photos-fuzz TARGET [OPTION…] [FOLDER…]`, with the options of libFuzzer.
///
/// `--list` prints the targets, and `--seeds FOLDER` writes the inputs to begin with.

/// The target that libFuzzer calls, which takes a C function without context.
nonisolated(unsafe) private var current: FuzzTarget?

private func fail(_ words: String) -> Never {
    FileHandle.standardError.write(Data("photos-fuzz: \(words)\n".utf8))
    exit(64)
}

private func writeSeeds(to folder: String) throws {
    for target in FuzzTarget.all {
        let place = URL(fileURLWithPath: folder).appendingPathComponent(target.name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (index, seed) in try target.seeds().enumerated() {
            try seed.write(to: place.appendingPathComponent("seed-\(index)"))
        }
    }
}

var words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case nil:
    fail("a target is missing (photos-fuzz --list prints them)")
case "--list":
    for target in FuzzTarget.all { print("\(target.name)\t\(target.summary)") }
case "--seeds":
    guard words.count == 2 else { fail("--seeds takes one folder") }
    try writeSeeds(to: words[1])
case let name?:
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        fail("unknown target: \(name) (photos-fuzz --list prints them)")
    }
    MovieReader.start()
    guard RawMetadata.start() else { fail("Exiv2 cannot be loaded") }
    current = target
    words[0] = CommandLine.arguments[0]
    var count = Int32(words.count)
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(
        capacity: words.count + 1
    )
    for (index, word) in words.enumerated() { arguments?[index] = strdup(word) }
    arguments?[words.count] = nil
    let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, length in
        current?.run(ByteView(UnsafeRawBufferPointer(start: bytes, count: length)))
        return 0
    }
    exit(status)
}
