internal import CloudSync

/// An error of the keys, certificates or encrypted objects of a cloud library.
///
/// No message contains key material, a passphrase or a part of a recovery code.
package struct CloudKeyError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Hashable, Sendable {
        /// The passphrase does not open the key.
        case wrongPassphrase
        /// The passphrase is empty, short, long, or contains control characters.
        case unsuitablePassphrase
        /// The recovery code has a typing error.
        case mistypedRecoveryCode
        /// The recovery code is well-formed and does not open the key.
        case wrongRecoveryCode
        /// A key object has no wrap for this device, or for a passphrase.
        case noWrap
        /// The object belongs to another cloud library.
        case otherLibrary
        /// The object is encrypted with the key of an epoch that is not known here.
        case unknownEpoch
        /// The bytes are not those that were written under this name.
        case damaged
        /// The object has a version that this program does not know.
        case laterVersion
        /// A signature does not fit the bytes and the signer.
        case wrongSignature
        /// No valid certificate is known of the device that signed.
        case unknownSigner
        /// A certificate was issued by nobody who may issue one.
        case notAdmitted
        /// A value exceeds a limit.
        case outOfBounds
        /// The decrypted file is not the one that was promised.
        case wrongContent
        /// Other users could read the file with the secrets.
        case insecureFile
        /// A system call failed.
        case inputOutput
        /// The cryptography refused an operation that must succeed.
        case cryptography
    }

    package let code: Code
    /// A single sentence that names the object and the failure.
    package let message: String
    /// The cause, if more is known.
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

    /// The failure of an operation that cannot fail with valid keys.
    static func cryptography(_ operation: String, _ error: any Error) -> CloudKeyError {
        CloudKeyError(
            .cryptography,
            "Could not \(operation).",
            reason: "\(error).",
            recovery: "Report this with the version of this program."
        )
    }
}
