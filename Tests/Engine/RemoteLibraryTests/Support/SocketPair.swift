import CLinuxShim
import Glibc
import LibraryService
import Testing

/// Two connected sockets, which are closed with their owner.
struct SocketPair {
    let first: Descriptor
    let second: Descriptor

    init() throws {
        var numbers: (Int32, Int32) = (-1, -1)
        try #require(cphotos_socket_pair(&numbers.0, &numbers.1) == 0)
        first = Descriptor(owning: numbers.0)
        second = Descriptor(owning: numbers.1)
    }
}

/// Pipes and files that tests pass.
enum TestDescriptors {
    /// Returns a new descriptor of memory with one byte.
    static func memory(_ byte: UInt8, named name: String = "test") throws -> Descriptor {
        let number = cphotos_memory_file(name, 0)
        try #require(number >= 0)
        let memory = Descriptor(owning: number)
        try #require(withUnsafeBytes(of: byte) { pwrite(number, $0.baseAddress, 1, 0) } == 1)
        return memory
    }

    /// Returns the byte of such memory.
    static func byte(of memory: Descriptor) -> UInt8? {
        var byte: UInt8 = 0
        return pread(memory.number, &byte, 1, 0) == 1 ? byte : nil
    }

    /// Returns the number of open descriptors of memory with a name that only one test uses.
    static func openCount(named name: String) -> Int {
        (0..<2_048).filter { number in
            var path = [UInt8](repeating: 0, count: 64)
            let count = path.withUnsafeMutableBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    bytes.baseAddress.map { readlink("/proc/self/fd/\(number)", $0, bytes.count) }
                        ?? -1
                }
            }
            return String(decoding: path.prefix(max(0, count)), as: UTF8.self)
                .hasPrefix("/memfd:\(name) ")
        }.count
    }
}
