internal import CLinuxShim
internal import Glibc

/// A reference to a process that stays unambiguous even if the process number is reused.
///
/// Holds a descriptor of the process until it is released.
package final class PeerProcess: Sendable {
    /// The process number in this program's PID namespace.
    package let processID: Int32
    private let descriptor: Int32

    /// Takes ownership of a descriptor of a process.
    init?(descriptor: Int32) {
        // The kernel tells which process it is: -1 for one that ended, 0 for an invisible one.
        guard let number = Self.number(of: descriptor), number > 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        processID = number
    }

    /// Opens the process that currently has a process number.
    init?(processID: Int32) {
        guard processID > 0 else { return nil }
        let descriptor = cphotos_open_process(processID)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.processID = processID
    }

    deinit { close(descriptor) }

    /// Indicates whether the process has ended, at the cost of one system call.
    package var hasEnded: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&request, 1, 0)
            if count < 0, errno == EINTR { continue }
            return count != 0
        }
    }

    private static func number(of descriptor: Int32) -> Int32? {
        guard let text = ProcessFolder.text("/proc/self/fdinfo/\(descriptor)", limit: 4096) else {
            return nil
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pid:") }
        return line?.dropFirst(4).split(whereSeparator: \.isWhitespace).first.flatMap { Int32($0) }
    }
}
