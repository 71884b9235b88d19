public import Foundation

extension CIRenderingError: NSErrorBridging {
    /// Creates an error from an `NSError` of ``errorDomain``; nil for another domain or an unknown
    /// code.
    public init?(bridging error: NSError) {
        guard error.domain == Self.errorDomain, let code = Code(rawValue: error.code) else {
            return nil
        }
        self.init(
            code,
            error.localizedDescription,
            reason: error.localizedFailureReason,
            recovery: error.localizedRecoverySuggestion
        )
    }
}
