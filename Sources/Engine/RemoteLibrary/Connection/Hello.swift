package import BinaryCoding
package import LibraryService

/// The encodings of requests and replies.
package enum WireForm: String, Codable, Hashable, Sendable, CaseIterable {
    case binary
    /// JSON, for debugging.
    case json

    /// The coder for the encoding.
    package var coder: any WireCoder {
        switch self {
        case .binary: BinaryCoder()
        case .json: JSONCoder()
        }
    }
}

/// The first message that a daemon sends, in JSON.
///
/// The names of its properties and their types never change; later versions add optional ones.
package struct DaemonHello: Codable, Hashable, Sendable {
    /// The lowest protocol version that the daemon supports; `highestProtocol` is the highest.
    package var lowestProtocol: Int
    package var highestProtocol: Int
    /// The version of the daemon's software, for error messages.
    package var softwareVersion: String
    /// The names of the encodings and later features that the daemon supports; unknown names are
    /// ignored.
    package var features: Set<String>
    /// Random bytes that the client must send back; nil if the daemon already knows the client's
    /// process.
    ///
    /// The kernel attaches the identifier of the sending process to the bytes.
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

/// The client's answer to the daemon's first message, in JSON.
///
/// The names of its properties and their types never change; later versions add optional ones.
package struct ClientHello: Codable, Hashable, Sendable {
    /// The protocol version that both sides use from now on.
    package var chosenProtocol: Int
    /// The version of the client's software, for error messages.
    package var softwareVersion: String
    package var form: WireForm
    /// The path of the library; nil for the daemon's default library.
    package var library: String?
    package var restriction: SessionRequest.Restriction
    /// The nonce that the daemon sent; nil if it sent none.
    package var nonce: [UInt8]?
    /// The role that the client requests; nil for the role of a program.
    package var role: ClientRole?
    /// The author of the client's changes in the history; nil to use the program's name.
    ///
    /// Only the library's owner may choose an author.
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

/// The role that a client requests for its session.
///
/// Values that only later versions know are preserved.
///
/// A daemon decides by the client's identity whether it admits the role.
package struct ClientRole: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A program with the permission that its user granted.
    package static let program = ClientRole(rawValue: "program")
    /// The library's owner, such as the `photos` command.
    package static let owner = ClientRole(rawValue: "owner")
    /// A client that only requests the state of the daemon; no library is opened for it.
    package static let observer = ClientRole(rawValue: "observer")
}

/// The message with which the daemon or the client ends a connection, in JSON.
package struct Goodbye: Codable, Hashable, Sendable {
    /// A reason for the end of a connection.
    ///
    /// Values that only later versions know are preserved.
    package struct Reason: RawRepresentable, Codable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The daemon is about to be replaced; a new connection reaches its successor.
        package static let reconnect = Reason(rawValue: "reconnect")
        /// The daemon exits, or the client closes the library.
        package static let shutdown = Reason(rawValue: "shutdown")
        /// The daemon and the client have no protocol version in common.
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
