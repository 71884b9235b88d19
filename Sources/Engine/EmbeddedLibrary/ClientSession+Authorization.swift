internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import ProgramAccess

/// The calls by which the client reads its permission and requests more.
///
/// The engine determines the permission; the client's requests contain no claims about it.
extension ClientSession {
    func authorizationStatus(_ request: AuthorizationStatusRequest) throws(LibraryError)
        -> AuthorizationStatusReply
    {
        try call {
            program?.permission(at: request.level) ?? AuthorizationStatusReply(status: .authorized)
        }
    }

    func requestAuthorization(_ request: AuthorizationRequest) throws(LibraryError)
        -> AuthorizationReply
    {
        try call {
            guard let program else { return AuthorizationReply(status: .authorized) }
            let engine = engine
            return try asking { () throws(LibraryError) in
                try program.authorize(request, at: client.desk) { () throws(LibraryError) in
                    try engine.selectable()
                }
            }
        }
    }

    func limitedSelection() throws(LibraryError) -> LimitedSelectionReply {
        try call {
            guard case .some(let uuids) = view.access.state.access.assets else {
                return LimitedSelectionReply(assetUUIDs: nil)
            }
            let visible = try view.read { reading in try uuids.filter { try reading.permits($0) } }
            return LimitedSelectionReply(assetUUIDs: visible.sorted())
        }
    }

    func changeSelection() throws(LibraryError) -> SelectionChangeReply {
        try call {
            guard let program else { return SelectionChangeReply() }
            let engine = engine
            let library = try store.libraryUUID()
            let added = try asking { () throws(LibraryError) in
                try program.select(at: client.desk, library: library) { () throws(LibraryError) in
                    try engine.selectable()
                }
            }
            return SelectionChangeReply(added: added)
        }
    }

    /// Waits for an answer of the user, until the call is canceled or the session is closed.
    private func asking<Result>(
        _ body: () throws(LibraryError) -> Result
    ) throws -> Result {
        try calls.run(nil) { closing in
            let outer = CallContext.current?.cancellation
            let cancellation = CallCancellation()
            let number = closing.onCancel { cancellation.cancel() }
            defer { closing.forget(number) }
            var context = CallContext.current ?? CallContext()
            context.cancellation = cancellation
            func wait() -> Swift.Result<Result, LibraryError> {
                Swift.Result { () throws(LibraryError) in try context.perform(body) }
            }
            let answer = outer?.withHandler({ cancellation.cancel() }, while: wait) ?? wait()
            return try answer.get()
        }
    }
}
