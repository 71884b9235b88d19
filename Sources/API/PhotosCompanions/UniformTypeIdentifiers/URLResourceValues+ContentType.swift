public import Foundation

extension URLResourceKey {
    /// The key of a file's type, a ``UTType``.
    ///
    /// Foundation on Linux does not read types, so this is the key of the path, from which
    /// `URLResourceValues.contentType` derives the type.
    public static let contentTypeKey = URLResourceKey.pathKey
}

extension URLResourceValues {
    /// The type of the file, determined by its extension; nil if the type was not requested or no
    /// file exists at the path.
    ///
    /// It is `public.folder` for a folder, and `public.data` for a file with an unknown extension.
    public var contentType: UTType? {
        guard let path else { return nil }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return nil
        }
        if isFolder.boolValue { return UTType(importedAs: "public.folder") }
        return UTType(filenameExtension: (path as NSString).pathExtension) ?? .data
    }
}
