internal import NIOCore

/// Closes connections on which no request arrives within a time limit.
///
/// Otherwise idle connections would use up resources. Later requests on a connection are limited
/// only by the idle timeout.
final class SilentConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let patience: TimeAmount
    private var waiting: Scheduled<Void>?

    init(patience: TimeAmount) {
        self.patience = patience
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        waiting = context.eventLoop.scheduleTask(in: patience) {
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { waiting?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The codec before this handler delivers only complete request heads.
        waiting?.cancel()
        waiting = nil
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting?.cancel()
        context.fireChannelInactive()
    }
}
