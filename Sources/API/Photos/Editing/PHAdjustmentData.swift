public import Foundation

/// What an editor did to a photo or video, in the editor's own words.
///
/// The library keeps it beside the rendered file and hands it back unchanged; only editors that know
/// the format can read it. It never changes.
open class PHAdjustmentData: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open; what it stores never changes.

    /// Whose format it is, in reverse domain notation.
    ///
    /// Opaque to the library.
    public let formatIdentifier: String

    /// Which version of the format.
    ///
    /// Opaque to the library.
    public let formatVersion: String

    /// What is needed to make the edit again from the unedited file.
    ///
    /// Opaque to the library. At most 16 MiB can be saved.
    public let data: Data

    /// Adjustment data to be saved with an edit.
    ///
    /// - Parameters:
    ///   - formatIdentifier: Whose format it is, in reverse domain notation.
    ///   - formatVersion: Which version of the format.
    ///   - data: What is needed to make the edit again.
    public init(formatIdentifier: String, formatVersion: String, data: Data) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
        super.init()
    }

    /// Adjustment data without a format and without data, for test doubles.
    public convenience override init() {
        self.init(formatIdentifier: "", formatVersion: "", data: Data())
    }

    // MARK: - Coding

    /// True.
    open class var supportsSecureCoding: Bool { true }

    private enum Key {
        static let identifier = "formatIdentifier"
        static let version = "formatVersion"
        static let data = "data"
    }

    /// Adjustment data from an archive; nil when something is missing in it.
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

    /// Writes all of it.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: formatIdentifier), forKey: Key.identifier)
        coder.encode(NSString(string: formatVersion), forKey: Key.version)
        coder.encode(NSData(data: data), forKey: Key.data)
    }

    /// The format and the size, for a person.
    open override var description: String {
        "<\(type(of: self)) \(formatIdentifier) \(formatVersion), \(data.count) bytes>"
    }
}
