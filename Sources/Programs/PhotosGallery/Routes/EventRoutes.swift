internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PhotosJSON
internal import PhotosManagement
internal import ServiceLifecycle

/// The route for the event stream.
struct EventRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/events") { request, context -> Response in
            var followed: (list: GalleryList, number: Int)?
            if let snapshot = request.query("snapshot") {
                let (list, state) = try gallery.view(for: context).lists.state(snapshot)
                try context.requireAccess(to: list.query)
                followed = (list, state.number)
            }
            // Listens before missed steps are looked up, so that none is lost in between.
            let stream = try gallery.events.listen(
                to: followed?.list.name,
                session: context.session,
                isUnlocked: context.isUnlocked,
                isViewOnly: context.isViewOnly
            )
            // If hidden photos were locked meanwhile, this stream has to end as well.
            if context.isUnlocked, !gallery.sessions.isUnlocked(context.session) {
                gallery.events.endUnlocked(context.session)
            }
            // The same applies if the session ended.
            if !gallery.sessions.contains(context.session) { gallery.events.end(context.session) }
            var start = JSONObject()
            start.add("version", gallery.view(for: context).follower.announced)
            var missed = [EventHub.text("begin", start.line)]
            if let (list, number) = followed {
                // The list may have been dropped before the stream followed it.
                guard gallery.view(for: context).lists.contains(list),
                    let steps = list.steps(since: number)
                else {
                    throw RequestError(.gone, "This state of the list is no longer available.")
                }
                let isShown = try await Self.isShown(steps, in: gallery.view(for: context))
                let data = isShown ? steps.map(\.data) : [list.wholeStep(since: number)]
                missed += data.map { EventHub.text("changes", $0) }
            }
            let disconnect = gallery.disconnects.of(context.channel)
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: Self.body(stream, missed, disconnect)
            )
        }
    }

    /// Returns whether a view still contains all assets whose entries are in some steps of a list.
    ///
    /// An asset may have been hidden after the step.
    private static func isShown(
        _ steps: [GalleryList.Step],
        in view: GalleryView
    ) async throws -> Bool {
        let assets = Set(steps.flatMap(\.assets))
        guard !assets.isEmpty else { return true }
        return try await Blocking.run {
            try view.library.facts(for: Array(assets)).count == assets.count
        }
    }

    /// Returns a body with the events, and with a keep-alive comment every fifteen seconds.
    private static func body(
        _ stream: EventHub.Stream,
        _ missed: [String],
        _ disconnect: ClientDisconnect
    ) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: ": welcome\n\n" + missed.joined()))
            // Queued like the events, so that the limit for clients that do not read includes them.
            let pulse = Task {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(15))
                    stream.send(": here\n\n")
                }
            }
            defer { pulse.cancel() }
            let number = disconnect.onDisconnect { stream.end() }
            defer { disconnect.forget(number) }
            await withGracefulShutdownHandler {
                for await text in stream.events {
                    guard (try? await writer.write(ByteBuffer(string: text))) != nil else { break }
                }
            } onGracefulShutdown: {
                stream.end()
            }
            stream.end()
            try await writer.finish(nil)
        }
    }
}
