/// The permission to make renditions in the background, for a slice of time.
package struct RenditionPermit: Sendable {
    package enum Answer: Sendable {
        /// The caller may begin, and calls `end` after the slice.
        case granted
        /// The caller may not begin at present, and has to ask again later.
        case later
        /// Another process makes the renditions of all assets.
        case elsewhere
    }

    /// Asks for a slice of time.
    package var begin: @Sendable () -> Answer
    /// Ends a slice that was granted.
    package var end: @Sendable () -> Void

    package init(
        begin: @escaping @Sendable () -> Answer,
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.begin = begin
        self.end = end
    }

    /// Grants every slice.
    package static let always = RenditionPermit { .granted }
}
