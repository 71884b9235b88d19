internal import CLinuxShim
internal import CSandboxShim
internal import Glibc
internal import Imaging
internal import PhotoModel
internal import WorkerProtocol

/// Answers the host's requests, one after another, until the host goes away.
struct Server {
    private let connection: MessageConnection
    private let converter = ColorConverter()
    /// Counted before the sandbox closes.
    private let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    init(socket: Int32) {
        connection = MessageConnection(socket: socket)
    }

    /// Serves until the host goes away; the exit code of the process.
    func run() -> Int32 {
        do {
            guard let limits = try greet() else { return 1 }
            while true {
                let (request, descriptor) = try connection.receive(WorkerRequest.self)
                defer { if let descriptor { close(descriptor) } }
                // It came after the answer that it was about.
                if case .cancel = request { continue }
                if case .render(let rendering) = request {
                    guard try draw(rendering, limits) else { return 1 }
                    continue
                }
                guard let descriptor else { return 1 }
                guard ph_limit_processor_time(UInt64(max(1, limits.maximumProcessorSeconds))) == 0
                else { return 1 }
                switch request {
                case .probe(let probe):
                    try answer(probe, descriptor: descriptor, limits: limits)
                case .decode(let decode):
                    let decoder = Decoder(request: decode, limits: limits, converter: converter)
                    try answer { decoder.decode(descriptor, into: $0) }
                case .encode(let encode):
                    let encoder = Encoder(request: encode, limits: limits)
                    try answer { encoder.encode(descriptor, into: $0) }
                case .adjustments:
                    try answer { AdjustmentsReader.read(descriptor, into: $0) }
                case .movieFacts:
                    try connection.send(MovieWork(limits: limits).facts(of: descriptor))
                case .convert(let conversion):
                    guard try convert(conversion, descriptor, limits) else { return 1 }
                case .render, .source, .output, .frameMemory, .drawnFrame, .hello, .cancel:
                    return 1
                }
            }
        } catch {
            return error == .closed ? 0 : 1
        }
    }

    /// Hears the limits and closes the sandbox; nil when that failed, which the host was told.
    private func greet() throws(ConnectionError) -> WorkerLimits? {
        let (request, stray) = try connection.receive(WorkerRequest.self)
        if let stray { close(stray) }
        guard case .hello(let version, let limits) = request else { return nil }
        guard version == WorkerProtocolVersion.current else {
            // The host sees by the number that they do not belong together.
            try connection.send(
                WorkerReply.hello(
                    version: WorkerProtocolVersion.current,
                    sandbox: SandboxReport(landlockABI: 0, hasSeccomp: false)
                )
            )
            return nil
        }
        guard Codecs.open() else {
            try connection.send(
                WorkerReply.failed(
                    reason: "its codecs (libvips, libheif with HEVC and AV1, Exiv2) could not be "
                        + "opened."
                )
            )
            return nil
        }
        do {
            let report = try Sandbox.enter(limits)
            guard ph_exit_with_peer(connection.socket) == 0 else { return nil }
            try connection.send(
                WorkerReply.hello(version: WorkerProtocolVersion.current, sandbox: report)
            )
            return limits
        } catch let failure as Sandbox.Failure {
            try connection.send(WorkerReply.failed(reason: failure.reason))
            return nil
        } catch {
            throw error as? ConnectionError ?? .malformed("\(error)")
        }
    }

    /// Answers with what is written into sealed memory.
    private func answer(_ work: (PixelWriter) -> WorkerReply) throws(ConnectionError) {
        guard let writer = PixelWriter(socket: connection.socket) else {
            return try connection.send(WorkerReply.failed(reason: "There is no memory for it."))
        }
        let reply = work(writer)
        switch reply {
        case .adjustments(_, _, let length) where length == 0: try connection.send(reply)
        case .decoded, .encoded, .adjustments, .rendered:
            guard let memory = writer.sealed() else {
                return try connection.send(
                    WorkerReply.failed(reason: "There is no memory for its pixels.")
                )
            }
            try connection.send(reply, descriptor: memory)
        default:
            try connection.send(reply)
        }
    }

    /// Draws a recipe of the sources that the next messages bring; whether they came.
    private func draw(
        _ rendering: PictureRendering,
        _ limits: WorkerLimits
    ) throws(ConnectionError) -> Bool {
        guard rendering.sources.count <= PictureRendering.maximumSources else { return false }
        var sources: [Int32] = []
        defer { for source in sources { close(source) } }
        for _ in rendering.sources {
            let (next, source) = try connection.receive(WorkerRequest.self)
            if let source { sources.append(source) }
            guard case .source = next, source != nil else { return false }
        }
        var seconds = UInt64(max(1, limits.maximumProcessorSeconds))
        // Encoding HEVC takes longer than all else.
        if case .heif = rendering.output { seconds *= 4 }
        guard ph_limit_processor_time(seconds) == 0 else { return false }
        let renderer = Renderer(rendering: rendering, limits: limits, processors: processors)
        try answer { renderer.render(sources, into: $0) }
        return true
    }

    /// Converts a movie into the file that the next message brings; whether it did.
    private func convert(
        _ conversion: MovieConversion,
        _ input: Int32,
        _ limits: WorkerLimits
    ) throws(ConnectionError) -> Bool {
        let (next, output) = try connection.receive(WorkerRequest.self)
        defer { if let output { close(output) } }
        guard case .output = next, let output, limits.maximumOutputInBytes != nil else {
            return false
        }
        let teller = ProgressTeller(
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
        try connection.send(reply)
        return true
    }

    private func answer(
        _ request: ProbeRequest,
        descriptor: Int32,
        limits: WorkerLimits
    ) throws(ConnectionError) {
        var pixels = SealedPixels()
        let prober = Prober(request: request, limits: limits, converter: converter)
        let reply = prober.probe(descriptor, pixels: &pixels)
        do {
            try connection.send(reply, descriptor: pixels.descriptor)
        } catch .tooLong {
            try connection.send(
                WorkerReply.failed(reason: "What is written in it is too much to be real.")
            )
        }
    }
}

/// Memory for a rendition, sealed once it is written.
struct SealedPixels: ~Copyable {
    private(set) var descriptor: Int32?

    /// Copies `bytes` into sealed memory, and says whether that succeeded.
    mutating func store(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard descriptor == nil, let start = bytes.baseAddress else { return false }
        let memory = ph_memory_file("rendition", 0)
        guard memory >= 0 else { return false }
        var written = 0
        while written < bytes.count {
            let count = write(memory, start + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        guard written == bytes.count, ph_seal(memory) == 0 else {
            close(memory)
            return false
        }
        descriptor = memory
        return true
    }

    deinit {
        if let descriptor { close(descriptor) }
    }
}
