/// Something that the codec could not do: what, why, and what helps.
package struct RenditionCodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case invalidPixels, invalidSettings, notJPEG, damaged, unsupportedColors, outOfMemory
        }

        private let wrapped: Wrapped
        package var description: String { wrapped.rawValue }

        /// The rows handed over do not hold the picture that they are said to hold.
        package static let invalidPixels = Code(wrapped: .invalidPixels)
        /// A quality or a size outside its range.
        package static let invalidSettings = Code(wrapped: .invalidSettings)
        /// The bytes do not begin with a JPEG header that can be read.
        package static let notJPEG = Code(wrapped: .notJPEG)
        /// The header is sound and the picture's data are not.
        package static let damaged = Code(wrapped: .damaged)
        /// A color space that renditions never have, such as CMYK.
        package static let unsupportedColors = Code(wrapped: .unsupportedColors)
        /// The memory for a codec or a picture could not be had.
        package static let outOfMemory = Code(wrapped: .outOfMemory)
    }

    package let code: Code
    /// One sentence: the thing and what failed.
    package let message: String
    /// What libjpeg-turbo said, when it said something.
    package let reason: String?
    /// What helps.
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
