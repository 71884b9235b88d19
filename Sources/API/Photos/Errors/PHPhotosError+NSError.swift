public import Foundation
public import PhotosCompanions

extension PHPhotosError: NSErrorBridging {
    /// Makes an error of an `NSError` of ``PHPhotosErrorDomain``; nil for one of another domain.
    public init?(bridging error: NSError) {
        guard error.domain == PHPhotosErrorDomain else { return nil }
        self.init(stored: error)
    }
}
