package import Foundation

/// The kinds of items in which a library's secrets are stored.
package enum SecretItem: String, CaseIterable, Sendable {
    /// The keys of the device and the keys of all epochs (``DeviceSecrets``).
    case keys
    /// The newest state of the store that was seen (``SeenState``).
    case seen
    /// The settings of the store, with its credentials or a reference to them.
    case credentials
}

/// A store on this computer for libraries' secrets, outside of the library bundles.
///
/// Bundles are copied, backed up and shared; their copies must not contain keys.
package protocol SecretStore: Sendable {
    /// Reads an item; returns nil if it does not exist.
    ///
    /// - Throws: ``CloudKeyError``: `insecureFile` or `inputOutput`.
    func read(_ item: SecretItem, of library: UUID) throws(CloudKeyError) -> [UInt8]?

    /// Replaces an item durably, so that a crash leaves either the former or the new value.
    func write(_ bytes: [UInt8], to item: SecretItem, of library: UUID) throws(CloudKeyError)

    /// Removes all items of a library; succeeds if there are none.
    func remove(_ library: UUID) throws(CloudKeyError)

    /// Returns the libraries that have at least one item in the store.
    func libraries() -> [UUID]
}
