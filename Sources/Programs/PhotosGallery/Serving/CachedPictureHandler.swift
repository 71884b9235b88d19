internal import NIOCore
internal import NIOHTTP1

/// Responds to requests for cached images directly on the event loop of their connection.
///
/// 1. Responses keep the order of their requests. While a request that was passed to the router
///    waits for its response, all further requests of the connection are passed on as well.
/// 2. The first request of a connection is passed to the router, and then one at least every twenty
///    seconds. So the timeouts of later handlers detect that the connection is in use.
/// 3. Nothing is sent to a client that does not read its earlier responses.
final class CachedPictureHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let pause = TimeAmount.seconds(20)

    private let pictures: CachedPictures
    /// The response to the request that is being received.
    private var answer: CachedPictures.Answer?
    /// The number of requests that were passed to the router and whose responses are not yet
    /// complete.
    private var open = 0
    private var lastHandedOn: NIODeadline?
    /// The number of responses that have not been written to the socket yet.
    private var unsent = 0
    private var isQuiescing = false

    init(_ pictures: CachedPictures) {
        self.pictures = pictures
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if open == 0, context.channel.isWritable, let lastHandedOn,
                .now() - lastHandedOn < Self.pause,
                let answer = pictures.answer(to: head, at: context.channel)
            {
                self.answer = answer
                return
            }
            open += 1
            lastHandedOn = .now()
        case .body:
            if answer != nil { return }
        case .end:
            if let answer {
                self.answer = nil
                send(answer, context)
                return
            }
        }
        context.fireChannelRead(data)
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        if case .end = unwrapOutboundIn(data) { open = max(0, open - 1) }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The handlers behind would close the connection, since they do not know of the response.
        if event is ChannelShouldQuiesceEvent, unsent > 0 {
            isQuiescing = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func send(_ answer: CachedPictures.Answer, _ context: ChannelHandlerContext) {
        unsent += 1
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        if answer.bytes.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(answer.bytes))), promise: nil)
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.unsent -= 1
            guard self.unsent == 0, self.isQuiescing else { return }
            self.isQuiescing = false
            context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }
}

/// Adds a ``CachedPictureHandler`` to the pipeline, after HTTP decoding and before the router.
final class CachedPictureInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let pictures: CachedPictures

    init(_ pictures: CachedPictures) {
        self.pictures = pictures
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // Without the decoder, the router sends these images, too.
        guard
            let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        else { return }
        try? pipeline.addHandler(CachedPictureHandler(pictures), position: .after(decoder))
    }
}
