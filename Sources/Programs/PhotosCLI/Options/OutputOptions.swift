import ArgumentParser

/// How results are written.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object per line.")
    var json = false
}
