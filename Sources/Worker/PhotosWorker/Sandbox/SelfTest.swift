internal import CLinuxShim
internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// A test that enters the sandbox and tries operations that must fail there.
enum SelfTest {
    /// Runs the test; returns 0 if everything was denied, otherwise 1.
    static func run(converts: Bool) -> Int32 {
        guard Codecs.open() else {
            print("The codecs could not be opened.")
            return 1
        }
        do {
            var limits = WorkerLimits.standard
            if converts { limits.maximumOutputInBytes = 1 << 30 }
            let report = try Sandbox.enter(limits)
            var possible = [CChar](repeating: 0, count: 1024)
            cphotos_try_forbidden(&possible, possible.count)
            let bytes = possible.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            var names = String(decoding: bytes, as: UTF8.self)
            if cphotos_memory_file("forbidden", 0) >= 0 { names += "memory-file" }
            print("landlock \(report.landlockABI) seccomp \(report.hasSeccomp)")
            print(names.isEmpty ? "denied" : "possible: \(names)")
            return names.isEmpty ? 0 : 1
        } catch {
            print("Not confined: \(error)")
            return 1
        }
    }
}
