extension String {
    /// A number that is the same in every process, for names of files: FNV-1a of 64 bits, in hexadecimal.
    package var stableHash: String {
        let hash = utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}
