/// What a tag of a type is: an extension or a MIME type.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
    /// The name of the class.
    public let rawValue: String

    /// A class by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// File name extensions.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}

extension UTType {
    /// The type that has a tag; nil when no declared type has it.
    ///
    /// - Parameters:
    ///   - tag: The extension without the dot, or the MIME type.
    ///   - tagClass: Which of the two.
    ///   - supertype: What the type has to conform to; nil for anything.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard
            let type = UTType.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first
        else { return nil }
        self = type
    }

    /// Every declared type that has a tag, the usual meaning first.
    ///
    /// - Parameters:
    ///   - tag: The extension without the dot, or the MIME type.
    ///   - tagClass: Which of the two.
    ///   - supertype: What the types have to conform to; nil for anything.
    /// - Returns: None for a class that is neither.
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
