internal import NIOCore

/// Closes connections that do not send a request within some time, so that idle connections cost
/// nothing.
///
/// Later requests on a connection are limited only by the idle timeout.
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
