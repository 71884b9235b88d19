/// Responses that have to wait, such as for rendering or a download.
extension AssetRoutes {
    /// Waits for the result of `body`, as long as the client stays connected.
    ///
    /// Whether the response may be sent and cached depends on the returned asset, not on the one
    /// that was found when the request arrived: another program may have hidden it meanwhile.
    ///
    /// - Parameters:
    ///   - known: The asset that the request concerns.
    ///   - gallery: The gallery.
    ///   - context: The context of the request.
    ///   - body: Renders or downloads what the response contains.
    /// - Returns: The result, and the asset as it is afterward.
    /// - Throws: ``RequestError`` with `notFound` if the session may no longer see the asset,
    ///   otherwise the error of `body`.
    static func waiting<Value: Sendable>(
        for known: AssetMemory.Known,
        _ gallery: Gallery,
        _ context: GalleryContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, asset: AssetMemory.Known) {
        let present = { @Sendable () throws -> AssetMemory.Known in
            try gallery.asset(again: known, for: context)
        }
        do {
            let value = try await gallery.disconnects.of(context.channel).cancelling(body)
            return (value, try await Blocking.run(present))
        } catch {
            // An error could reveal that the asset was hidden, or its name.
            _ = try await Blocking.run(present)
            throw error
        }
    }
}
