extension Int64 {
    /// The sum, or the largest number where it would be larger: files may claim any size.
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? .max : sum
    }
}
