/// The encoding of a machine in chunks, of which one at a time is in memory.
///
/// Together, they are `SyncMachine.encoded`. All but the last have the same size. Only the objects
/// of the merged state, which are most of the bytes, are encoded one by one; what follows them is
/// encoded at once.
package struct EncodedMachine: IteratorProtocol {
    private let machine: SyncMachine
    private let chunkSize: Int
    /// The objects of the merged state, in ascending order.
    private let objects: [CloudID]
    private var nextObject = 0
    private var isComplete = false
    private var writer = SegmentWriter()

    /// Creates the encoding of a machine in chunks of the given size in bytes, at least 1.
    package init(_ machine: SyncMachine, chunkSize: Int) {
        self.machine = machine
        self.chunkSize = max(1, chunkSize)
        objects = machine.state.objects.keys.sorted()
        machine.writeHead(to: &writer)
        writer.append(UInt32(clamping: objects.count))
    }

    /// Returns the next chunk; nil after the last one.
    package mutating func next() -> [UInt8]? {
        while writer.bytes.count < chunkSize, nextObject < objects.count {
            machine.state.writeObject(objects[nextObject], to: &writer)
            nextObject += 1
        }
        if writer.bytes.count < chunkSize, !isComplete {
            machine.state.writeRest(to: &writer)
            machine.writeRest(to: &writer)
            isComplete = true
        }
        return writer.bytes.isEmpty ? nil : writer.take(chunkSize)
    }
}
