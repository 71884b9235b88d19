package import PhotoModel

extension LibraryError {
    /// Returns the error with the number and name of its change request prepended to the message.
    package func ofRequest(
        _ number: Int,
        of count: Int,
        named request: String
    ) -> LibraryError {
        var error = self
        error.message = "Change request \(number) of \(count) (\(request)): \(message)"
        return error
    }
}

extension ChangeSet {
    /// Returns an error whose message also names the change request that added a file.
    ///
    /// Errors that concern the whole change are returned unchanged.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - file: The file.
    /// - Returns: The error, with the number and name of the request.
    package func named(_ error: LibraryError, file: FileToken) -> LibraryError {
        // These concern the whole change.
        guard ![.readOnly, .connectionLost, .busy].contains(error.code) else { return error }
        let position = operations.firstIndex { operation in
            operation.action.resources.contains { $0.file == file }
        }
        guard let position else { return error }
        return error.ofRequest(
            position + 1,
            of: operations.count,
            named: operations[position].request
        )
    }
}
