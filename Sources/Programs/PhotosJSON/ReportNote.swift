public import PhotosManagement

/// A remark in a report of an import, about a file or about the import as a whole.
public typealias ReportNote = FileOutcome.Note

extension ReportNote {
    /// Creates a report's remark from a migration's remark.
    public init(_ note: MigrationRemark) {
        self.init(code: note.code, isError: note.isError, text: note.text)
    }

    /// The remark as JSON.
    public var object: JSONObject {
        var object = JSONObject()
        object.add("code", code)
        object.add("level", isError ? "error" : "note")
        object.add("text", text)
        return object
    }
}
