import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import Synchronization
import TestSupport
import Testing

/// A separate home for the command: a library, a state folder, files to import.
struct CommandWorld: Sendable {
    let folder: TemporaryFolder
    let library: URL
    let source: URL

    /// Creates a world in a separate folder, by default below the shared temporary folder.
    init(folder own: TemporaryFolder? = nil) throws {
        folder = try own ?? TemporaryFolder("photos-cli")
        library = folder.file("Test.photolibrary")
        source = try folder.folder("source")
    }

    /// The only variables that the command sees.
    var environment: [String: String] {
        [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": folder.path,
            "XDG_STATE_HOME": folder.file("state").path,
            "PHOTOS_LIBRARY": library.path,
            "PHOTOS_WORKER": BuiltProducts.worker.path,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        ]
    }

    // MARK: - Running

    /// Runs the command to its end.
    func run(_ arguments: String..., variables: [String: String?] = [:]) throws
        -> ProcessRunner.Output
    {
        try run(arguments, variables: variables)
    }

    func run(_ arguments: [String], variables: [String: String?] = [:]) throws
        -> ProcessRunner.Output
    {
        var changes = ProcessInfo.processInfo.environment.mapValues { _ in nil as String? }
        for (name, value) in environment { changes[name] = value }
        for (name, value) in variables { changes[name] = value }
        return try ProcessRunner.run(
            BuiltProducts.photos.path,
            arguments,
            environment: changes,
            folder: folder.url
        )
    }

    /// Runs the command as a user who is subject to file permissions.
    ///
    /// Root may read and write everything, so root's capabilities are dropped.
    func runWithoutPrivileges(_ arguments: String...) throws -> ProcessRunner.Output {
        let program = BuiltProducts.photos.path
        let drop = ["--bounding-set=-all", "--inh-caps=-all", program]
        return try ProcessRunner.run(
            geteuid() == 0 ? "setpriv" : program,
            (geteuid() == 0 ? drop : []) + arguments,
            environment: environment.mapValues { $0 as String? },
            folder: folder.url
        )
    }

    /// The user and the group `nobody`.
    static let nobody: UInt32 = 65_534
    /// Whether programs can be run as another user who can run the command.
    static let canBeNobody: Bool = {
        let drop = ["--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]
        let check = ["test", "-x", BuiltProducts.photos.path, "-a", "-x", shared.path]
        return geteuid() == 0 && (try? ProcessRunner.run("setpriv", drop + check))?.status == 0
    }()

    /// A folder that all users can enter; `$TMPDIR` may be private.
    private static let shared = URL(fileURLWithPath: "/tmp")

    /// Creates a world that belongs to `nobody`.
    static func ofNobody() throws -> CommandWorld {
        let world = try CommandWorld(folder: TemporaryFolder("photos-cli", in: shared))
        try #require(chmod(world.folder.path, 0o755) == 0)
        try world.giveToNobody()
        return world
    }

    /// Changes the owner of this world to `nobody`.
    func giveToNobody() throws {
        let owner = "\(Self.nobody):\(Self.nobody)"
        let output = try ProcessRunner.run("chown", ["-R", owner, folder.path])
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// The variables for a user who may not enter the shared temporary folder.
    var privateEnvironment: [String: String?] {
        environment.merging(["TMPDIR": folder.path]) { $1 }.mapValues { $0 as String? }
    }

    /// Runs a program, by default the command, as a user without privileges.
    func run(
        as user: UInt32,
        program: String = BuiltProducts.photos.path,
        _ arguments: String...
    ) throws -> ProcessRunner.Output {
        let drop = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", program]
        return try ProcessRunner.run(
            "setpriv",
            drop + arguments,
            environment: privateEnvironment,
            folder: folder.url
        )
    }

    /// Compiles C to a library that `LD_PRELOAD` puts before the system's own calls.
    ///
    /// Each source is compiled once for all tests.
    ///
    /// - Returns: Its path.
    func preload(_ source: String) throws -> String {
        let compiled = try Self.preloads.withLock { preloads in
            if let known = preloads[source] { return known }
            let made = try Self.compile(source)
            preloads[source] = made
            return made
        }
        return compiled.file(Self.preloadName).path
    }

    /// The folders of the compiled libraries, by source.
    private static let preloads = Mutex<[String: TemporaryFolder]>([:])
    private static let preloadName = "preload.so"

    private static func compile(_ source: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder("photos-preload")
        let file = try folder.write(Data(source.utf8), to: "preload.c")
        let object = folder.file(preloadName).path
        let output = try ProcessRunner.run("cc", ["-shared", "-fPIC", "-o", object, file.path])
        try #require(output.status == 0, "\(output.errorText)")
        return folder
    }

    /// Writes a script that can be run as a program.
    func program(_ script: String, _ name: String) throws -> URL {
        let file = try folder.write(Data(script.utf8), to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file
    }

    /// Starts the command and returns at once.
    ///
    /// Its standard error is discarded, so a crash ends it without a backtrace.
    func start(_ arguments: String...) throws -> LiveProcess {
        try LiveProcess(
            BuiltProducts.photos.path,
            arguments,
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        )
    }

    /// Starts the command on a separate terminal.
    func startOnTerminal(_ arguments: String..., input: String? = nil) throws -> LiveProcess {
        try LiveProcess(
            onTerminal: BuiltProducts.photos.path,
            arguments,
            environment: environment,
            input: input
        )
    }

    /// Runs the command, which must succeed, and reads a JSON object per line.
    func objects(_ arguments: String..., status: Int32 = 0) throws -> [JSONLine] {
        try objects(arguments, status: status)
    }

    func objects(_ arguments: [String], status: Int32 = 0) throws -> [JSONLine] {
        let output = try run(arguments)
        #expect(output.status == status, "\(arguments): \(output.errorText)")
        return try output.lines.map(JSONLine.init)
    }

    // MARK: - Libraries

    /// Creates a library of photos with these names, taken in this order, one per day.
    ///
    /// They are imported once for all tests; each test gets a copy of the library and of the files.
    ///
    /// - Returns: Their identifiers.
    func library(of names: [String]) throws -> [String] {
        // This world is not empty, so they are imported in addition.
        let manager = FileManager.default
        let files = try manager.contentsOfDirectory(atPath: source.path)
        let isEmpty = files.isEmpty && !manager.fileExists(atPath: library.path)
        guard isEmpty else { return try importedLibrary(of: names) }
        let template = try Self.templates.withLock { templates in
            if let template = templates[names] { return template }
            let world = try CommandWorld()
            let template = Template(world: world, ids: try world.importedLibrary(of: names))
            templates[names] = template
            return template
        }
        try copy(template.world)
        return template.ids
    }

    /// Copies another world's library and files to this empty world.
    func copy(_ other: CommandWorld) throws {
        let manager = FileManager.default
        try manager.removeItem(at: source)
        try manager.copyItem(at: other.source, to: source)
        try manager.copyItem(at: other.library, to: library)
    }

    /// A library that is copied and no longer changes.
    private struct Template: Sendable {
        let world: CommandWorld
        let ids: [String]
    }

    private static let templates = Mutex<[[String]: Template]>([:])

    private func importedLibrary(of names: [String]) throws -> [String] {
        for (index, name) in names.enumerated() {
            let day = index % 28 + 1
            let date = SampleDate(
                text: "2020:01:\(day < 10 ? "0" : "")\(day) 12:00:00",
                offset: "+00:00"
            )
            try photo(name, seed: UInt64(index + 1), metadata: SampleMetadata(date: date))
        }
        let lines = try objects("import", "--json", source.path)
        return try names.map { name in
            try #require(lines.first { $0.name == name }?["localIdentifier"])
        }
    }

    /// Returns the file names in the output of `photos list`.
    func names(_ arguments: String...) throws -> [String] {
        let output = try run(["list", "--json"] + arguments)
        #expect(output.status == 0, "\(arguments): \(output.errorText)")
        return try output.lines.compactMap { try JSONLine($0)["originalFilename"] }
    }

    // MARK: - Files

    /// Writes a unique drawn JPEG.
    @discardableResult
    func photo(
        _ name: String,
        seed: UInt64 = 1,
        metadata: SampleMetadata = SampleMetadata()
    ) throws -> URL {
        let photo = SamplePhoto(
            Picture(.hills, seed: seed),
            size: .init(width: 64, height: 48),
            metadata: metadata
        )
        return try folder.write(SampleFile.jpeg(photo), to: "source/" + name)
    }

    /// Writes many small, distinct JPEGs with the same pixels and a different tail.
    func photos(
        _ names: [String],
        padding: Int = 20_000,
        size: PixelSize = PixelSize(width: 64, height: 48)
    ) throws {
        let base = try SampleFile.jpeg(SamplePhoto(Picture(.sea, seed: 7), size: size))
        for name in names {
            let tail = Data("\(name)\n".utf8) + Data(count: padding)
            try folder.write(base + tail, to: "source/" + name)
        }
    }

    /// Returns the SHA-256 of a file, by coreutils.
    static func sha256(of file: URL) throws -> String {
        let output = try ProcessRunner.run("sha256sum", ["-b", file.path])
        return String(output.text.prefix(64))
    }
}

/// A line that the command printed with `--json`.
struct JSONLine {
    let text: String
    let values: [String: Any]

    init(_ text: String) throws {
        self.text = text
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        values = try #require(object as? [String: Any])
    }

    subscript(key: String) -> String? { values[key] as? String }

    func flag(_ key: String) -> Bool? { (values[key] as? NSNumber)?.boolValue }

    func list(_ key: String) -> [String]? { values[key] as? [String] }

    func number(_ key: String) -> Double? { (values[key] as? NSNumber)?.doubleValue }

    /// The last part of the path.
    var name: String { (self["path"] as NSString?)?.lastPathComponent ?? "" }
}

extension [JSONLine] {
    /// Outcomes by file name.
    var outcomes: [String: String] {
        Dictionary(map { ($0.name, $0["outcome"] ?? "") }, uniquingKeysWith: { first, _ in first })
    }
}
