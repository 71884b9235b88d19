public import Foundation

extension AVError: NSErrorBridging {
    /// Creates an error from an `NSError` of ``AVFoundationErrorDomain``; nil for another domain.
    public init?(bridging error: NSError) {
        guard error.domain == AVFoundationErrorDomain else { return nil }
        self.init(
            Code(rawValue: error.code),
            error.localizedDescription,
            reason: error.localizedFailureReason,
            recovery: error.localizedRecoverySuggestion,
            path: error.userInfo[NSFilePathErrorKey] as? String
        )
    }
}
