public import Foundation

extension CIRenderingError: NSErrorBridging {
    /// Makes an error of an `NSError` of ``errorDomain``; nil for one of another domain or code.
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
