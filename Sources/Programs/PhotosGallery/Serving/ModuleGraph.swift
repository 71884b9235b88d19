internal import Foundation

/// The graph of imports among the page's JavaScript modules.
///
/// A browser that follows imports one after the other needs a round trip for each level. An HTML
/// file that names all modules in advance needs one for all of them.
struct ModuleGraph {
    /// The modules that each module imports, by paths relative to the page's folder.
    private var imports: [String: [String]] = [:]

    /// Reads the imports of the JavaScript files among the given files.
    ///
    /// The files have paths relative to the page's folder.
    init(scripts: [String: Data]) {
        for (name, bytes) in scripts where name.hasSuffix(".js") {
            let text = String(decoding: bytes, as: UTF8.self)
            let folder = name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            imports[name] = text.matches(of: /(?m)^(?:import|export)\b[^;]*?"\.\/([\w-]+\.js)";/)
                .map { folder + $0.output.1 }
        }
    }

    /// Returns all modules that a module imports directly or indirectly, direct imports first.
    func dependencies(of module: String) -> [String] {
        var found: [String] = []
        var waiting = imports[module] ?? []
        while !waiting.isEmpty {
            let new = waiting.filter { $0 != module && !found.contains($0) }
            for name in new where !found.contains(name) { found.append(name) }
            waiting = new.flatMap { imports[$0] ?? [] }
        }
        return found
    }

    /// Returns an HTML file with added links that preload its module scripts and their imports.
    ///
    /// The links to a script's imports precede the link to the script. Browsers request them in
    /// this order, so the first script does not wait for later ones.
    func preloading(_ html: Data) -> Data {
        var text = String(decoding: html, as: UTF8.self)
        let scripts = text.matches(of: /<script type="module"[^>]* src="\/page\/([^"]+)"/)
        let entries = scripts.map { String($0.output.1) }
        guard let first = scripts.first?.range.lowerBound else { return html }
        var modules: [String] = []
        for module in entries.flatMap({ dependencies(of: $0) + [$0] })
        where !modules.contains(module) {
            modules.append(module)
        }
        let links = modules.map { "<link rel=\"modulepreload\" href=\"/page/\($0)\">\n" }
        text.insert(contentsOf: links.joined(), at: first)
        return Data(text.utf8)
    }
}
