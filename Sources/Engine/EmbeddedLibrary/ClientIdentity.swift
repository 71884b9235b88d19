internal import Foundation
package import ProgramAccess

/// The client of a session, as the opener of the session established it.
///
/// No request names a client, so a client cannot pretend to be another one.
package struct ClientIdentity: Sendable {
    /// The client program, limited to the permissions that its user granted; nil for the library's
    /// owner, who has full access.
    package var program: ClientProgram?
    /// The author of the client's changes in the library's history.
    package var author: String

    package init(
        program: ClientProgram? = nil,
        author: String = ProcessInfo.processInfo.processName
    ) {
        self.program = program
        self.author = author
    }
}
