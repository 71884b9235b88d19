internal import NIOCore
internal import NIOHTTP1

/// Sends images that are in memory on the thread of their connection.
///
/// 1. Responses keep the order of their requests: while a request that was handed on waits for its
///    response, all others are handed on, too.
/// 2. The first request of a connection is handed on, and then one at least every twenty seconds,
///    so that the timeouts of the handlers behind see that the connection is in use.
/// 3. Nothing is sent to a client that does not read what it was sent before.
final class CachedPictureHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let pause = TimeAmount.seconds(20)

    private let pictures: CachedPictures
    /// The response to the request that is being received.
    private var answer: CachedPictures.Answer?
    /// The number of requests that were handed on and have no complete response yet.
    private var open = 0
    private var lastHandedOn: NIODeadline?
    /// The number of responses that are not yet written to the socket.
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

/// Adds a ``CachedPictureHandler`` where HTTP messages are decoded, before they are converted for
/// the router.
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
