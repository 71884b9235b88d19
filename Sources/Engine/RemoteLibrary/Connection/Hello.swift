package import BinaryCoding
package import LibraryService

/// The forms in which values cross a connection.
package enum WireForm: String, Codable, Hashable, Sendable, CaseIterable {
    case binary
    /// For debugging.
    case json

    /// The coder of the form.
    package var coder: any WireCoder {
        switch self {
        case .binary: BinaryCoder()
        case .json: JSONCoder()
        }
    }
}

/// The first message of a daemon, in JSON.
///
/// The names of its properties and their types never change; later versions add optional ones.
package struct DaemonHello: Codable, Hashable, Sendable {
    /// The lowest and the highest protocol that the daemon speaks.
    package var lowestProtocol: Int
    package var highestProtocol: Int
    /// The version of the daemon's software, for messages.
    package var softwareVersion: String
    /// The names of the supported forms and of later additions; unknown names are ignored.
    package var features: Set<String>
    /// Random bytes that the client must send back, so that the kernel attaches its process to
    /// them; nil if the process is known already.
    package var nonce: [UInt8]?

    package init(
        protocols: ClosedRange<Int>,
        softwareVersion: String,
        features: Set<String> = Set(WireForm.allCases.map(\.rawValue)),
        nonce: [UInt8]? = nil
    ) {
        lowestProtocol = protocols.lowerBound
        highestProtocol = protocols.upperBound
        self.softwareVersion = softwareVersion
        self.features = features
        self.nonce = nonce
    }
}

/// The answer of a client, in JSON.
///
/// The names of its properties and their types never change; later versions add optional ones.
package struct ClientHello: Codable, Hashable, Sendable {
    /// The protocol that both sides use from now on.
    package var chosenProtocol: Int
    /// The version of the client's software, for messages.
    package var softwareVersion: String
    package var form: WireForm
    /// The path of the library; nil for the daemon's default library.
    package var library: String?
    package var restriction: SessionRequest.Restriction
    /// The daemon's nonce; nil if it sent none.
    package var nonce: [UInt8]?
    /// The role that the client asks for; nil for that of a program.
    package var role: ClientRole?
    /// The author of the client's changes in the history, which only the owner may choose; nil for
    /// the name of the program.
    package var author: String?

    package init(
        chosenProtocol: Int,
        softwareVersion: String,
        form: WireForm = .binary,
        library: String? = nil,
        restriction: SessionRequest.Restriction = .none,
        nonce: [UInt8]? = nil,
        role: ClientRole? = nil,
        author: String? = nil
    ) {
        self.chosenProtocol = chosenProtocol
        self.softwareVersion = softwareVersion
        self.form = form
        self.library = library
        self.restriction = restriction
        self.nonce = nonce
        self.role = role
        self.author = author
    }
}

/// The role in which a client asks for a session; values of later versions are preserved.
///
/// A daemon decides by the client's identity whether it admits the role.
package struct ClientRole: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A program with the permission that its user granted.
    package static let program = ClientRole(rawValue: "program")
    /// The library's owner, as the `photos` command is.
    package static let owner = ClientRole(rawValue: "owner")
    /// A client that asks for the state of the daemon only; no library is opened for it.
    package static let observer = ClientRole(rawValue: "observer")
}

/// The last message of a side, in JSON.
package struct Goodbye: Codable, Hashable, Sendable {
    /// A reason for the end of a connection; values of later versions are preserved.
    package struct Reason: RawRepresentable, Codable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The daemon is about to be replaced; connecting again reaches its successor.
        package static let reconnect = Reason(rawValue: "reconnect")
        /// The side ends.
        package static let shutdown = Reason(rawValue: "shutdown")
        /// The sides speak no common protocol.
        package static let unsupportedProtocol = Reason(rawValue: "unsupportedProtocol")
        /// The other side violated the protocol.
        package static let violation = Reason(rawValue: "violation")
    }

    package var reason: Reason
    /// A sentence for logs.
    package var message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
