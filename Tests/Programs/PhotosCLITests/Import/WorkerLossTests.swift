import Foundation
import Glibc
import SamplePhotos
import TestSupport
import Testing

/// The messages and effects of an import whose workers are terminated or get too little memory.
@Suite(.timeLimit(.minutes(2))) struct WorkerLossTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    private func importing(megabytes: Int) throws -> ProcessRunner.Output {
        let script = #"ulimit -v "$1" && shift && exec "$@""#
        return try ProcessRunner.run(
            "sh",
            [
                "-c", script, "sh", String(megabytes << 10), BuiltProducts.photos.path, "import",
                world.source.path,
            ],
            environment: world.environment.mapValues { $0 as String? },
            folder: world.folder.url
        )
    }

    @Test("A limit of memory is named, never the sandbox", arguments: [250, 1030])
    func tooLittleMemoryIsNamed(_ megabytes: Int) throws {
        try world.photo("IMG_1.JPG")
        let output = try importing(megabytes: megabytes)
        #expect(output.status == 1)
        #expect(output.errorText.contains("address space is limited to \(megabytes) MB"))
        #expect(output.errorText.contains("ulimit -v"))
        #expect(!output.errorText.contains("UNCONFINED"), "\(output.errorText)")
    }

    @Test func aLimitThatIsEnoughIsKept() throws {
        try world.photo("IMG_1.JPG")
        let output = try importing(megabytes: 3000)
        #expect(output.status == 0, "\(output.errorText)")
        #expect(output.text.contains("imported"))
    }

    @Test func filesOfKilledWorkersAreReadByOthers() throws {
        let names = (0..<150).map { "IMG_\($0).JPG" }
        try world.photos(names)
        let process = try world.start("import", "--json", world.source.path)
        process.read(lines: 20)
        let killed = Self.children(of: process.identifier).filter { kill($0, SIGKILL) == 0 }
        process.read()
        #expect(process.wait().status == 0)
        #expect(!killed.isEmpty)
        let outcomes = try process.lines.map(JSONLine.init).outcomes
        #expect(outcomes.count == names.count)
        #expect(outcomes.allSatisfy { $0.value == "imported" })
    }

    @Test(.needsProgram("perl"))
    func theSystemIsNamedAsWhatEndsWorkers() throws {
        try world.photo("IMG_1.JPG")
        let stated = try ProcessRunner.run(BuiltProducts.worker.path, ["--version"]).text
        let version = try #require(stated.split(whereSeparator: \.isWhitespace).last)
        let sandbox = #"{"landlockABI":1,"hasSeccomp":true}"#
        let hello = #"{"hello":{"version":\#(version),"sandbox":\#(sandbox)}}"#
        let script = """
            #!/usr/bin/perl
            open(SOCKET, '+<&=', 0);
            sysread(SOCKET, my $length, 4);
            sysread(SOCKET, my $limits, unpack('N', $length));
            my $hello = '\(hello)';
            syswrite(SOCKET, pack('N', length $hello) . $hello);
            sysread(SOCKET, my $request, 4);
            kill 'KILL', $$;
            sleep 60;
            """
        let worker = try world.program(script, "worker")
        let output = try world.run(
            "import",
            world.source.path,
            variables: ["PHOTOS_WORKER": worker.path]
        )
        #expect(output.status == 1)
        #expect(output.text.contains("ended by the system or another program (SIGKILL)"))
        #expect(output.text.contains("low memory"))
        #expect(!output.text.contains("malicious"), "\(output.text)")
    }

    @Test("The loss of a library's worker fails this library alone: as soon as it starts")
    func libraryWorkerIsLostAtOnce() throws {
        let library = try writeLibrary(600)
        let script = """
            #!/bin/sh
            case "$*" in *--library*) kill -KILL $$ ;; esac
            exec '\(BuiltProducts.worker.path)' "$@"
            """
        let worker = try world.program(script, "worker")
        let output = try world.run(
            ["import", "--json", library, world.source.path],
            variables: ["PHOTOS_WORKER": worker.path]
        )
        try checkLoss(of: library, output.lines, output.status)
        #expect(try world.sql("SELECT count(*) FROM asset") == ["601"])
    }

    @Test("The same: after the first of its six batches")
    func libraryWorkerIsLostLater() throws {
        let library = try writeLibrary(1_200)
        let process = try world.start("import", "--json", library, world.source.path)
        process.read(lines: 1)
        let killed = Self.children(of: process.identifier).filter { child in
            let arguments = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(child)/cmdline"))
            return arguments?.range(of: Data("--library".utf8)) != nil && kill(child, SIGKILL) == 0
        }
        #expect(killed.count == 1)
        process.read()
        let status = process.wait().status
        try checkLoss(of: library, process.lines, status)
        #expect(try world.sql("SELECT count(*) FROM asset") == ["1201"])
    }

    private func writeLibrary(_ count: Int) throws -> String {
        var library = AppleLibrary()
        library.assets = count
        let folder = world.folder.file("Mac.photoslibrary")
        try library.write(to: folder)
        try world.photo("plain.jpg")
        return folder.path
    }

    /// Checks what an import printed that lost its library's worker, and that the next one takes
    /// what is left.
    private func checkLoss(of library: String, _ printed: [String], _ status: Int32) throws {
        #expect(status == 1)
        let lines = try printed.map(JSONLine.init)
        #expect(lines.last?["path"]?.hasSuffix("/plain.jpg") ?? false)
        #expect(lines.last?["outcome"] == "imported")
        let failed = lines.filter { $0["outcome"] == "failed" }
        #expect(failed.count == 1)
        let reason = failed.first?["reason"]
        #expect(reason?.contains("SIGKILL") ?? false, "\(reason ?? "none")")
        let again = try world.run("import", "--json", library)
        #expect(again.status == 0, "\(again.errorText)")
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let tasks = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.flatMap { thread in
            let text = try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }
}
