/// A kind of file or data, by its uniform type identifier.
///
/// Types that are declared (see the constants) know their file name extensions, their MIME type and
/// the types that they conform to. Any other identifier can be carried, and conforms to itself only.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier, such as `public.jpeg`.
    public let identifier: String

    /// The declared type with an identifier; nil when it is not declared.
    public init?(_ identifier: String) {
        let identifier = identifier.lowercased()
        guard let declaration = TypeDeclaration.byIdentifier[identifier] else { return nil }
        self.identifier = declaration.identifier
    }

    /// The type that file names with an extension have; nil when no declared type has it.
    ///
    /// - Parameters:
    ///   - filenameExtension: Without the dot, in any case.
    ///   - supertype: What the type has to conform to.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(
            TypeDeclaration.byFilenameExtension[filenameExtension.lowercased()],
            conformingTo: supertype
        )
    }

    /// The type with a MIME type; nil when no declared type has it.
    ///
    /// - Parameters:
    ///   - mimeType: Such as `image/jpeg`, in any case.
    ///   - supertype: What the type has to conform to.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(TypeDeclaration.byMIMEType[mimeType.lowercased()], conformingTo: supertype)
    }

    /// The type with an identifier that somebody else declares.
    ///
    /// - Parameters:
    ///   - identifier: Any identifier, declared or not.
    ///   - parentType: Not used: what is not declared here conforms to itself only.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = UTType(identifier)?.identifier ?? identifier
    }

    /// The type with an identifier that the program itself declares.
    ///
    /// - Parameters:
    ///   - identifier: Any identifier, declared or not.
    ///   - parentType: Not used: what is not declared here conforms to itself only.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(importedAs: identifier, conformingTo: parentType)
    }

    private init?(_ declarations: [TypeDeclaration]?, conformingTo supertype: UTType) {
        for declaration in declarations ?? [] {
            let candidate = UTType(importedAs: declaration.identifier)
            if candidate.conforms(to: supertype) {
                self = candidate
                return
            }
        }
        return nil
    }

    // MARK: - Facts

    /// Whether the identifier is declared.
    public var isDeclared: Bool { declaration != nil }

    /// Whether the type was made up for an unknown extension; never here.
    public var isDynamic: Bool { false }

    /// Whether the type is declared in the `public` name space.
    public var isPublic: Bool { isDeclared && identifier.hasPrefix("public.") }

    /// The extension that a new file of this type gets, without the dot.
    public var preferredFilenameExtension: String? { declaration?.filenameExtensions.first }

    /// The MIME type that a server gives.
    public var preferredMIMEType: String? { declaration?.mimeTypes.first }

    /// Every type that this one is a kind of, directly or not.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var waiting = declaration?.parents ?? []
        while let next = waiting.popLast() {
            if found.insert(UTType(importedAs: next)).inserted {
                waiting += TypeDeclaration.byIdentifier[next]?.parents ?? []
            }
        }
        return found
    }

    /// Whether this is the other type, or a kind of it.
    public func conforms(to type: UTType) -> Bool {
        self == type || supertypes.contains(type)
    }

    /// Whether the other type is a kind of this one.
    public func isSupertype(of type: UTType) -> Bool {
        type.supertypes.contains(self)
    }

    /// Whether this is a kind of the other type, and not the same.
    public func isSubtype(of type: UTType) -> Bool {
        supertypes.contains(type)
    }

    /// The identifier.
    public var description: String { identifier }

    /// The still formats that are read.
    static var readableImages: [UTType] {
        TypeDeclaration.readable.map { UTType(importedAs: $0.identifier) }
    }

    private var declaration: TypeDeclaration? { TypeDeclaration.byIdentifier[identifier] }
}
