import Photos

/// Requests permission from the user.
enum Permission {
    static func ask() async throws {
        let before = PHPhotoLibrary.authorizationStatus(for: .readWrite)
        let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
        switch status {
        case .authorized, .limited:
            print("permission: \(name(before)), then \(name(status))")
        case .denied, .restricted, .notDetermined:
            throw Failure("there is no permission to see the photos: \(name(status))")
        @unknown default:
            throw Failure("the permission has an unknown value")
        }
        let now = PHPhotoLibrary.authorizationStatus(for: .readWrite)
        try expect(now == status, "the status is \(name(now)) after the answer \(name(status))")
    }

    private static func name(_ status: PHAuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "not determined"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorized: "authorized"
        case .limited: "limited"
        @unknown default: "unknown"
        }
    }
}
