public import Foundation

extension URL {
    /// The same place with the extension that files of a type get.
    ///
    /// - Parameter contentType: A type; of one without an extension nothing is appended.
    /// - Returns: Unchanged where the extension is one of the type's already.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        let present = pathExtension.lowercased()
        guard let wanted = contentType.preferredFilenameExtension,
            contentType.tags[.filenameExtension]?.contains(present) != true
        else { return self }
        return appendingPathExtension(wanted)
    }

    /// A place in this folder, with the extension that files of a type get.
    ///
    /// - Parameters:
    ///   - partialName: The name, with or without an extension of that type.
    ///   - contentType: A type.
    /// - Returns: The place.
    public func appendingPathComponent(
        _ partialName: String,
        conformingTo contentType: UTType
    ) -> URL {
        appendingPathComponent(partialName).appendingPathExtension(for: contentType)
    }

    /// Changes this to the same place with the extension that files of a type get.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}
