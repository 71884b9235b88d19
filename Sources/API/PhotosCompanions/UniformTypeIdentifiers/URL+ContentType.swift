public import Foundation

extension URL {
    /// Returns the URL with the preferred extension of a type appended.
    ///
    /// - Parameter contentType: The type; nothing is appended if it has no extension.
    /// - Returns: The URL, unchanged if it already has one of the type's extensions.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        let present = pathExtension.lowercased()
        guard let wanted = contentType.preferredFilenameExtension,
            contentType.tags[.filenameExtension]?.contains(present) != true
        else { return self }
        return appendingPathExtension(wanted)
    }

    /// Returns the URL of a file in this folder, with the preferred extension of a type.
    ///
    /// - Parameters:
    ///   - partialName: The name, with or without an extension of that type.
    ///   - contentType: The type.
    /// - Returns: The URL of the file.
    public func appendingPathComponent(
        _ partialName: String,
        conformingTo contentType: UTType
    ) -> URL {
        appendingPathComponent(partialName).appendingPathExtension(for: contentType)
    }

    /// Appends the preferred extension of a type, unless the URL already has one of the type's
    /// extensions.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}
