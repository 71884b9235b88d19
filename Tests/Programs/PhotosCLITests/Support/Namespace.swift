import Foundation
import TestSupport

/// The file system operations that this system permits to tests.
enum Namespace {
    /// Whether unprivileged users can create namespaces and mount in them.
    static let canMount: Bool = {
        let arguments = ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m none /tmp"]
        return (try? ProcessRunner.run("unshare", arguments))?.status == 0
    }()

    /// Whether files can be made immutable in the tests' folder.
    static let canBeImmutable: Bool = {
        guard let folder = try? TemporaryFolder("photos-immutable"),
            let file = try? folder.write(Data([1]), to: "file"),
            (try? ProcessRunner.run("chattr", ["+i", file.path]))?.status == 0
        else { return false }
        return (try? ProcessRunner.run("chattr", ["-i", file.path]))?.status == 0
    }()

    /// Runs the command in a namespace in which a folder is mounted read-only.
    static func run(
        _ arguments: [String],
        readOnly folder: URL,
        in world: CommandWorld
    ) throws -> ProcessRunner.Output {
        let script = """
            source=$1; shift
            mount --bind "$source" "$source" && mount -o remount,ro,bind "$source" \
            && ! touch "$source/x" 2>/dev/null && exec "$@"
            """
        var changes = ProcessInfo.processInfo.environment.mapValues { _ in nil as String? }
        for (name, value) in world.environment { changes[name] = value }
        return try ProcessRunner.run(
            "unshare",
            ["-rm", "/bin/sh", "-c", script, "sh", folder.path, BuiltProducts.photos.path]
                + arguments,
            environment: changes
        )
    }
}
