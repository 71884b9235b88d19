package import Foundation

/// The values that a library's secrets consist of.
package enum SecretItem: String, CaseIterable, Sendable {
    /// The keys of the device and of all epochs (``DeviceSecrets``).
    case keys
    /// The state of the store that was seen last (``SeenState``).
    case seen
    /// The credentials of the store, or the reference to them.
    case credentials
}

/// A place for the secrets of a library on this computer, outside of its bundle.
///
/// Bundles are copied, backed up and shared; their copies must not contain keys.
package protocol SecretStore: Sendable {
    /// Reads an item; nil if there is none.
    ///
    /// - Throws: ``CloudKeyError``: `insecureFile` or `inputOutput`.
    func read(_ item: SecretItem, of library: UUID) throws(CloudKeyError) -> [UInt8]?

    /// Replaces an item durably: after a crash, the former or the new value is read.
    func write(_ bytes: [UInt8], to item: SecretItem, of library: UUID) throws(CloudKeyError)

    /// Removes all items of a library; none is a success.
    func remove(_ library: UUID) throws(CloudKeyError)

    /// The libraries with items.
    func libraries() -> [UUID]
}
