/// Knows what a program has of one library.
package final class LibraryMonitor: Sendable {
    /// What the program has of the library.
    package let register = LiveRegister()

    init() {}
}
