package import LibraryService
package import PhotoModel

/// Reports a program's permission to the program, and asks the user for it.
extension ClientProgram {
    /// Returns the program's status for an access level, with the errors for requests that the
    /// status does not permit.
    package func permission(at level: AccessLevel) -> AuthorizationStatusReply {
        let choice = (try? choice()) ?? AccessChoice()
        let status = choice.status(for: level)
        let isVisible = status == .authorized || status == .limited
        guard level == .readWrite else {
            return AuthorizationStatusReply(
                status: status,
                refusal: isVisible ? nil : refusal(of: status)
            )
        }
        let refusal =
            choice.status(for: .addOnly) == .authorized
            ? refusalOfReading : refusal(of: status)
        return AuthorizationStatusReply(
            status: status,
            refusal: isVisible ? nil : refusal,
            hiddenRefusal: isVisible && !choice.includesHidden ? refusalOfHidden : nil
        )
    }

    /// Asks the user for permission if no choice was made yet, and waits for the answer.
    ///
    /// If several requests ask at the same time, the user sees one question.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - desk: The questions in progress.
    ///   - findLibrary: Returns the library to select from, on another thread; nil for none.
    /// - Returns: The status.
    /// - Throws: `cancelled`.
    package func authorize(
        _ request: AuthorizationRequest,
        at desk: QuestionDesk,
        library findLibrary: @escaping @Sendable () throws(LibraryError) -> SelectableLibrary?
    ) throws(LibraryError) -> AuthorizationReply {
        let level = request.level ?? identity.firstLevel
        // A choice at any level answers the question of the first use.
        let known = request.level == nil ? AccessLevel.allCases : [level]
        let choice = Result { () throws(LibraryError) in try self.choice() }
        if case .success(let choice) = choice,
            known.contains(where: { choice.status(for: $0) != .notDetermined })
        {
            return AuthorizationReply(status: choice.status(for: level))
        }
        let key = QuestionDesk.Key.permission(program: identity.identifier, level)
        let answer = try desk.answer(to: key) { () throws(LibraryError) in
            let reply = self.request(level, asker: desk.findAsker(), library: findLibrary)
            try CallContext.current?.checkCancellation()
            return .permission(reply)
        }
        guard case .permission(let reply) = answer else { throw .cancelled }
        return reply
    }

    /// Lets the user change which assets the program may see, and waits for the answer.
    ///
    /// Does nothing unless the program's access is limited.
    ///
    /// - Parameters:
    ///   - desk: The questions in progress.
    ///   - library: The UUID of the library.
    ///   - load: Returns the library to select from, on another thread.
    /// - Returns: The UUIDs of the assets that were added, newest first.
    /// - Throws: `accessDenied` if the user cannot be asked, `cancelled`, and errors of `load` and
    ///   of the choices.
    package func select(
        at desk: QuestionDesk,
        library: String,
        loading load: @escaping @Sendable () throws(LibraryError) -> SelectableLibrary
    ) throws(LibraryError) -> [String] {
        guard permission(at: .readWrite).status == .limited else { return [] }
        let key = QuestionDesk.Key.selection(program: identity.identifier, library: library)
        let answer = try desk.answer(to: key) { () throws(LibraryError) in
            guard let asker = desk.findAsker() else { throw self.refusalOfAsking }
            let library = try load()
            let added = try self.changeSelection(in: library, asker: asker)
            return .selection(library.assets.map(\.uuid).filter(added.contains))
        }
        guard case .selection(let added) = answer else { throw .cancelled }
        return added
    }

    /// The error for a selection request when neither a terminal nor a desktop is available.
    private var refusalOfAsking: LibraryError {
        LibraryError(
            .accessDenied,
            "The user cannot be asked which photos \(identity.quotedName) may see.",
            reason: "There is neither a foreground terminal nor a desktop with dialogs.",
            recovery: "Run photos access limit \(identity.shellWord) with the identifiers."
        )
    }
}
