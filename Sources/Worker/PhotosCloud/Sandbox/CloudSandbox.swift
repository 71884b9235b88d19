internal import CSandboxShim
internal import Glibc
internal import ObjectStorage
internal import StoreProtocol
internal import WorkerProtocol

/// Restricts this process to the access that the cloud store needs.
///
/// For a bucket, the network remains accessible, and so do the files for resolving host names and
/// verifying certificates. For a directory, only the directory remains accessible.
enum CloudSandbox {
    /// The files and folders with the trusted certificate authorities in Linux distributions.
    private static let authorities = [
        "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/certs",
        "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust", "/etc/ca-certificates",
        "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
        "/usr/share/pki/ca-trust-source", "/var/lib/ca-certificates",
    ]
    /// The files and folders that are read to resolve host names.
    ///
    /// Programs that manage `/etc/resolv.conf` write the file to one of the folders.
    private static let resolver = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
        "/etc/services", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager",
        "/run/connman",
    ]
    private static let maximumMemory: UInt64 = 8 << 30
    private static let maximumDescriptors: UInt64 = 512

    /// Enters the sandbox; must be called while the process has only one thread.
    ///
    /// - Throws: ``ObjectStoreError`` if the kernel cannot confine the process, unless that is
    ///   allowed.
    static func enter(
        _ place: StorePlace,
        allowsUnconfined: Bool
    ) throws(ObjectStoreError) -> SandboxReport {
        signal(SIGXFSZ, SIG_IGN)
        guard cphotos_limit_resources(maximumMemory, maximumDescriptors, UInt64(Int64.max)) == 0
        else { throw .notConfined("Its resources cannot be limited: \(words(errno)).") }
        guard cphotos_drop_privileges() == 0 else {
            throw .notConfined("Privileges cannot be dropped: \(words(errno)).")
        }
        // Landlock applies to the calling thread and to threads that it starts later.
        let threads = cphotos_thread_count()
        guard threads == 1 || allowsUnconfined else {
            throw .notConfined("It has \(threads) threads before it is confined.")
        }
        let (readable, writable, hasNetwork) = access(place)
        let abi = strings(readable) { readable in
            strings(writable) { cphotos_confine_store_files(readable, $0, hasNetwork ? 1 : 0) }
        }
        guard abi > 0 || allowsUnconfined else {
            throw .notConfined("The kernel has no Landlock, an old one, or it is disabled.")
        }
        let code = cphotos_confine_store_calls(hasNetwork ? 1 : 0)
        guard code == 0 || allowsUnconfined else {
            throw .notConfined("The kernel refuses a seccomp filter: \(words(code)).")
        }
        return SandboxReport(landlockABI: Int(abi), hasSeccomp: code == 0)
    }

    private static func access(
        _ place: StorePlace
    ) -> (readable: [String], writable: [String], hasNetwork: Bool) {
        switch place {
        case .s3(let place):
            (authorities + resolver + [place.authorityFile].compactMap(\.self), [], true)
        case .directory(let path, _): ([], [path], false)
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

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
