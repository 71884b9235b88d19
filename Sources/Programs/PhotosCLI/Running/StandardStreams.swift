import Glibc

/// Ensures that the three standard streams are open, as every program expects.
enum StandardStreams {
    /// Opens `/dev/null` in place of each standard stream that the caller closed, as in `photos
    /// list >&-`.
    ///
    /// It is opened so that reading from standard input and writing to the others still fail.
    /// Otherwise the next opened file would get the closed stream's number, and results might be
    /// written to it.
    static func hold() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor, which is this one.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
