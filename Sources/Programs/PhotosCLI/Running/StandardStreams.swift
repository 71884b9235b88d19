import Glibc

/// The three standard descriptors, which every program expects to be open.
enum StandardStreams {
    /// Opens those that the caller closed (`photos list >&-`), in the direction in which they are
    /// not used.
    ///
    /// Otherwise the next opened file would get their number, and results would be written to it.
    static func hold() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor, which is this one.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
