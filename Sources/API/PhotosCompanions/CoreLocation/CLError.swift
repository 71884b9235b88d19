public import Foundation

/// The domain of ``CLError`` as an `NSError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// Why Core Location has no answer.
public struct CLError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// What kind of failure it is, with Core Location's numbers.
    public enum Code: Int, Sendable, CaseIterable {
        /// Where something is, is not known.
        case locationUnknown = 0
        /// The user does not allow it.
        case denied = 1
        /// The names of places can't be had: the gazetteer is not installed.
        case network = 2
        /// No place was found.
        case geocodeFoundNoResult = 8
        /// More than one place was found.
        case geocodeFoundPartialResult = 9
        /// The program canceled it.
        case geocodeCanceled = 10
    }

    /// What kind of failure it is.
    public let code: Code

    /// An error of a kind.
    public init(_ code: Code) { self.code = code }

    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { kCLErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }

    /// One sentence: what failed.
    public var errorDescription: String? {
        switch code {
        case .locationUnknown: "The location is not known."
        case .denied: "Location services are not allowed."
        case .network: "The names of places are not installed."
        case .geocodeFoundNoResult: "No place was found."
        case .geocodeFoundPartialResult: "More than one place was found."
        case .geocodeCanceled: "The search for a place was canceled."
        }
    }

    /// The text, under Foundation's key.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription ?? ""]
    }
}
