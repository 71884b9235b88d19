internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        if request.quality == .full { engine.background?.recordActivity() }
        return try present {
            // An image that is readily available takes no time that canceling could save.
            if request.quality != .full, request.ticket == nil { return try images.image(request) }
            return try calls.run(request.ticket) { try images.image(request, cancellation: $0) }
        }
    }

    func readyImages(_ request: ReadyImagesRequest) throws(LibraryError) -> ReadyImagesReply {
        if request.images.contains(where: { $0.quality == .full }) {
            engine.background?.recordActivity()
        }
        return try present {
            var reply = ReadyImagesReply()
            var length = 0
            for image in request.images.prefix(ReadyImagesRequest.maximumCount) {
                try CallContext.current?.checkCancellation()
                let answer = readyImage(image)
                if case .rendition(let stored) = answer { length += stored.length }
                guard reply.answers.isEmpty || length <= ReadyImagesReply.lengthLimit else { break }
                reply.answers.append(answer)
            }
            return reply
        }
    }

    /// Returns the answer for one of the requested images.
    private func readyImage(_ request: ImageRequest) -> ReadyImage {
        do {
            let stored = try calls.run(request.ticket) { cancellation in
                try cancellation.check()
                return try images.stored(request)
            }
            return stored.map { .rendition($0) } ?? .unready
        } catch {
            return .failed(LibraryError(error, library: store.bundle.root))
        }
    }

    func thumbnail(_ request: ThumbnailRequest) throws(LibraryError) -> ThumbnailReply? {
        try present { try images.thumbnail(request) }
    }

    func duplicates(_ request: DuplicatesRequest) throws(LibraryError) -> DuplicatesReply {
        try present {
            try calls.run(request.ticket) { try finder.duplicates(request, cancellation: $0) }
        }
    }

    func cancel(_ request: CancelRequest) throws(LibraryError) {
        try call { calls.cancel(request.tickets) }
    }

    func imageData(_ request: ImageDataRequest) throws(LibraryError) -> (
        ImageDataReply, Descriptor
    ) {
        try present { try images.imageData(request) }
    }

    func movieData(_ request: MovieDataRequest) throws(LibraryError) -> (
        MovieDataReply, Descriptor
    ) {
        try present { try images.movieData(request) }
    }

    func renditionStatus() throws(LibraryError) -> RenditionStatusReply {
        try call {
            // The status counts all assets that the owner's client can see.
            try requireOwner()
            let includesHidden = view.access.state.access.includesHidden
            return try engine.renditionBuilder.status(includesHidden: includesHidden)
        }
    }

    func buildRenditions(_ request: RenditionBuildRequest) throws(LibraryError)
        -> RenditionBuildReply
    {
        try whole {
            try calls.run(request.ticket) { cancellation in
                try engine.renditionBuilder.build(request, cancellation: cancellation)
            }
        }
    }

    func dropRenditions() throws(LibraryError) {
        try whole { engine.renditionSweeper.drop() }
    }
}
