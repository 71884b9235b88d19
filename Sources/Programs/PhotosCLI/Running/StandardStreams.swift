import Glibc

/// The three descriptors that every program expects to be open.
enum StandardStreams {
    /// Opens those that the caller closed (`photos list >&-`), in a direction that cannot be used.
    ///
    /// Otherwise the next file that is opened gets their number, and results are written into it.
    static func hold() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is the one that was looked at.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
