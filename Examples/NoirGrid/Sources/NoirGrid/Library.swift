import Foundation
import Photos

/// Requests permission, and checks that the library can be read.
///
/// - Throws: The reason that the library cannot be read.
func openLibrary() async throws {
    let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
    if let reason = PHPhotoLibrary.shared().unavailabilityReason { throw reason }
    print(status == .limited ? "Permission: selected photos" : "Permission: all photos")
}

/// An error with a message for the user.
struct GridError: LocalizedError {
    let errorDescription: String?

    init(_ message: String) { errorDescription = message }
}
