public import Foundation

// How programs asked for kinds of files before `UTType`: constants and functions of the Core Services.

/// The tag of file name extensions.
public var kUTTagClassFilenameExtension: CFString { "public.filename-extension" }
/// The tag of MIME types.
public var kUTTagClassMIMEType: CFString { "public.mime-type" }

/// Whether a type is another one, or a kind of it.
///
/// - Parameters:
///   - uti: The identifier of the one.
///   - conformsToUTI: The identifier of the other.
/// - Returns: False also where the first is not declared and not the second.
public func UTTypeConformsTo(_ uti: CFString, _ conformsToUTI: CFString) -> Bool {
    UTType(importedAs: String(uti)).conforms(to: UTType(importedAs: String(conformsToUTI)))
}

/// Whether two identifiers name the same type; case does not matter.
public func UTTypeEqual(_ uti1: CFString, _ uti2: CFString) -> Bool {
    String(uti1).lowercased() == String(uti2).lowercased()
}

/// The identifier of the type that has a tag.
///
/// - Parameters:
///   - tagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``; no other is known.
///   - tag: The extension without the dot, or the MIME type.
///   - conformingToUTI: What the type has to be a kind of; nil for anything.
/// - Returns: Nil where no declared type has the tag. The caller takes it with `takeRetainedValue()`.
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

/// The tag that files of a type get.
///
/// - Parameters:
///   - uti: The identifier of the type.
///   - tagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``; no other is known.
/// - Returns: Nil where the type is not declared or has none. The caller takes it with
///   `takeRetainedValue()`.
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
