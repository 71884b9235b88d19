package import LibraryService
package import PhotoModel

extension ClientProgram {
    /// Asks the user for permission if no choice exists yet, and waits for the answer.
    ///
    /// At most one question at a time is shown to a user, across all programs. A cancellation of
    /// the current `CallContext` withdraws the question.
    ///
    /// - Parameters:
    ///   - level: The requested access level.
    ///   - findAsker: The means of asking the user; nil when none is available.
    ///   - findLibrary: Returns the UUID and the assets of the library to select from. It is called
    ///     only for a selection. If it returns nil, since there is no library, or fails, nothing is
    ///     selected. The reply's remark then has the reason of the failure.
    /// - Returns: The status. `denied` when the user did not answer; the stored status then remains
    ///   undetermined.
    package func request(
        _ level: AccessLevel,
        asker findAsker: @autoclosure () -> (any PersonAsker)?,
        library findLibrary: () throws(LibraryError) -> SelectableLibrary?
    ) -> AuthorizationReply {
        do throws(LibraryError) {
            let known = try choice().status(for: level)
            guard known == .notDetermined else { return AuthorizationReply(status: known) }
            try store.prepareFolder()
            let turn = try store.turnToAsk()
            defer { withExtendedLifetime(turn) {} }
            try CallContext.current?.checkCancellation()
            // Another program may have asked in the meantime.
            let present = try choice().status(for: level)
            guard present == .notDetermined else { return AuthorizationReply(status: present) }
            guard let asker = findAsker() else {
                return unanswered(level, "There is no terminal or dialog to ask")
            }
            let question = PermissionQuestion(program: identity, level: level)
            let answer = asker.answer(to: question)
            try CallContext.current?.checkCancellation()
            switch answer {
            case .everything: return try record(.authorized, level, selection: nil)
            case .nothing: return try record(.denied, level, selection: nil)
            case .selection:
                let library: SelectableLibrary
                do throws(LibraryError) {
                    guard let found = try findLibrary() else {
                        return try record(.limited, level, selection: nil)
                    }
                    library = found
                } catch {
                    var reply = try record(.limited, level, selection: nil)
                    reply.remark = error.description
                    return reply
                }
                let wanted = SelectionQuestion(program: identity, assets: library.assets)
                let picked = asker.selection(for: wanted)
                try CallContext.current?.checkCancellation()
                guard let picked else {
                    return unanswered(level, "The user did not answer the question")
                }
                return try record(
                    .limited,
                    level,
                    selection: (library: library.uuid, uuids: picked)
                )
            case nil: return unanswered(level, "The user did not answer the question")
            }
        } catch {
            return AuthorizationReply(status: .denied, remark: error.description)
        }
    }

    private func unanswered(_ level: AccessLevel, _ why: String) -> AuthorizationReply {
        let wish = level == .addOnly ? "add to" : "use"
        return AuthorizationReply(
            status: .denied,
            remark: "\(why) whether \(identity.quotedName) may \(wish) the photo library."
                + " To allow it, run: \(remedy)\(level == .addOnly ? " --add-only" : "")"
        )
    }

    private func record(
        _ status: AccessStatus,
        _ level: AccessLevel,
        selection: (library: String, uuids: Set<String>)?
    ) throws(LibraryError) -> AuthorizationReply {
        try store.change(identity.identifier) { choice in
            choice.name = identity.name
            choice.set(status, for: level)
            if let selection { choice.selections[selection.library] = selection.uuids }
        }
        return AuthorizationReply(status: status)
    }

    /// Lets the user change which assets a program with limited access may see in a library, and
    /// waits for the answer.
    ///
    /// A cancellation of the current `CallContext` withdraws the question.
    ///
    /// - Returns: The UUIDs that were added; empty when the user did not answer.
    /// - Throws: When the choices cannot be read or written, and `cancelled`.
    package func changeSelection(
        in library: SelectableLibrary,
        asker: any PersonAsker
    ) throws(LibraryError) -> Set<String> {
        try store.prepareFolder()
        let turn = try store.turnToAsk()
        defer { withExtendedLifetime(turn) {} }
        try CallContext.current?.checkCancellation()
        let before = try choice().selections[library.uuid] ?? []
        let assets = library.assets.map { asset in
            var asset = asset
            asset.isSelected = before.contains(asset.uuid)
            return asset
        }
        let question = SelectionQuestion(program: identity, assets: assets)
        let picked = asker.selection(for: question)
        try CallContext.current?.checkCancellation()
        guard let picked else { return [] }
        // Assets that were not offered (hidden, deleted) keep their selection.
        let offered = Set(assets.map(\.uuid))
        try store.change(identity.identifier) { choice in
            guard choice.readWrite == .limited else { return }
            let kept = (choice.selections[library.uuid] ?? []).subtracting(offered)
            choice.selections[library.uuid] = kept.union(picked)
        }
        return picked.subtracting(before)
    }
}

/// A library whose assets the user can select for a program.
package struct SelectableLibrary: Hashable, Sendable {
    package var uuid: String
    /// The assets, newest first.
    package var assets: [SelectableAsset]

    package init(uuid: String, assets: [SelectableAsset]) {
        self.uuid = uuid
        self.assets = assets
    }
}
