import CLinuxShim
import Foundation
import Glibc
import TestSupport
import Testing
import WorkerClient

@Suite(.timeLimit(.minutes(1)))
struct SandboxTests {
    private func worker() throws -> String {
        try WorkerLocator.current().locate(configured: nil)
    }

    /// The worker confines itself as it does when serving.
    ///
    /// It then tries to open and create files, create sockets, fork, run a program, trace, send
    /// signals and get executable memory.
    @Test(arguments: [[], ["--converting"]])
    func nothingForbiddenIsPossible(_ options: [String]) throws {
        let output = try ProcessRunner.run(worker(), ["--self-test"] + options)
        #expect(output.status == 0, "\(output.text)")
        #expect(output.lines.last == "denied")
        let marker = "/tmp/photos-worker-was-here"
        #expect(!FileManager.default.fileExists(atPath: marker))
    }

    @Test func aWorkerEndsWithItsHost() throws {
        var host: Int32 = -1
        var other: Int32 = -1
        try #require(cphotos_socket_pair(&host, &other) == 0)
        let path = try worker()
        var process: pid_t = -1
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), strdup("--serve"), nil]
        let library = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
        var environment: [UnsafeMutablePointer<CChar>?] = [
            strdup("LD_LIBRARY_PATH=\(library)"), nil,
        ]
        defer { for text in arguments + environment { free(text) } }
        try #require(cphotos_spawn(path, &arguments, &environment, other, -1, &process) == 0)
        close(other)
        close(host)
        var status: Int32 = -1
        #expect(waitpid(process, &status, 0) == process)
        #expect(status == 0)
    }
}
