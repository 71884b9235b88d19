import CLinuxShim
import Glibc
import LibraryService
import Testing

/// Files in memory that tests pass.
enum TestMemory {
    /// Returns a descriptor of memory with one byte.
    static func descriptor(_ byte: UInt8, named name: String = "daemon-test") throws -> Descriptor {
        let number = cphotos_memory_file(name, 0)
        try #require(number >= 0)
        let memory = Descriptor(owning: number)
        try #require(withUnsafeBytes(of: byte) { pwrite(number, $0.baseAddress, 1, 0) } == 1)
        return memory
    }

    /// Returns the number of open descriptors of memory with a name.
    static func openCount(named name: String) -> Int {
        (0..<4_096).filter { link(of: $0).hasPrefix("/memfd:\(name) ") }.count
    }

    private static func link(of number: Int) -> String {
        var path = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/self/fd/\(number)", &path, path.count)
        return String(
            decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
    }
}
