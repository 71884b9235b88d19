import Foundation
import Glibc

/// A server that does nothing but hand out the files of a folder: nginx, else Python's.
final class FilePeer {
    let name: String
    let port: UInt16
    private let process = Process()

    /// Starts one, and waits until it listens.
    init(serving folder: URL, in work: URL) throws {
        port = try Self.freePort()
        if ThumbnailTools.has("/usr/sbin/nginx") {
            name = "nginx"
            let settings = work.appendingPathComponent("nginx.conf")
            try Data(Self.settings(port: port, folder: folder, work: work).utf8).write(to: settings)
            process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
            process.arguments = ["-p", work.path, "-c", settings.path, "-e", work.path + "/errors"]
        } else {
            name = "Python's http.server"
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = [
                "-m", "http.server", "--protocol", "HTTP/1.1", "--bind", "127.0.0.1", "-d",
                folder.path, "\(port)",
            ]
        }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 20)
        while true {
            if (try? LoadClient(port: port)) != nil { return }
            guard process.isRunning, Date() < deadline else {
                throw BenchmarkError(description: "\(name) does not listen.")
            }
            usleep(20_000)
        }
    }

    /// Ends it.
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

    /// One worker, which is the whole of what it does for a file: open, send.
    private static func settings(port: UInt16, folder: URL, work: URL) -> String {
        """
        daemon off;
        worker_processes 1;
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
