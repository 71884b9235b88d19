internal import Foundation
internal import LibraryService

/// Asks the user in a desktop dialog of `zenity` or `kdialog`; `kdialog` is preferred on KDE.
///
/// Every answer is a string that the tool prints. If a tool exits without printing one, for example
/// because the dialog was closed, the user gave no answer.
package struct DialogAsker: PersonAsker {
    private enum Tool: String { case zenity, kdialog }

    /// The maximum number of assets in a dialog.
    ///
    /// The tools receive assets as arguments or become slow with more.
    private static let limit = 1_000

    private static let title = "Photos"
    private static let everything = "Allow All Photos"
    private static let selection = "Select Photos…"
    private static let nothing = "Don’t Allow"
    private static let yes = "Allow"

    private let tool: Tool
    private let path: String

    /// The asker for this process's desktop; nil without a display or if neither `zenity` nor
    /// `kdialog` is installed.
    package static var present: DialogAsker? {
        DialogAsker(environment: ProcessInfo.processInfo.environment)
    }

    /// Creates an asker for the desktop that environment variables describe.
    ///
    /// Returns nil without a display or if neither `zenity` nor `kdialog` is in the `PATH`.
    package init?(environment: [String: String]) {
        guard let (tool, path) = Self.tool(environment) else { return nil }
        self.tool = tool
        self.path = path
    }

    private static func tool(_ environment: [String: String]) -> (Tool, String)? {
        let displays = ["DISPLAY", "WAYLAND_DISPLAY"]
        guard displays.contains(where: { !(environment[$0] ?? "").isEmpty }) else { return nil }
        let isKDE = (environment["XDG_CURRENT_DESKTOP"] ?? "").uppercased().contains("KDE")
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        for tool in isKDE ? [Tool.kdialog, .zenity] : [.zenity, .kdialog] {
            for folder in folders {
                let path = "\(folder)/\(tool.rawValue)"
                if FileManager.default.isExecutableFile(atPath: path) { return (tool, path) }
            }
        }
        return nil
    }

    package func answer(to question: PermissionQuestion) -> PermissionAnswer? {
        let text = "\(question.request)\n\n\(question.reason)"
        let choices =
            question.level == .addOnly
            ? [Self.yes, Self.nothing] : [Self.everything, Self.selection, Self.nothing]
        let arguments: [String] =
            switch tool {
            case .zenity:
                ["--question", "--switch", "--no-markup", "--title", Self.title, "--text", text]
                    + choices.flatMap { ["--extra-button", $0] }
            case .kdialog:
                ["--title", Self.title, "--menu", Self.plain(text)]
                    + choices.flatMap { [$0, $0] }
            }
        return switch run(arguments, input: "")?.lines.first {
        case Self.everything, Self.yes: .everything
        case Self.selection: .selection
        case Self.nothing: .nothing
        default: nil
        }
    }

    package func selection(for question: SelectionQuestion) -> Set<String>? {
        let offered = question.assets.prefix(Self.limit)
        var arguments: [String]
        var input = ""
        switch tool {
        case .zenity:
            arguments = [
                "--list", "--checklist", "--title", Self.title,
                "--text", Self.plain(question.text),
                "--width", "640", "--height", "480", "--column", "", "--column", "Name",
                "--column", "Date", "--column", "UUID", "--hide-column", "4",
                "--print-column", "4", "--separator", "\n",
            ]
            for asset in offered {
                let name = PlainText.line(asset.name, limit: 200)
                let row = [asset.isSelected ? "TRUE" : "FALSE", name, asset.date, asset.uuid]
                input += row.map { $0.isEmpty ? " " : $0 }.joined(separator: "\n") + "\n"
            }
        case .kdialog:
            arguments = ["--title", Self.title, "--separate-output", "--checklist"]
            arguments.append(Self.plain(question.text))
            for asset in offered {
                let name = Self.plain(PlainText.line(asset.name, limit: 200))
                arguments += [
                    asset.uuid, "\(name)  \(asset.date)", asset.isSelected ? "on" : "off",
                ]
            }
        }
        // An empty answer is valid here; a tool that failed is recognized by its exit status.
        guard let output = run(arguments, input: input), output.status == 0 else { return nil }
        let known = Set(offered.map(\.uuid))
        let picked = known.intersection(output.lines)
        // Assets that were not offered keep their selection.
        return picked.union(question.selected.subtracting(known))
    }

    /// Replaces `<` and `&` in a text, so that Qt does not interpret the text as HTML.
    private static func plain(_ text: String) -> String {
        text.replacingOccurrences(of: "<", with: "‹").replacingOccurrences(of: "&", with: "＆")
    }

    // MARK: - Running

    private struct Output {
        var status: Int32
        var lines: [String]
    }

    /// Runs the tool until it exits; returns nil when it could not be started.
    ///
    /// A cancellation of the current `CallContext` kills the tool.
    private func run(_ arguments: [String], input: String) -> Output? {
        guard let rows = Self.file(holding: input),
            let tool = DialogTool(path, arguments, input: rows)
        else { return nil }
        let cancellation = CallContext.current?.cancellation
        let data = cancellation?.withHandler({ tool.end() }, while: tool.read) ?? tool.read()
        return Output(
            status: tool.waitForEnd() ?? -1,
            lines: String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
                .map(String.init)
        )
    }

    /// Creates an unlinked temporary file with the given text, and returns its open handle.
    ///
    /// It serves as the tool's standard input, since a pipe could not buffer a long text.
    private static func file(holding text: String) -> FileHandle? {
        guard !text.isEmpty else { return FileHandle(forReadingAtPath: "/dev/null") }
        let folder = FileManager.default.temporaryDirectory
        let url = folder.appendingPathComponent("photos-\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: url.path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { return nil }
        defer { try? FileManager.default.removeItem(at: url) }
        return try? FileHandle(forReadingFrom: url)
    }
}
