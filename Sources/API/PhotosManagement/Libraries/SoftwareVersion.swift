internal import PhotoModel

/// The version of swift-photos.
public enum SoftwareVersion {
    /// The version of this build, as `photos --version` prints it.
    public static let current = BuildVersion.current
}
