/// Spellings of earlier versions, which still do what they did.
enum DeprecatedArguments {
    /// The arguments without the program's name, old spellings replaced by those of today.
    ///
    /// `photos export --version original` is `--original` now: `--version` alone asks every verb for
    /// the command's own version.
    static func replaced(in arguments: [String]) -> [String] {
        var arguments = Array(arguments.dropFirst())
        // The verb has a --version of its own, of assets; alone it asks as it does everywhere.
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
