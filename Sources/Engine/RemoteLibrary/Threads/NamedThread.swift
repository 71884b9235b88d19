internal import CLinuxShim
internal import Glibc

/// Creates threads that may block, unlike the threads of Swift concurrency and Dispatch.
package enum NamedThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread that runs a closure and then ends.
    ///
    /// - Parameters:
    ///   - name: The name in debuggers, at most 15 bytes.
    ///   - body: The work of the thread.
    /// - Returns: False if the system has reached its limit of threads; the closure is then not
    ///   run.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(name, body))
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let error = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                cphotos_name_thread(start.name)
                start.body()
                return nil
            },
            start.toOpaque()
        )
        if error != 0 { start.release() }
        return error == 0
    }
}
