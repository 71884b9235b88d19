package import PhotoModel

/// The calls by which a program reads its permission and requests more.
///
/// The engine's side identifies the program, stores the choices of the user and shows the
/// questions. No statement of the client grants anything. A change of the permission, such as a
/// revocation, applies to every later call. If it changes what the client sees, it makes the
/// descriptors of `subscribe` readable, and raises the epoch of the status.
package protocol AuthorizationService: Sendable {
    /// Returns the permission of the client's program without prompting the user.
    ///
    /// The owner's is `authorized`.
    func authorizationStatus(_ request: AuthorizationStatusRequest) throws(LibraryError)
        -> AuthorizationStatusReply

    /// Asks the user for permission if no choice was made yet, and waits for the answer.
    ///
    /// Requests of one program that arrive during its question wait for the same answer. A question
    /// for which no request waits any longer is withdrawn.
    ///
    /// - Throws: `cancelled`, for a request whose call was canceled.
    func requestAuthorization(_ request: AuthorizationRequest) throws(LibraryError)
        -> AuthorizationReply

    /// Returns the assets that were selected for a program with limited access.
    func limitedSelection() throws(LibraryError) -> LimitedSelectionReply

    /// Lets the user change the selection of a program with limited access, and waits for the
    /// result.
    ///
    /// - Throws: `accessDenied` if the user cannot be asked, and `cancelled`.
    func changeSelection() throws(LibraryError) -> SelectionChangeReply
}
