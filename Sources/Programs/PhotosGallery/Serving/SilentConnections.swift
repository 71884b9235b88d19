internal import NIOCore

/// Closes a connection on which no request came within some time, so that connections that are only held
/// open cost nothing.
///
/// Later requests of a connection may take as long as it may be idle.
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
        // The codec before this one reads on until a request's head is whole.
        waiting?.cancel()
        waiting = nil
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting?.cancel()
        context.fireChannelInactive()
    }
}
