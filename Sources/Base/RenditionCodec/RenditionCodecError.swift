/// An error of the codec, with a cause and a recovery suggestion.
package struct RenditionCodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case invalidPixels, invalidSettings, notJPEG, damaged, unsupportedColors, outOfMemory
        }

        private let wrapped: Wrapped
        package var description: String { wrapped.rawValue }

        /// The buffer is too small for the declared image.
        package static let invalidPixels = Code(wrapped: .invalidPixels)
        /// The quality or the size is out of range.
        package static let invalidSettings = Code(wrapped: .invalidSettings)
        /// The bytes do not begin with a valid JPEG header.
        package static let notJPEG = Code(wrapped: .notJPEG)
        /// The header is valid, but the image data are not.
        package static let damaged = Code(wrapped: .damaged)
        /// The color space, such as CMYK, does not occur in renditions.
        package static let unsupportedColors = Code(wrapped: .unsupportedColors)
        /// Memory for a codec or an image could not be allocated.
        package static let outOfMemory = Code(wrapped: .outOfMemory)
    }

    package let code: Code
    /// A single sentence that names the object and the failure.
    package let message: String
    /// The message of libjpeg-turbo, if any.
    package let reason: String?
    /// The recovery suggestion.
    package let recovery: String

    package init(_ code: Code, _ message: String, reason: String? = nil, recovery: String) {
        self.code = code
        self.message = message
        self.reason = reason
        self.recovery = recovery
    }

    package var description: String {
        [message, reason, recovery].compactMap(\.self).joined(separator: " ")
    }
}
