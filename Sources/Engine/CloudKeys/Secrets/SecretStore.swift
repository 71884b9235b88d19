package import Foundation

/// The items that a library's secrets consist of.
package enum SecretItem: String, CaseIterable, Sendable {
    /// The keys of the device and the keys of all epochs (``DeviceSecrets``).
    case keys
    /// The newest state of the store that was seen (``SeenState``).
    case seen
    /// The settings of the store, with its credentials or a reference to them.
    case credentials
}

/// A store for the secrets of libraries on this computer, outside of the library bundles.
///
/// Bundles are copied, backed up and shared; their copies must not contain keys.
package protocol SecretStore: Sendable {
    /// Reads an item; returns nil if it does not exist.
    ///
    /// - Throws: ``CloudKeyError``: `insecureFile` or `inputOutput`.
    func read(_ item: SecretItem, of library: UUID) throws(CloudKeyError) -> [UInt8]?

    /// Replaces an item durably; after a crash, either the former or the new value is read.
    func write(_ bytes: [UInt8], to item: SecretItem, of library: UUID) throws(CloudKeyError)

    /// Removes all items of a library; succeeds if there are none.
    func remove(_ library: UUID) throws(CloudKeyError)

    /// Returns the libraries that have items.
    func libraries() -> [UUID]
}
