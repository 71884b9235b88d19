/// The reason why bytes of an archive cannot be read, as text for users.
package struct ArchiveProblem: Error, Hashable {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }

    static let truncated = ArchiveProblem("The archive is truncated. Download this part again.")
    static let damaged = ArchiveProblem("The archive is damaged. Download this part again.")
}
