package import FoundationEssentials

/// The author and the time of changes that were first made elsewhere and are only recorded here.
package struct RemoteOrigin: Hashable, Sendable {
    package var author: String
    package var time: Date
    package init(author: String, time: Date) {
        self.author = author
        self.time = time
    }
}
