package import Foundation

/// Which program this is, as people who permit it something know it.
package struct ProgramIdentity: Hashable, Sendable {
    /// What choices are kept by.
    ///
    /// The Flatpak id, else the `CFBundleIdentifier` of the `Info.plist` beside the executable, else
    /// the executable's real path.
    package var identifier: String
    /// What people call it.
    package var name: String
    /// Why it wants to see the library, in its own words: `NSPhotoLibraryUsageDescription`.
    package var usage: String?
    /// Why it wants to add to the library: `NSPhotoLibraryAddUsageDescription`.
    package var addUsage: String?

    package init(
        identifier: String,
        name: String? = nil,
        usage: String? = nil,
        addUsage: String? = nil
    ) {
        self.identifier = identifier
        self.name = name ?? identifier.split(separator: "/").last.map(String.init) ?? identifier
        self.usage = usage
        self.addUsage = addUsage
    }

    /// The program of this process.
    package static let current = ProgramIdentity(
        executable: executable,
        flatpakInformation: FileManager.default.contents(atPath: "/.flatpak-info")
    )

    /// The program that an executable is of.
    ///
    /// - Parameters:
    ///   - executable: Its real path; the `Info.plist` is looked for beside it.
    ///   - flatpakInformation: What `/.flatpak-info` holds; nil outside of a Flatpak.
    package init(executable: String, flatpakInformation: Data?) {
        let name = executable.split(separator: "/").last.map(String.init) ?? executable
        let facts = Self.information(beside: executable, named: name)
        let flatpak = flatpakInformation.flatMap(Self.flatpakIdentifier)
        self.init(
            identifier: flatpak ?? facts["CFBundleIdentifier"] ?? executable,
            name: facts["CFBundleDisplayName"] ?? facts["CFBundleName"] ?? name,
            usage: facts["NSPhotoLibraryUsageDescription"],
            addUsage: facts["NSPhotoLibraryAddUsageDescription"]
        )
    }

    /// The real path of this process's executable.
    private static var executable: String {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
            return ProcessInfo.processInfo.arguments.first ?? "unknown"
        }
        // An executable that was replaced while it runs is still the same program.
        let mark = " (deleted)"
        return path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
    }

    /// The texts of the `Info.plist` beside an executable.
    ///
    /// None of one that names another executable: folders such as `/usr/bin` hold many programs.
    private static func information(beside path: String, named name: String) -> [String: String] {
        let folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        guard let data = FileManager.default.contents(atPath: folder + "/Info.plist"),
            let list = try? PropertyListSerialization.propertyList(
                from: data,
                options: [],
                format: nil
            ),
            let values = list as? [String: Any]
        else { return [:] }
        let texts = values.compactMapValues { value in
            (value as? String).flatMap { $0.isEmpty ? nil : $0 }
        }
        guard (texts["CFBundleExecutable"] ?? name) == name else { return [:] }
        return texts
    }

    /// The application's id in the key file `/.flatpak-info`.
    private static func flatpakIdentifier(_ data: Data) -> String? {
        var group = ""
        for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                group = String(line)
            } else if group == "[Application]", line.hasPrefix("name=") {
                let name = line.dropFirst("name=".count)
                return name.isEmpty ? nil : String(name)
            }
        }
        return nil
    }

    // MARK: - Words

    /// The name as it stands in sentences: in quotes, without what steers a terminal.
    package var quotedName: String { "“\(PlainText.safe(name))”" }

    /// The identifier as a word of a shell command.
    package var shellWord: String {
        let text = PlainText.safe(identifier)
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@:"
        )
        if !text.isEmpty, text.unicodeScalars.allSatisfy({ plain.contains($0) }) { return text }
        return "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    /// Why it wants something, in its own words.
    package func reason(for level: AccessLevel) -> String? {
        level == .addOnly ? addUsage ?? usage : usage
    }

    /// What its first use of the library asks for: no more than it gives a reason for.
    package var firstLevel: AccessLevel {
        usage == nil && addUsage != nil ? .addOnly : .readWrite
    }
}
