import Foundation
import Glibc

/// nginx as a server that only sends the files of a folder.
///
/// It has no replacement, because a ratio to another server would look the same but mean something
/// else.
final class FilePeer {
    static let name = "nginx"
    private static let program = "/usr/sbin/nginx"

    let port: UInt16
    private let process = Process()

    /// Throws unless nginx is installed.
    static func require() throws {
        guard ThumbnailTools.has(program) else {
            throw BenchmarkError(
                description: "nginx, the peer, is missing: run Scripts/setup --benchmarks."
            )
        }
    }

    /// Starts a server, and waits until it listens.
    init(serving folder: URL, in work: URL) throws {
        port = try Self.freePort()
        let settings = work.appendingPathComponent("nginx.conf")
        try Data(Self.settings(port: port, folder: folder, work: work).utf8).write(to: settings)
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-p", work.path, "-c", settings.path, "-e", work.path + "/errors"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 20)
        while true {
            if (try? LoadClient(port: port)) != nil { return }
            guard process.isRunning, Date() < deadline else {
                throw BenchmarkError(description: "nginx does not listen.")
            }
            usleep(20_000)
        }
    }

    /// The processor time used so far, in seconds.
    var processorTime: Double { ProcessMemory.processorTime(of: process.processIdentifier) }

    /// Stops the server.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    private static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 ? getsockname(socket, address, &length) : -1
            }
        }
        guard status == 0 else { throw BenchmarkError(description: "There is no free port.") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Returns settings for one worker that does nothing but open and send a file.
    private static func settings(port: UInt16, folder: URL, work: URL) -> String {
        """
        daemon off;
        master_process off;
        \(getuid() == 0 ? "user root;" : "")
        pid \(work.path)/nginx.pid;
        error_log \(work.path)/errors;
        events { worker_connections 256; }
        http {
            access_log off;
            sendfile on;
            tcp_nopush on;
            keepalive_requests 1000000;
            default_type image/jpeg;
            client_body_temp_path \(work.path)/body;
            proxy_temp_path \(work.path)/proxy;
            fastcgi_temp_path \(work.path)/fastcgi;
            uwsgi_temp_path \(work.path)/uwsgi;
            scgi_temp_path \(work.path)/scgi;
            server { listen 127.0.0.1:\(port); root \(folder.path); }
        }
        """
    }
}
