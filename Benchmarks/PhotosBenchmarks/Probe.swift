import Foundation

/// Runs measurements in a separate process that does nothing else.
enum Probe {
    /// This executable.
    static var executable: URL { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }

    /// Returns a program that was built beside this one.
    ///
    /// - Throws: When it was not built.
    static func neighbor(_ name: String) throws -> URL {
        let program = executable.deletingLastPathComponent().appendingPathComponent(name)
        guard access(program.path, X_OK) == 0 else {
            throw BenchmarkError(description: "There is no \(program.path).")
        }
        return program
    }

    /// Returns a process that has not started yet, for a command of this executable.
    static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        return process
    }

    /// Runs a command of this executable, and decodes its output.
    static func run<Figures: Decodable>(
        _ arguments: [String],
        as type: Figures.Type = Figures.self
    ) throws -> Figures {
        try JSONDecoder().decode(type, from: output(of: process(arguments), named: "The probe"))
    }

    /// Runs a process to its end, and returns its output.
    ///
    /// - Throws: When it fails; the error says its name and its arguments.
    static func output(of process: Process, named name: String) throws -> Data {
        let pipe = Pipe()
        process.standardOutput = pipe
        let end = try process.runSignalingEnd()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        end.wait()
        guard process.terminationStatus == 0 else {
            let arguments = process.arguments ?? []
            throw BenchmarkError(description: "\(name) \(arguments.joined(separator: " ")) failed.")
        }
        return output
    }

    /// Prints figures for the process that started the probe.
    static func print(_ figures: some Encodable) throws {
        let text = try JSONEncoder().encode(figures)
        Swift.print(String(decoding: text, as: UTF8.self))
    }
}

/// The memory of this process and its children, in megabytes.
enum ProcessMemory {
    /// Returns the current memory of this process.
    static func now() -> Double { status("self", "VmRSS") }

    /// Returns the current memory of a process.
    static func resident(_ process: Int32) -> Double { status("\(process)", "VmRSS") }

    /// Returns the current memory of a process and its children, where a page that several
    /// processes share counts in part.
    static func share(ofFamily process: Int32) -> Double {
        ([String(process)] + children(of: process)).reduce(0) { sum, process in
            let path = "/proc/\(process)/smaps_rollup"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
            return sum + (kilobytes ?? 0) / 1_000
        }
    }

    /// Returns the peak memory of a process.
    static func peak(of process: Int32) -> Double { status("\(process)", "VmHWM") }

    /// Returns the processor time that a process has used so far, in seconds.
    static func processorTime(of process: Int32) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        // The name of the program is in parentheses, and may contain spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The peak memory of this process.
    static func peak() -> Double { status("self", "VmHWM") }

    /// Resets the peaks of this process and of its workers.
    static func resetPeaks() {
        for process in ["self"] + children(of: getpid()) {
            try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process)/clear_refs"))
        }
    }

    /// Returns the highest peak among the running workers.
    static func workerPeak() -> Double {
        children(of: getpid()).map { status($0, "VmHWM") }.max() ?? 0
    }

    private static func children(of process: Int32) -> [String] {
        let own = "\(process)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { Int($0) != nil && field($0, "PPid") == own }
    }

    private static func field(_ process: String, _ name: String) -> String? {
        let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.dropFirst(name.count + 1).split { " \t".contains($0) }.first.map(String.init)
    }

    private static func status(_ process: String, _ name: String) -> Double {
        (field(process, name).flatMap(Double.init) ?? 0) / 1_000
    }
}
