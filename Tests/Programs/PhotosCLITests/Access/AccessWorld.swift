import Foundation
import PhotoModel
import TestSupport
import Testing

/// A library, and a program that requests access to it.
struct AccessWorld: Sendable {
    let world: CommandWorld
    /// The assets of the library, the oldest first.
    let ids: [String]
    /// The program's identifier: its real path.
    let program: String
    let client: URL

    init(names: [String] = ["a.jpg", "b.jpg", "c.jpg"]) throws {
        let world = try CommandWorld()
        #expect(try world.run("create").status == 0)
        let ids = try names.isEmpty ? [] : world.library(of: names)
        self.init(world: world, ids: ids)
    }

    init(world: CommandWorld, ids: [String]) {
        self.world = world
        self.ids = ids
        client = BuiltProducts.executable("access-client")
        program = client.resolvingSymlinksInPath().path
    }

    /// Runs the program without a terminal.
    func run(_ arguments: String..., variables: [String: String] = [:]) throws
        -> ProcessRunner.Output
    {
        try run(arguments, variables: variables)
    }

    func run(_ arguments: [String], variables: [String: String] = [:]) throws
        -> ProcessRunner.Output
    {
        var changes = ProcessInfo.processInfo.environment.mapValues { _ in nil as String? }
        for (name, value) in world.environment { changes[name] = value }
        for (name, value) in variables { changes[name] = value }
        return try ProcessRunner.run(
            "setsid",
            ["--wait", client.path] + arguments,
            environment: changes,
            folder: world.folder.url
        )
    }

    /// Starts the program on a separate terminal.
    func startOnTerminal(_ arguments: String...) throws -> LiveProcess {
        try LiveProcess(
            onTerminal: client.path,
            arguments,
            environment: world.environment,
            input: "/dev/null"
        )
    }

    func start(_ arguments: String...) throws -> LiveProcess {
        try LiveProcess(
            "/usr/bin/setsid",
            ["--wait", client.path] + arguments,
            environment: world.environment
        )
    }

    /// Runs `photos access` for the program, which must succeed.
    func access(_ arguments: String...) throws {
        let output = try world.run(["access"] + arguments)
        #expect(output.status == 0, "\(arguments): \(output.errorText)")
    }

    /// Returns the program's statuses: read-write, add-only, and by the older API.
    func status(variables: [String: String] = [:]) throws -> String {
        try #require(try run("status", variables: variables).lines.first)
    }
}
