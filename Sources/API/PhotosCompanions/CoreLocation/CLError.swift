public import Foundation

/// The error domain used when a ``CLError`` is bridged to `NSError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// An error from Core Location.
public struct CLError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// An error code, with Core Location's numbers.
    public enum Code: Int, Sendable, CaseIterable {
        /// The location is unknown.
        case locationUnknown = 0
        /// The user denied access.
        case denied = 1
        /// Place names are unavailable, because the gazetteer is not installed.
        case network = 2
        /// No place was found.
        case geocodeFoundNoResult = 8
        /// More than one place was found.
        case geocodeFoundPartialResult = 9
        /// The request was canceled.
        case geocodeCanceled = 10
    }

    /// The error's code.
    public let code: Code

    /// Creates an error with a code.
    public init(_ code: Code) { self.code = code }

    /// The error domain used when a `CLError` is bridged to `NSError`.
    public static var errorDomain: String { kCLErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }

    /// A sentence that states what failed.
    public var errorDescription: String? {
        switch code {
        case .locationUnknown: "The location is unknown."
        case .denied: "Location services are not allowed."
        case .network: "The names of places are not installed."
        case .geocodeFoundNoResult: "No place was found."
        case .geocodeFoundPartialResult: "More than one place was found."
        case .geocodeCanceled: "The search for a place was canceled."
        }
    }

    /// The user info dictionary with the error's message under Foundation's key.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription ?? ""]
    }
}
