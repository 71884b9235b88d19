internal import CSandboxShim
internal import Glibc
internal import ObjectStorage
internal import StoreProtocol
internal import WorkerProtocol

/// A test that enters the sandbox and tries operations that must fail there.
enum SelfTest {
    /// Runs the test.
    ///
    /// The first argument is a folder to which access must be denied. The optional second argument
    /// is the directory of a store; without it, the test uses the sandbox for a bucket.
    ///
    /// - Returns: 0 if everything was denied, otherwise 1.
    static func run(_ arguments: [String]) -> Int32 {
        guard let folder = arguments.first else {
            print("The folder that must be denied is missing.")
            return 1
        }
        let directory = arguments.dropFirst().first
        do throws(ObjectStoreError) {
            let report = try CloudSandbox.enter(
                directory.map { .directory(path: $0, marker: nil) } ?? bucket,
                allowsUnconfined: false
            )
            var possible = [CChar](repeating: 0, count: 1024)
            cphotos_try_forbidden_to_stores(
                folder,
                directory == nil ? 1 : 0,
                &possible,
                possible.count
            )
            let bytes = possible.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let names = String(decoding: bytes, as: UTF8.self)
            print("landlock \(report.landlockABI) seccomp \(report.hasSeccomp)")
            print("\(folder): \(reason(of: folder))")
            print(names.isEmpty ? "denied" : "possible: \(names)")
            return names.isEmpty ? 0 : 1
        } catch {
            print("Not confined: \(error)")
            return 1
        }
    }

    /// The bucket for the test, to which no connection is made.
    private static let bucket = StorePlace.s3(
        S3Place(
            endpoint: "https://localhost",
            region: "none",
            bucket: "none",
            credentials: S3Credentials(accessKey: "none", secretKey: "none")
        )
    )

    /// Returns the reason why a folder cannot be opened, or `open` if it can.
    private static func reason(of folder: String) -> String {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor < 0 ? String(cString: strerror(errno)) : "open"
    }
}
