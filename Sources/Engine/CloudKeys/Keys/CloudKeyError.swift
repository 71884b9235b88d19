internal import CloudSync

/// An error of the keys, certificates or encrypted objects of a cloud library.
///
/// No message contains key material, a passphrase or a part of a recovery code.
package struct CloudKeyError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Hashable, Sendable {
        /// The passphrase does not decrypt the key.
        case wrongPassphrase
        /// The passphrase is too short or too long, or contains control characters.
        case unsuitablePassphrase
        /// The recovery code has a typing error.
        case mistypedRecoveryCode
        /// The recovery code is well-formed but does not decrypt the key.
        case wrongRecoveryCode
        /// The key object lacks the required encrypted key, either for this device or for a
        /// passphrase.
        case noWrap
        /// The object belongs to another cloud library.
        case otherLibrary
        /// The object is encrypted with the key of an epoch that this device does not know.
        case unknownEpoch
        /// The bytes differ from those that were written under the object's name.
        case damaged
        /// The object has a format version that this program does not support.
        case laterVersion
        /// A signature is not valid for the content and the signer.
        case wrongSignature
        /// This device has no accepted certificate of the device that signed the object.
        case unknownSigner
        /// A certificate was issued by a party that may not issue it.
        case notAdmitted
        /// A value exceeds a limit.
        case outOfBounds
        /// The content of a file does not have the expected checksum.
        case wrongContent
        /// The encryption of a file does not yield the object that was written earlier.
        case irreproducible
        /// The file to encrypt cannot be read from its volume.
        case unreadableOriginal
        /// Other users can read the file with the secrets, or may have written it.
        case insecureFile
        /// A system call failed.
        case inputOutput
        /// A cryptographic operation that must succeed has failed.
        case cryptography
    }

    package let code: Code
    /// A single sentence that names the object and the failure.
    package let message: String
    /// The cause, if it is known.
    package let reason: String?
    /// The recovery suggestion.
    package let recovery: String

    package init(_ code: Code, _ message: String, reason: String? = nil, recovery: String) {
        self.code = code
        self.message = message
        self.reason = reason
        self.recovery = recovery
    }

    package var description: String {
        [message, reason, recovery].compactMap(\.self).joined(separator: " ")
    }
}

extension CloudKeyError {
    static let verify =
        "It is left out. Run photos cloud verify after the store returns its true bytes."
    static let update = "Update this program."

    static func damaged(_ object: String, _ reason: String) -> CloudKeyError {
        CloudKeyError(
            .damaged,
            "The object \(object) is not the one that was written.",
            reason: reason,
            recovery: verify
        )
    }

    static func malformed(_ object: String, _ error: CloudFormatError) -> CloudKeyError {
        damaged(object, "At byte \(error.offset): \(error.reason).")
    }

    static func laterVersion(_ object: String) -> CloudKeyError {
        CloudKeyError(
            .laterVersion,
            "The object \(object) has a format that this program does not know.",
            recovery: update
        )
    }

    static func otherLibrary(_ object: String) -> CloudKeyError {
        CloudKeyError(
            .otherLibrary,
            "The object \(object) belongs to another cloud library.",
            recovery: "Check the address of the store."
        )
    }

    static func outOfBounds(_ object: String, _ reason: String) -> CloudKeyError {
        CloudKeyError(
            .outOfBounds,
            "The object \(object) exceeds a limit.",
            reason: reason,
            recovery: "No program of this package writes such an object; it is left out."
        )
    }

    /// Returns the error for a cryptographic operation that cannot fail with valid keys.
    static func cryptography(_ operation: String, _ error: any Error) -> CloudKeyError {
        CloudKeyError(
            .cryptography,
            "Could not \(operation).",
            reason: "\(error).",
            recovery: "Report this with the version of this program."
        )
    }
}
