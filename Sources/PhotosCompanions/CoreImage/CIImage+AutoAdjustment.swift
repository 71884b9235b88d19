extension CIImage {
    /// Filters that make the picture look better: saturation of dull colours, lights and shadows, and a
    /// tone curve, each only where it is of use.
    ///
    /// The picture is drawn small once, which takes as long as reading it does. Apply the filters in
    /// their order.
    public func autoAdjustmentFilters() -> [CIFilter] { autoAdjustmentFilters(options: nil) }

    /// Filters that make the picture look better.
    ///
    /// - Parameter options: See ``CIImageAutoAdjustmentOption``.
    /// - Returns: Filters whose `inputImage` is not set, to be applied in their order; none for a picture
    ///   that can't be drawn, which is logged.
    public func autoAdjustmentFilters(
        options: [CIImageAutoAdjustmentOption: Any]?
    ) -> [CIFilter] {
        guard options?[.enhance] as? Bool ?? true else { return [] }
        do throws(CIRenderingError) {
            return try Enhancement(of: self).filters
        } catch {
            RenderingLog.note(error)
            return []
        }
    }
}
