public import Foundation

extension URLResourceKey {
    /// The type of a file: a ``UTType``.
    ///
    /// Foundation reads no types here, so this is the key of the path, from which
    /// `URLResourceValues.contentType` tells it.
    public static let contentTypeKey = URLResourceKey.pathKey
}

extension URLResourceValues {
    /// The type of the file, by its extension; nil where it was not asked for, and where there is nothing.
    ///
    /// `public.folder` for a folder, `public.data` for a file with an extension that is not known.
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
