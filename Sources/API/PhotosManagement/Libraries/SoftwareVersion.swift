/// The version of swift-photos.
public enum SoftwareVersion {
    /// The version of this build, as `photos --version` prints it.
    public static let current = "0.1.0"
}
