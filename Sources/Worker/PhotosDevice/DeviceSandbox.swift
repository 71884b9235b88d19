internal import CSandboxShim
internal import Glibc
internal import WorkerProtocol

/// Removes from this process all access that reading a device does not require.
///
/// Drivers need their libraries, the descriptions of USB devices and the devices themselves. The
/// process can neither use the network, nor run programs, nor read users' folders, and it can write
/// only to USB devices.
enum DeviceSandbox {
    /// The folders with libraries, drivers and descriptions of devices.
    private static let readable = ["/usr", "/lib", "/lib64", "/etc", "/sys", "/run/udev"]
    private static let devices = ["/dev/bus/usb"]
    /// The maximum memory in bytes; some drivers keep a whole file in memory.
    private static let maximumMemory: UInt64 = 8 << 30
    private static let maximumDescriptors: UInt64 = 256

    /// Enters the sandbox; `folder` is an additional folder that may be read.
    static func enter(folder: String?) throws(DeviceFailure) -> SandboxReport {
        signal(SIGXFSZ, SIG_IGN)
        guard cphotos_limit_resources(maximumMemory, maximumDescriptors, UInt64(Int64.max)) == 0
        else { throw refusal("its resources cannot be limited (\(words(errno)))") }
        guard cphotos_drop_privileges() == 0 else {
            throw refusal("privileges cannot be dropped (\(words(errno)))")
        }
        let abi = strings(readable + [folder].compactMap(\.self)) { readable in
            strings(devices) { cphotos_confine_files_to(readable, $0) }
        }
        guard abi > 0 else { throw refusal("the kernel has no Landlock, or it is disabled") }
        let code = cphotos_confine_driver_calls()
        guard code == 0 else {
            throw refusal("the kernel refuses a seccomp filter (\(words(code)))")
        }
        return SandboxReport(landlockABI: Int(abi), hasSeccomp: true)
    }

    /// Enters the sandbox and tries operations that must fail there; returns 0 if all of them
    /// failed.
    static func test(home: String) -> Int32 {
        do {
            let report = try enter(folder: nil)
            var possible = [CChar](repeating: 0, count: 1024)
            cphotos_try_forbidden_to_drivers(home, &possible, possible.count)
            let bytes = possible.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let names = String(decoding: bytes, as: UTF8.self)
            print("landlock \(report.landlockABI) seccomp \(report.hasSeccomp)")
            print(names.isEmpty ? "denied" : "possible: \(names)")
            return names.isEmpty ? 0 : 1
        } catch {
            print("Not confined: \(error.words)")
            return 1
        }
    }

    /// Calls `body` with an array of C strings that ends with a null pointer.
    private static func strings<Result>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var pointers = copies.map { UnsafePointer($0) } + [nil]
        return body(&pointers)
    }

    private static func refusal(_ reason: String) -> DeviceFailure {
        DeviceFailure(.process, "photos-device cannot be confined: \(reason)")
    }

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
