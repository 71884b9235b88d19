package import LibraryService
package import PhotoModel
package import ProgramAccess

/// The permission of a program while it has no library open.
package struct ProgramAuthorization: AuthorizationService {
    private let program: ClientProgram
    private let desk: QuestionDesk

    /// Creates the authorization of a program.
    ///
    /// - Parameters:
    ///   - program: The program, which the caller has identified.
    ///   - desk: The means of asking the user.
    package init(_ program: ClientProgram, desk: QuestionDesk = .own) {
        self.program = program
        self.desk = desk
    }

    package func authorizationStatus(_ request: AuthorizationStatusRequest) throws(LibraryError)
        -> AuthorizationStatusReply
    {
        program.permission(at: request.level)
    }

    /// Asks the user for permission if no choice was made yet.
    ///
    /// The user cannot select assets, since no library is open.
    package func requestAuthorization(_ request: AuthorizationRequest) throws(LibraryError)
        -> AuthorizationReply
    {
        try program.authorize(request, at: desk) { nil }
    }

    package func limitedSelection() throws(LibraryError) -> LimitedSelectionReply {
        throw Self.withoutLibrary
    }

    package func changeSelection() throws(LibraryError) -> SelectionChangeReply {
        throw Self.withoutLibrary
    }

    private static let withoutLibrary = LibraryError(
        .libraryMissing,
        "There is no library to select photos from.",
        recovery: "Open a library first."
    )
}
