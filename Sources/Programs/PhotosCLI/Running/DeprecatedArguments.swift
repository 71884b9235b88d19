/// Replaces deprecated command-line spellings, which are still accepted.
enum DeprecatedArguments {
    /// Returns the arguments without the program's name and with deprecated spellings replaced by
    /// current ones.
    ///
    /// `photos export --version original` is now `--original`, because `--version` alone prints the
    /// version of `photos` in every command.
    static func replaced(in arguments: [String]) -> [String] {
        var arguments = Array(arguments.dropFirst())
        // `image` has its own `--version` option, with a value. Alone, the option prints the
        // version as everywhere.
        if arguments == ["image", "--version"] { return ["--version"] }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        guard arguments[..<end].contains("export"),
            let index = arguments[..<end].firstIndex(where: { $0.hasPrefix("--version") })
        else { return arguments }
        if arguments[index].hasPrefix("--version=") {
            arguments[index] = "--" + arguments[index].dropFirst("--version=".count)
        } else if arguments[index] == "--version", index + 1 < end,
            !arguments[index + 1].hasPrefix("-")
        {
            arguments[index] = "--" + arguments.remove(at: index + 1)
        }
        return arguments
    }
}
