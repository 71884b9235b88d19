package import Foundation

/// Starts programs of tests by the system's own call.
package enum ProgramStart {
    /// The process group of a program.
    package enum Group {
        /// That of the tests.
        case ofTests
        /// One of its own, so that Ctrl-C ends the tests first.
        case own
        /// One of its own, in a session of its own.
        case session

        fileprivate var flags: Int32 {
            switch self {
            case .ofTests: 0
            case .own: Int32(POSIX_SPAWN_SETPGROUP)
            // POSIX_SPAWN_SETSID, which Swift does not see.
            case .session: 0x80
            }
        }
    }

    /// Starts a program with exactly these variables.
    ///
    /// No signal is blocked or ignored in it, as it is in threads of the tests.
    ///
    /// - Parameters:
    ///   - program: The path of the executable.
    ///   - words: The arguments, the first of which is the program's name.
    ///   - environment: The variables.
    ///   - group: The process group.
    ///   - prepare: Adds what is done with descriptors.
    /// - Returns: The number of the process, which the caller has to wait for.
    /// - Throws: When the program cannot be started.
    package static func spawn(
        _ program: String,
        _ words: [String],
        environment: [String: String],
        group: Group = .ofTests,
        _ prepare: (inout posix_spawn_file_actions_t) throws -> Void = { _ in }
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        try prepare(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        var ignored = sigset_t()
        sigemptyset(&ignored)
        sigaddset(&ignored, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | group.flags
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, &attributes, words, variables)
        guard failure == 0 else {
            throw CocoaError(
                .executableNotLoadable,
                userInfo: [
                    NSFilePathErrorKey: program,
                    NSLocalizedDescriptionKey: String(cString: strerror(failure)),
                ]
            )
        }
        return process
    }
}
