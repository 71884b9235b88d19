import ArgumentParser

/// The options for the format of results.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object per line.")
    var json = false
}
