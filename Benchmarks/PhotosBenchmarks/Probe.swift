import Foundation

/// Measures in a process of its own, which does nothing else.
enum Probe {
    /// Runs a command of this executable, and decodes what it prints.
    static func run<Figures: Decodable>(
        _ arguments: [String],
        as type: Figures.Type = Figures.self
    ) throws -> Figures {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(
                description: "The probe \(arguments.joined(separator: " ")) failed."
            )
        }
        return try JSONDecoder().decode(type, from: output)
    }

    /// Prints figures for whoever started the probe.
    static func print(_ figures: some Encodable) throws {
        let text = try JSONEncoder().encode(figures)
        Swift.print(String(decoding: text, as: UTF8.self))
    }
}

/// Memory of this process and of those that it started, in megabytes.
enum ProcessMemory {
    /// What this process has in memory now.
    static func now() -> Double { status("self", "VmRSS") }

    /// The most that a process had.
    static func peak(of process: Int32) -> Double { status("\(process)", "VmHWM") }

    /// The most that this process had.
    static func peak() -> Double { status("self", "VmHWM") }

    /// Begins the peaks of this process and of its workers anew.
    static func resetPeaks() {
        for process in ["self"] + children() {
            try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process)/clear_refs"))
        }
    }

    /// The most that any one of the workers had that are running.
    static func workerPeak() -> Double {
        children().map { status($0, "VmHWM") }.max() ?? 0
    }

    private static func children() -> [String] {
        let own = "\(getpid())"
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
