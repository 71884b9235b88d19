import Foundation

/// The files of the package, for tests that compare code with sources.
enum PackageFiles {
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder
    }()

    static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    static func swiftSources(in folder: String) -> [String] {
        let url = url(folder)
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
        return paths.sorted().filter { $0.hasSuffix(".swift") }.compactMap {
            try? String(contentsOf: url.appendingPathComponent($0), encoding: .utf8)
        }
    }
}
