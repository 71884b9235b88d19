internal import Glibc

/// Locates the worker's executable.
///
/// The search order is: the configured path, `$PHOTOS_WORKER`, the folder of the running program,
/// `libexec/swift-photos` in the folder above it, the folder of a running test bundle, and
/// `libexec/swift-photos` under `/usr/local` and `/usr`.
package struct WorkerLocator {
    package static let name = "photos-worker"

    /// The path of the running program, with links resolved.
    package var program: String?
    /// The command line arguments, which may name a test bundle.
    package var arguments: [String]
    /// The environment; only `PHOTOS_WORKER` is used.
    package var environment: [String: String]
    /// Indicates whether an executable regular file exists at a path.
    package var isExecutable: @Sendable (String) -> Bool

    package init(
        program: String?,
        arguments: [String],
        environment: [String: String],
        isExecutable: @escaping @Sendable (String) -> Bool
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.isExecutable = isExecutable
    }

    /// Creates a locator for this process.
    package static func current() -> WorkerLocator {
        var environment: [String: String] = [:]
        if let value = getenv("PHOTOS_WORKER") {
            environment["PHOTOS_WORKER"] = String(cString: value)
        }
        return WorkerLocator(
            program: programPath(),
            arguments: CommandLine.arguments,
            environment: environment,
            isExecutable: { path in
                var status = stat()
                return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                    && access(path, X_OK) == 0
            }
        )
    }

    /// Returns the path of the worker; the error lists the searched paths.
    package func locate(configured: String?) throws(WorkerError) -> String {
        if let configured {
            guard isExecutable(configured) else { throw .missing(searched: [configured]) }
            return configured
        }
        if let path = environment["PHOTOS_WORKER"], !path.isEmpty {
            guard isExecutable(path) else {
                throw .missing(searched: ["\(path) (PHOTOS_WORKER)"])
            }
            return path
        }
        let places = candidates
        guard let found = places.first(where: isExecutable) else {
            throw .missing(searched: places)
        }
        return found
    }

    /// Returns the path of a program that is installed beside the worker; nil if it is missing.
    ///
    /// If the environment variable is set, only the path in it is checked.
    package func locate(companion name: String, variable: String? = nil) -> String? {
        if let value = variable.flatMap({ getenv($0) }), value.pointee != 0 {
            let path = String(cString: value)
            return isExecutable(path) ? path : nil
        }
        return candidates.map { $0.dropLast(Self.name.count) + name }.first(where: isExecutable)
    }

    var candidates: [String] {
        var places: [String] = []
        func add(_ path: String) {
            if !places.contains(path) { places.append(path) }
        }
        if let program {
            let folder = Self.folder(of: program)
            add("\(folder)/\(Self.name)")
            add("\(Self.folder(of: folder))/libexec/swift-photos/\(Self.name)")
        }
        // A tool of the toolchain runs a test bundle and receives the bundle's path as an argument.
        // The worker is next to the bundle.
        for argument in arguments where argument.hasSuffix(".xctest") && argument.hasPrefix("/") {
            add("\(Self.folder(of: argument))/\(Self.name)")
        }
        add("/usr/local/libexec/swift-photos/\(Self.name)")
        add("/usr/libexec/swift-photos/\(Self.name)")
        return places
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "" }
        return String(path[..<slash])
    }

    private static func programPath() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return readlink(
                "/proc/self/exe",
                start.assumingMemoryBound(to: CChar.self),
                bytes.count
            )
        }
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
