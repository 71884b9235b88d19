/// A class of type tags: filename extensions or MIME types.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
    /// The class's name.
    public let rawValue: String

    /// Creates a class with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}

extension UTType {
    /// Creates the declared type that has the given tag; nil if no declared type has it.
    ///
    /// - Parameters:
    ///   - tag: The extension without the dot, or the MIME type.
    ///   - tagClass: The class of the tag.
    ///   - supertype: A type to which the result must conform; nil for any.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard
            let type = UTType.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first
        else { return nil }
        self = type
    }

    /// Returns all declared types that have the given tag, the most common one first.
    ///
    /// - Parameters:
    ///   - tag: The extension without the dot, or the MIME type.
    ///   - tagClass: The class of the tag.
    ///   - supertype: A type to which the results must conform; nil for any.
    /// - Returns: The types; empty for an unknown tag class.
    public static func types(
        tag: String,
        tagClass: UTTagClass,
        conformingTo supertype: UTType?
    ) -> [UTType] {
        let declarations =
            switch tagClass {
            case .filenameExtension: TypeDeclaration.byFilenameExtension[tag.lowercased()]
            case .mimeType: TypeDeclaration.byMIMEType[tag.lowercased()]
            default: nil as [TypeDeclaration]?
            }
        return (declarations ?? []).map { UTType(importedAs: $0.identifier) }.filter { type in
            supertype.map { type.conforms(to: $0) } ?? true
        }
    }

    /// The type's extensions and MIME types, the preferred ones first.
    public var tags: [UTTagClass: [String]] {
        guard let declaration = TypeDeclaration.byIdentifier[identifier] else { return [:] }
        return [
            .filenameExtension: declaration.filenameExtensions, .mimeType: declaration.mimeTypes,
        ].filter { !$0.value.isEmpty }
    }
}
