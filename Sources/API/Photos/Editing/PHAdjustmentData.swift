public import Foundation

/// The adjustments of an edit to a photo or video, in the editor's own format.
///
/// The library stores them next to the rendered file and returns them unchanged. Only editors that
/// support the format can read them. Objects of this class are immutable.
open class PHAdjustmentData: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open. Its stored properties are immutable.

    /// The identifier of the format, in reverse domain notation.
    ///
    /// It is opaque to the library.
    public let formatIdentifier: String

    /// The version of the format.
    ///
    /// It is opaque to the library.
    public let formatVersion: String

    /// The data needed to reproduce the edit from the unedited file.
    ///
    /// It is opaque to the library. At most 16 MiB can be saved.
    public let data: Data

    /// Creates adjustment data to save with an edit.
    ///
    /// - Parameters:
    ///   - formatIdentifier: The identifier of the format, in reverse domain notation.
    ///   - formatVersion: The version of the format.
    ///   - data: The data needed to reproduce the edit.
    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
        super.init()
    }

    /// Creates adjustment data without a format and without data, for test doubles.
    public convenience override init() {
        self.init(formatIdentifier: "", formatVersion: "", data: Data())
    }

    // MARK: - Coding

    /// Indicates whether the class supports secure coding, which is always true.
    open class var supportsSecureCoding: Bool { true }

    private enum Key {
        static let identifier = "formatIdentifier"
        static let version = "formatVersion"
        static let data = "data"
    }

    /// Decodes archived adjustment data, or returns nil if the archive is incomplete.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: Key.identifier),
            let version = coder.decodeObject(of: NSString.self, forKey: Key.version),
            let data = coder.decodeObject(of: NSData.self, forKey: Key.data)
        else { return nil }
        formatIdentifier = String(describing: identifier)
        formatVersion = String(describing: version)
        self.data = Data(referencing: data)
        super.init()
    }

    /// Archives the adjustment data.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: formatIdentifier), forKey: Key.identifier)
        coder.encode(NSString(string: formatVersion), forKey: Key.version)
        coder.encode(NSData(data: data), forKey: Key.data)
    }

    /// The format and the size, for debugging.
    open override var description: String {
        "<\(type(of: self)) \(formatIdentifier) \(formatVersion), \(data.count) bytes>"
    }
}
