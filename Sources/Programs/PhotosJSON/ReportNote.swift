public import PhotosManagement

/// A remark in a report of an import.
public struct ReportNote: Sendable, Hashable {
    /// The kind of the remark, which is the same in all languages and versions.
    public var code: String
    /// Indicates whether the import was incomplete because of it.
    public var isError: Bool
    /// The remark for users.
    public var text: String

    /// Creates a remark.
    public init(code: String, isError: Bool, text: String) {
        self.code = code
        self.isError = isError
        self.text = text
    }

    /// Creates a remark about a file.
    public init(_ note: FileOutcome.Note) {
        self.init(code: note.code, isError: note.isError, text: note.text)
    }

    /// Creates a remark about an item of a library.
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
