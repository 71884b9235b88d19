/// A type of file or data, identified by its uniform type identifier.
///
/// Declared types (see the constants) have filename extensions, MIME types and supertypes. Any
/// other identifier is valid but conforms only to itself.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier, such as `public.jpeg`.
    public let identifier: String

    /// Creates the declared type that has the given identifier; nil if the identifier is not
    /// declared.
    public init?(_ identifier: String) {
        let identifier = identifier.lowercased()
        guard let declaration = TypeDeclaration.byIdentifier[identifier] else { return nil }
        self.identifier = declaration.identifier
    }

    /// Creates the declared type that has the given filename extension; nil if no declared type has
    /// it.
    ///
    /// - Parameters:
    ///   - filenameExtension: The extension without the dot, in any case.
    ///   - supertype: A type to which the result must conform.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(
            TypeDeclaration.byFilenameExtension[filenameExtension.lowercased()],
            conformingTo: supertype
        )
    }

    /// Creates the declared type that has the given MIME type; nil if no declared type has it.
    ///
    /// - Parameters:
    ///   - mimeType: The MIME type, such as `image/jpeg`, in any case.
    ///   - supertype: A type to which the result must conform.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(TypeDeclaration.byMIMEType[mimeType.lowercased()], conformingTo: supertype)
    }

    /// Creates a type that another program declares.
    ///
    /// - Parameters:
    ///   - identifier: Any identifier, declared or not.
    ///   - parentType: Ignored; a type that is not declared here conforms only to itself.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = UTType(identifier)?.identifier ?? identifier
    }

    /// Creates a type that this program declares.
    ///
    /// - Parameters:
    ///   - identifier: Any identifier, declared or not.
    ///   - parentType: Ignored; a type that is not declared here conforms only to itself.
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

    // MARK: - Properties

    /// A Boolean value that indicates whether the type is declared.
    public var isDeclared: Bool { declaration != nil }

    /// A Boolean value that indicates whether the type was created for an unknown tag; always
    /// false.
    public var isDynamic: Bool { false }

    /// A Boolean value that indicates whether the type is declared in the `public` namespace.
    public var isPublic: Bool { isDeclared && identifier.hasPrefix("public.") }

    /// The preferred filename extension, without the dot.
    public var preferredFilenameExtension: String? { declaration?.filenameExtensions.first }

    /// The preferred MIME type.
    public var preferredMIMEType: String? { declaration?.mimeTypes.first }

    /// All direct and indirect supertypes.
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

    /// Returns whether this type equals another or is a subtype of it.
    public func conforms(to type: UTType) -> Bool {
        self == type || supertypes.contains(type)
    }

    /// Returns whether another type is a proper subtype of this one.
    public func isSupertype(of type: UTType) -> Bool {
        type.supertypes.contains(self)
    }

    /// Returns whether this type is a proper subtype of another.
    public func isSubtype(of type: UTType) -> Bool {
        supertypes.contains(type)
    }

    /// The identifier.
    public var description: String { identifier }

    /// The still image formats that can be read.
    static var readableImages: [UTType] {
        TypeDeclaration.readable.map { UTType(importedAs: $0.identifier) }
    }

    private var declaration: TypeDeclaration? { TypeDeclaration.byIdentifier[identifier] }
}
