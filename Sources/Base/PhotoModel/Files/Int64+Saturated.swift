extension Int64 {
    /// Returns the sum, clamped to the range of the type.
    ///
    /// The numbers come from files and rows, which may contain any size.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        guard isOverflow else { return sum }
        return other < 0 ? .min : .max
    }
}
