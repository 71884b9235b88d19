/// The version of the software that all programs of this package share.
package enum BuildVersion {
    /// The version of this build.
    package static let current = "0.1.0"
}
