internal import Foundation
package import ProgramAccess

/// The client of a session, as established by the code that opens the session.
///
/// No request names a client, so a client cannot pretend to be another one.
package struct ClientIdentity: Sendable {
    /// The client program, limited to the permissions that its user granted; nil for the library's
    /// owner, who has full access.
    package var program: ClientProgram?
    /// The author recorded in the library's history for the client's changes.
    package var author: String
    /// The identifier of the client's program, which is set even for the library's owner, for whom
    /// `program` is nil.
    ///
    /// An answer to a change is repeated to the same program only.
    package var requester: String
    /// The desk through which the user is asked for permission.
    package var desk: QuestionDesk

    package init(
        program: ClientProgram? = nil,
        author: String = ProcessInfo.processInfo.processName,
        requester: String? = nil,
        desk: QuestionDesk = .own
    ) {
        self.program = program
        self.author = author
        self.requester = requester ?? program?.identity.identifier ?? author
        self.desk = desk
    }
}
