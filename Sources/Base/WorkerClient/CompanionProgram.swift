internal import CLinuxShim
internal import Glibc

/// A launcher that starts other programs of this package with a socket and almost no environment
/// variables.
package enum CompanionProgram {
    /// Starts the program at a path with one argument and with a socket as its standard input.
    ///
    /// - Parameters:
    ///   - path: The path of the executable.
    ///   - argument: Its argument.
    ///   - variables: Its environment, besides the path of the Swift runtime.
    ///   - names: The variables that it inherits if they are set.
    ///   - socket: The socket, which the caller keeps.
    ///   - process: The identifier of the new process.
    /// - Returns: 0, or an errno.
    package static func start(
        _ path: String,
        _ argument: String,
        variables: [String] = [],
        inheriting names: [String] = [],
        socket: Int32,
        process: inout Int32
    ) -> Int32 {
        var variables = ["LANG=C.UTF-8", "PATH=/usr/bin:/bin"] + variables
        for name in ["LD_LIBRARY_PATH"] + names {
            if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), strdup(argument), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer {
            for text in arguments + environment { free(text) }
        }
        return cphotos_spawn(path, &arguments, &environment, socket, -1, &process)
    }
}
