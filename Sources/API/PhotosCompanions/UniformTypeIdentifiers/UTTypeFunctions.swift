public import Foundation

// The type constants and functions of Core Services, which programs used before `UTType`.

/// The tag class of filename extensions.
public var kUTTagClassFilenameExtension: CFString { "public.filename-extension" }
/// The tag class of MIME types.
public var kUTTagClassMIMEType: CFString { "public.mime-type" }

/// Returns whether a type equals another or is a subtype of it.
///
/// - Parameters:
///   - uti: The identifier of the type.
///   - conformsToUTI: The identifier of the other type.
/// - Returns: False if the first type is not declared, unless both are the same.
public func UTTypeConformsTo(_ uti: CFString, _ conformsToUTI: CFString) -> Bool {
    UTType(importedAs: String(uti)).conforms(to: UTType(importedAs: String(conformsToUTI)))
}

/// Returns whether two identifiers denote the same type, ignoring case.
public func UTTypeEqual(_ uti1: CFString, _ uti2: CFString) -> Bool {
    String(uti1).lowercased() == String(uti2).lowercased()
}

/// Returns the identifier of the declared type that has the given tag.
///
/// - Parameters:
///   - tagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``; others are
///     unsupported.
///   - tag: The extension without the dot, or the MIME type.
///   - conformingToUTI: A type to which the result must conform; nil for `public.data`.
/// - Returns: Nil if no declared type has the tag. The caller must take the value with
///   `takeRetainedValue()`.
public func UTTypeCreatePreferredIdentifierForTag(
    _ tagClass: CFString,
    _ tag: CFString,
    _ conformingToUTI: CFString?
) -> Unmanaged<CFString>? {
    let supertype = conformingToUTI.map { UTType(importedAs: String($0)) } ?? .data
    let type: UTType? =
        switch tagClass {
        case kUTTagClassFilenameExtension:
            UTType(filenameExtension: String(tag), conformingTo: supertype)
        case kUTTagClassMIMEType: UTType(mimeType: String(tag), conformingTo: supertype)
        default: nil
        }
    return type.map { Unmanaged.passRetained($0.identifier as NSString) }
}

/// Returns the preferred tag of a type.
///
/// - Parameters:
///   - uti: The identifier of the type.
///   - tagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``; others are
///     unsupported.
/// - Returns: Nil if the type is not declared or has no tag of that class. The caller must take the
///   value with `takeRetainedValue()`.
public func UTTypeCopyPreferredTagWithClass(
    _ uti: CFString,
    _ tagClass: CFString
) -> Unmanaged<CFString>? {
    let type = UTType(importedAs: String(uti))
    let tag: String? =
        switch tagClass {
        case kUTTagClassFilenameExtension: type.preferredFilenameExtension
        case kUTTagClassMIMEType: type.preferredMIMEType
        default: nil
        }
    return tag.map { Unmanaged.passRetained($0 as NSString) }
}
