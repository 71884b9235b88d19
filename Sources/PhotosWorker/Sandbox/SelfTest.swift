internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Confines the process and tries what must be impossible then.
enum SelfTest {
    /// 0 when everything was denied, 1 otherwise.
    static func run() -> Int32 {
        guard Codecs.open() else {
            print("The codecs could not be opened.")
            return 1
        }
        do {
            let report = try Sandbox.enter(.standard)
            var possible = [CChar](repeating: 0, count: 1024)
            ph_try_forbidden(&possible, possible.count)
            let bytes = possible.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let names = String(decoding: bytes, as: UTF8.self)
            print("landlock \(report.landlockABI) seccomp \(report.hasSeccomp)")
            print(names.isEmpty ? "denied" : "possible: \(names)")
            return names.isEmpty ? 0 : 1
        } catch {
            print("Not confined: \(error.reason)")
            return 1
        }
    }
}
