package import Foundation
package import LibraryService

/// The identity of a program, as shown to the people who grant it access.
package struct ProgramIdentity: Hashable, Sendable {
    /// The identifier under which the program's access choice is stored.
    ///
    /// It is the Flatpak id; otherwise the `CFBundleIdentifier` of the `Info.plist` beside the
    /// executable; otherwise the executable's real path.
    package var identifier: String
    /// The display name.
    package var name: String
    /// The program's reason for reading the library: `NSPhotoLibraryUsageDescription`.
    package var usage: String?
    /// The program's reason for adding to the library: `NSPhotoLibraryAddUsageDescription`.
    package var addUsage: String?
    /// A warning that the user sees before permitting access; nil if no warning applies.
    package var notice: String?

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

    /// The identity of the program that this process runs.
    package static let current = ProgramIdentity(
        executable: executable,
        flatpakInformation: FileManager.default.contents(atPath: "/.flatpak-info")
    )

    /// Creates the identity of a program from its executable.
    ///
    /// - Parameters:
    ///   - executable: The real path of the executable; the `Info.plist` is read from the same
    ///     folder.
    ///   - flatpakInformation: The content of `/.flatpak-info`; nil outside of a Flatpak.
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

    /// Returns the string values in the `Info.plist` beside an executable.
    ///
    /// Empty if the file names another executable, since folders such as `/usr/bin` contain many
    /// programs.
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

    /// Returns the application id from the content of `/.flatpak-info`.
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

    // MARK: - Text

    /// The name in quotation marks and without control characters, for use in sentences.
    package var quotedName: String { "“\(PlainText.safe(name))”" }

    /// The identifier, quoted as one word of a shell command.
    package var shellWord: String {
        let text = PlainText.safe(identifier)
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@:"
        )
        if !text.isEmpty, text.unicodeScalars.allSatisfy({ plain.contains($0) }) { return text }
        return "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    /// Returns the program's stated reason for an access level.
    package func reason(for level: AccessLevel) -> String? {
        level == .addOnly ? addUsage ?? usage : usage
    }

    /// The access level to request when the program first uses the library.
    ///
    /// It is `addOnly` if the program states a reason for adding only.
    package var firstLevel: AccessLevel {
        usage == nil && addUsage != nil ? .addOnly : .readWrite
    }
}
