/// The parts of a file's path that identify related files.
///
/// Paths are raw bytes of the file system. Only ASCII letters are compared without case, as in
/// cameras' file names.
package struct SourceName: Hashable, Sendable {
    /// The path up to but not including the last slash.
    package let folder: [UInt8]
    /// The last component.
    package let name: [UInt8]

    package init(path: [UInt8]) {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { Array(path[..<$0]) } ?? []
        name = slash.map { Array(path[(path.index(after: $0))...]) } ?? path
    }

    /// The name for display; bytes that are not valid UTF-8 become replacement characters.
    package var text: String { String(decoding: name, as: UTF8.self) }

    /// The extension in lowercase without the dot; empty if the name has no extension.
    package var pathExtension: String {
        guard let dot = Self.dot(in: name) else { return "" }
        return String(decoding: Self.lowercased(name[(dot + 1)...]), as: UTF8.self)
    }

    /// The name without its extension.
    package var stem: [UInt8] { Self.stem(of: name) }

    /// A key that is equal for files a camera created together: the folder, a slash and the
    /// lowercase stem.
    package var stemKey: [UInt8] { key(ofStem: Self.stem(of: name)) }

    /// The keys of the assets to which a sidecar of this name may belong, the most specific first.
    ///
    /// `IMG_1853.AAE` belongs to `IMG_1853.*`. So does `IMG_O1853.AAE`, iOS's name for adjustments
    /// applied by the camera, and `UUID_5.aae` in an Apple library belongs to `UUID.*`. `name.xmp`
    /// belongs to `name.*`, and `name.jpg.xmp` to `name.jpg` first. If there is no `name_01.jpg`,
    /// darktable's `name_01.jpg.xmp` is a version of `name.jpg`.
    package var sidecarKeys: [SidecarKey] {
        let stem = Self.stem(of: name)
        var keys: [SidecarKey] = []
        if Self.dot(in: stem) != nil {
            keys.append(
                SidecarKey(
                    stemKey: key(ofStem: Self.stem(of: stem)),
                    name: Self.lowercased(stem[...])
                )
            )
        }
        keys.append(SidecarKey(stemKey: key(ofStem: stem), name: nil))
        for original in [Self.stem(stem, withoutMark: "o"), itemStem].compactMap(\.self) {
            keys.append(SidecarKey(stemKey: key(ofStem: original), name: nil))
        }
        if let file = Self.withoutVersion(stem) {
            keys.append(
                SidecarKey(
                    stemKey: key(ofStem: Self.stem(of: file)),
                    name: Self.lowercased(file[...]),
                    isVersion: true
                )
            )
        }
        return keys
    }

    /// Indicates whether the name is one that Apple uses for camera adjustments: `IMG_O1853.AAE`,
    /// or `UUID_5.aae` in a library.
    package var namesOriginalAdjustments: Bool {
        Self.stem(stem, withoutMark: "o") != nil || itemStem != nil
    }

    /// A key for finding a sidecar's asset.
    package struct SidecarKey: Hashable {
        package var stemKey: [UInt8]
        /// The asset's whole file name in lowercase if the sidecar's name contains it.
        package var name: [UInt8]?
        /// Indicates whether a darktable sidecar of this name describes one of several versions of
        /// the asset.
        package var isVersion = false
    }

    // MARK: - Parts

    /// Returns the key for a stem: the folder, a slash and the stem in lowercase.
    func key(ofStem stem: [UInt8]) -> [UInt8] {
        folder + [UInt8(ascii: "/")] + Self.lowercased(stem[...])
    }

    /// Returns a name without its version suffix, such as `IMG.CR2` for `IMG_01.CR2`; nil for a
    /// name without such a suffix.
    ///
    /// The suffix is `_` and two or three digits before the extension.
    private static func withoutVersion(_ name: [UInt8]) -> [UInt8]? {
        guard let dot = dot(in: name), let mark = name[..<dot].lastIndex(of: UInt8(ascii: "_")),
            mark > 0, (3...4).contains(dot - mark),
            name[(mark + 1)..<dot].allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Array(name[..<mark] + name[dot...])
    }

    private static func stem(of name: [UInt8]) -> [UInt8] {
        dot(in: name).map { Array(name[..<$0]) } ?? name
    }

    /// Returns the index of the dot before the extension; a leading dot is part of the name.
    private static func dot(in name: [UInt8]) -> Int? {
        name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil }
    }

    package static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }
}
