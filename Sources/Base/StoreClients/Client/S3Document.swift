/// An XML answer of S3, reduced to the leaf elements of its records.
///
/// A record is the root element itself, or one of its children with a given name. It contains the
/// text of its own leaf elements, keyed by their names.
package struct S3Document: Sendable {
    /// The name of the root element.
    package var root: String
    /// The text of the root element's leaf elements, keyed by element name.
    package var fields: [String: String] = [:]
    /// The text of each record's leaf elements, keyed by element name, in document order.
    package var records: [[String: String]] = []

    /// Parses a document whose records are named `record`; returns nil for malformed documents.
    ///
    /// If a name occurs several times in a record, the first leaf element counts. Elements that are
    /// nested more deeply are skipped.
    package init?(_ bytes: [UInt8], records record: String? = nil) {
        var reader = XMLPullReader(bytes)
        guard case .start(let root)? = try? reader.next() else { return nil }
        self.root = root
        var path: [String] = []
        var text = ""
        var current: [String: String]?
        do {
            while let event = try reader.next() {
                switch event {
                case .start(let name):
                    path.append(name)
                    text = ""
                    if path.count == 1, name == record { current = [:] }
                case .text(let piece): text += piece
                case .end(let name):
                    if path.count == 1, let finished = current {
                        records.append(finished)
                        current = nil
                    } else if path.count == 1, fields[name] == nil {
                        fields[name] = text
                    } else if path.count == 2, current?[name] == nil {
                        current?[name] = text
                    }
                    // Empty after the root's end.
                    _ = path.popLast()
                    text = ""
                }
            }
        } catch {
            return nil
        }
    }
}
