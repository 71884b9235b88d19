internal import CSandboxShim
internal import Glibc
internal import Imaging
internal import PhotoModel
internal import WorkerProtocol

/// A server that answers the host's requests one after another until the host disconnects.
struct Server {
    /// The error that ends the worker while its host is connected, with the reason worded as a
    /// clause.
    private struct Ending: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private let connection: MessageConnection
    private let converter = ColorConverter()
    /// The number of processors, determined before the sandbox is entered.
    private let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Indicates whether the server answers only requests for libraries of other programs.
    private let readsLibraries: Bool
    /// Indicates whether this process is a copy of a fork server that has already opened the
    /// codecs.
    private let hasCodecs: Bool

    init(socket: Int32, readsLibraries: Bool = false, hasCodecs: Bool = false) {
        self.readsLibraries = readsLibraries
        self.hasCodecs = hasCodecs
        connection = MessageConnection(socket: socket)
    }

    /// Serves requests until the host disconnects; returns the exit code of the process.
    func run() -> Int32 {
        do {
            guard let limits = try greet() else { return 1 }
            while true { try answerNext(limits) }
        } catch ConnectionError.closed {
            return 0
        } catch {
            // The host reports the reason. If the socket itself fails, only the exit code remains.
            try? connection.send(WorkerReply.ended(reason: Self.clause(for: error)))
            return 1
        }
    }

    private static func clause(for error: any Error) -> String {
        switch error {
        case let ending as Ending: ending.reason
        case ConnectionError.tooLong(let length): "a request of \(length) bytes came"
        case ConnectionError.malformed(let words): "a request could not be understood: \(words)"
        case ConnectionError.system(let number):
            "talking to its host failed: \(String(cString: strerror(number)))"
        default: "\(error)"
        }
    }

    /// Waits for a request and answers it.
    private func answerNext(_ limits: WorkerLimits) throws {
        let (request, file) = try connection.receive(WorkerRequest.self)
        defer { if let file { close(file) } }
        // The cancellation arrived after the answer.
        if case .cancel = request { return }
        if case .render(let rendering) = request { return try draw(rendering, limits) }
        guard let file else { throw Ending("no file came with a request") }
        if readsLibraries {
            let server = LibraryServer(connection: connection, limits: limits)
            switch request {
            case .readLibrary: return try server.run(file)
            case .readExport: return try server.runExport(file)
            default: throw Ending("a request came out of turn")
            }
        }
        try limitProcessorTime(limits.maximumProcessorSeconds)
        switch request {
        case .probe(let probe):
            let memory = request.hasMemory ? try takeMemory() : nil
            try send(
                ProbeHandler(request: probe, limits: limits, converter: converter)
                    .probe(file, pixels: memory)
            )
        case .decode(let decode):
            let decoder = Decoder(request: decode, limits: limits, converter: converter)
            try answer { decoder.decode(file, into: $0) }
        case .encode(let encode):
            let encoder = Encoder(request: encode, limits: limits)
            try answer { encoder.encode(file, into: $0) }
        case .adjustments:
            try answer { AdjustmentsReader.read(file, into: $0) }
        case .movieFacts:
            try send(MovieWork(limits: limits).facts(of: file))
        case .convert(let conversion):
            try convert(conversion, file, limits)
        case .archivePage(let cursor):
            try send(ArchiveHandler(limits: limits).page(cursor, of: file))
        case .takeout:
            try send(ArchiveHandler(limits: limits).facts(of: file))
        case .extract(let extraction):
            let output = try takeOutput()
            defer { close(output) }
            try send(ArchiveHandler(limits: limits).extract(extraction, from: file, to: output))
        case .render, .source, .memory, .output, .frameMemory, .drawnFrame, .hello, .readLibrary,
            .readExport, .libraryPart, .libraryLog, .nextRecords, .readAgain, .cancel:
            throw Ending("a request came out of turn")
        }
    }

    /// Receives the limits and enters the sandbox; returns nil after a failure that was reported to
    /// the host.
    private func greet() throws -> WorkerLimits? {
        let (request, stray) = try connection.receive(WorkerRequest.self)
        if let stray { close(stray) }
        guard case .hello(let version, let limits) = request else {
            throw Ending("its host did not begin with a greeting")
        }
        guard version == WorkerProtocolVersion.current else {
            // The host detects the mismatch by the version number.
            try connection.send(
                WorkerReply.hello(
                    version: WorkerProtocolVersion.current,
                    sandbox: SandboxReport(landlockABI: 0, hasSeccomp: false)
                )
            )
            return nil
        }
        guard readsLibraries || hasCodecs || Codecs.open() else {
            throw Ending("its codecs (libvips, libheif with HEVC and AV1, Exiv2) can't be opened")
        }
        // Copies of a fork server share these pages, and the server has touched them already.
        if !hasCodecs { cphotos_release_startup_pages() }
        do throws(Sandbox.Failure) {
            let report = try Sandbox.enter(limits)
            let code = cphotos_exit_with_peer(connection.socket)
            guard code == 0 else {
                throw .resources("no thread could be started: \(String(cString: strerror(code)))")
            }
            connection.useBinaryForm()
            try? connection.send(
                WorkerReply.hello(version: WorkerProtocolVersion.current, sandbox: report)
            )
            return limits
        } catch {
            switch error {
            case .unconfined(let reason): try connection.send(WorkerReply.failed(reason: reason))
            case .resources(let reason): throw Ending(reason)
            }
            return nil
        }
    }

    // MARK: - Answers

    /// Receives the output memory, runs work that writes into it, and sends the reply.
    private func answer(_ work: (PixelWriter) -> WorkerReply) throws {
        let writer = try takeMemory()
        let reply = work(writer)
        switch reply {
        case .adjustments(_, _, let length) where length == 0: try send(reply)
        case .decoded, .encoded, .adjustments, .rendered:
            try send(
                writer.isWhole ? reply : .failed(reason: "There is no memory for its pixels.")
            )
        default:
            try send(reply)
        }
    }

    private func takeMemory() throws -> PixelWriter {
        let (next, memory) = try connection.receive(WorkerRequest.self)
        guard case .memory = next, let memory else {
            if let memory { close(memory) }
            throw Ending("no memory came for an answer")
        }
        return PixelWriter(owning: memory, socket: connection.socket)
    }

    private func takeOutput() throws -> Int32 {
        let (next, output) = try connection.receive(WorkerRequest.self)
        guard case .output = next, let output else {
            if let output { close(output) }
            throw Ending("no file came for an archive's entry")
        }
        return output
    }

    private func send(_ reply: WorkerReply) throws {
        do {
            try connection.send(reply)
        } catch .tooLong {
            try connection.send(
                WorkerReply.failed(reason: "What is written in it is too much to be real.")
            )
        }
    }

    private func limitProcessorTime(_ seconds: Int) throws {
        guard cphotos_limit_processor_time(UInt64(max(1, seconds))) == 0 else {
            throw Ending(
                "processor time could not be limited: \(String(cString: strerror(errno)))"
            )
        }
    }

    /// Renders a recipe, whose sources are in the next messages.
    private func draw(_ rendering: PictureRendering, _ limits: WorkerLimits) throws {
        guard rendering.sources.count <= PictureRendering.maximumSources else {
            throw Ending("a recipe has too many sources")
        }
        var sources: [Int32] = []
        defer { for source in sources { close(source) } }
        for _ in rendering.sources {
            let (next, source) = try connection.receive(WorkerRequest.self)
            if let source { sources.append(source) }
            guard case .source = next, source != nil else {
                throw Ending("a recipe's source did not come")
            }
        }
        var seconds = max(1, limits.maximumProcessorSeconds)
        // HEVC encoding takes longer than all other work.
        if case .heif = rendering.output { seconds *= 4 }
        try limitProcessorTime(seconds)
        let renderer = Renderer(rendering: rendering, limits: limits, processors: processors)
        try answer { renderer.render(sources, into: $0) }
    }

    /// Converts a movie into the file that the next message carries.
    private func convert(
        _ conversion: MovieConversion,
        _ input: Int32,
        _ limits: WorkerLimits
    ) throws {
        let (next, output) = try connection.receive(WorkerRequest.self)
        defer { if let output { close(output) } }
        guard case .output = next, let output, limits.maximumOutputInBytes != nil else {
            throw Ending("no file came for a converted movie")
        }
        let teller = ProgressReporter(
            connection: connection,
            processorSeconds: UInt64(max(1, limits.maximumProcessorSeconds))
        )
        let reply = MovieWork(limits: limits).convert(
            input,
            to: output,
            conversion,
            processors: processors,
            progress: teller.advance(to:),
            draw: FrameExchange(connection: connection).draw
        )
        try send(reply)
    }
}
