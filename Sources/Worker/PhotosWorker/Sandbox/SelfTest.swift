internal import CLinuxShim
internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Confines the process and tries what must be impossible then.
enum SelfTest {
    /// 0 when everything was denied, 1 otherwise.
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
