internal import Foundation

/// All JavaScript modules of an HTML file, joined into one script.
///
/// Browsers would request each module separately, at most six at a time. The modules are joined
/// when the gallery starts. Each module is also still served at its own URL. Every module becomes a
/// function that runs once, after those that it imports, so that names of modules do not collide.
struct ModuleBundle {
    /// The path of the joined script, relative to the page's folder.
    static let name = "script/page.js"

    /// The content of the joined script.
    let script: Data
    /// The HTML file, with the joined script in place of its module scripts.
    let html: Data
    /// The paths of the joined modules relative to the page's folder, in the order in which they
    /// run.
    private(set) var modules: [String] = []

    /// Joins the modules of an HTML file.
    ///
    /// The result is nil if the file has no modules, if modules import each other in a cycle, or if
    /// a module uses a form of import or export that is not supported. Such an HTML file is served
    /// unchanged.
    ///
    /// - Parameters:
    ///   - html: The HTML file.
    ///   - scripts: The files of the page, by path relative to the page's folder.
    init?(html: Data, scripts: [String: Data]) {
        var text = String(decoding: html, as: UTF8.self)
        let tags = text.matches(
            of: /<script type="module"[^>]* src="\/page\/([^"]+)"[^>]*><\/script>\n?/
        )
        guard let first = tags.first?.range.lowerBound else { return nil }
        var joined = """
            // All modules of the page, joined when the gallery started. Each one is served at the
            // address that its heading names, too.
            const $modules = {};

            """
        var waiting: Set<String> = []
        var done: [String] = []
        func add(_ name: String) -> Bool {
            if done.contains(name) { return true }
            guard waiting.insert(name).inserted, let bytes = scripts[name],
                let module = Module(name: name, text: String(decoding: bytes, as: UTF8.self)),
                module.imports.allSatisfy(add)
            else { return false }
            joined += module.function
            done.append(name)
            return true
        }
        guard tags.map({ String($0.output.1) }).allSatisfy(add) else { return nil }
        for tag in tags.reversed() { text.removeSubrange(tag.range) }
        let link = "<script type=\"module\" src=\"/page/\(Self.name)\"></script>\n"
        text.insert(contentsOf: link, at: first)
        self.html = Data(text.utf8)
        script = Data(joined.utf8)
        modules = done
    }
}

/// A module that was converted to a function.
private struct Module {
    /// The paths of the imported modules, relative to the page's folder.
    private(set) var imports: [String] = []
    /// The module as the text of a JavaScript function that runs it and stores its exports.
    private(set) var function = ""

    /// Converts a module; returns nil if it has an import or export of an unsupported form.
    init?(name: String, text: String) {
        let folder = name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        var exports: [String] = []
        var lines: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("import") || line.hasPrefix("export") else {
                lines.append(line)
                continue
            }
            if let found = line.wholeMatch(of: /import \{ ([^{}]+) \} from "\.\/([\w-]+\.js)";/) {
                let names = found.output.1.replacing(" as ", with: ": ")
                imports.append(folder + found.output.2)
                lines.append("const { \(names) } = $modules[\"\(folder)\(found.output.2)\"];")
            } else if let found = line.wholeMatch(
                of: /export \{ ([\w$, ]+) \} from "\.\/([\w-]+\.js)";/
            ) {
                let source = folder + found.output.2
                imports.append(source)
                for name in found.output.1.split(separator: ", ") {
                    guard !name.contains(" ") else { return nil }
                    exports.append("\(name): $modules[\"\(source)\"].\(name)")
                }
                lines.append("")
            } else if let found = line.prefixMatch(
                of: /export ((?:async )?(?:function\*?|class|const) ([\w$]+)\b)/
            ) {
                exports.append(String(found.output.2))
                lines.append(line.dropFirst("export ".count))
            } else {
                return nil
            }
        }
        function = """

            // /page/\(name)
            $modules["\(name)"] = (() => {
            \(lines.joined(separator: "\n"))
            return { \(exports.joined(separator: ", ")) };
            })();

            """
    }
}
