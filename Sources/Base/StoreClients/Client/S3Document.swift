/// The XML answers of S3, reduced to what is needed: records of leaf elements.
///
/// A record is the root element itself, or one of its children with a given name. It contains the
/// text of its own leaves by their names.
package struct S3Document: Sendable {
    /// The name of the root element.
    package var root: String
    /// The leaves of the root element.
    package var fields: [String: String] = [:]
    /// The records, in order.
    package var records: [[String: String]] = []

    /// Reads a document whose records have the name `record`; nil for other bytes.
    ///
    /// The first of several leaves with one name counts. Elements that are nested more deeply are
    /// skipped.
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
