public import Foundation
public import PhotosCompanions

extension PHPhotosError: NSErrorBridging {
    /// Creates an error from an `NSError` of ``PHPhotosErrorDomain``; returns nil for other
    /// domains.
    public init?(bridging error: NSError) {
        guard error.domain == PHPhotosErrorDomain else { return nil }
        self.init(stored: error)
    }
}
