extension Int64 {
    /// Returns the sum, clamped to the maximum, since files may claim any size.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? .max : sum
    }
}
