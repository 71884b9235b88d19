/// The reason why bytes of an archive cannot be read, as text for users.
package struct ArchiveProblem: Error, Hashable {
    package var reason: String
    /// Indicates whether the archive has wrong bytes, and not only too few.
    package var isDamage: Bool

    package init(_ reason: String, isDamage: Bool = false) {
        self.reason = reason
        self.isDamage = isDamage
    }

    static let truncated = ArchiveProblem("The archive is truncated. Download this part again.")
    static let damaged = ArchiveProblem(
        "The archive is damaged. Download this part again.",
        isDamage: true
    )
}
