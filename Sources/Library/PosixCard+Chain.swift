// Makes files of exFAT safe to grow. There a file in one piece has no chain of clusters in the
// allocation table: its entry says so. Once its next cluster lies elsewhere, the kernel writes the
// chain and then that the file has one, in two sectors, which the card may write in either order. A
// power cut in between leaves only the first cluster, whatever was synced. Found by a cut in the
// lab, which lost 4.8 s of a take. So a file gets its chain while it is empty. Used on the card's
// thread only.

import Tape

/// Takes the cluster behind a new file's first, so that the second lies elsewhere. It is removed at
/// once; after a power cut, by the next file. No index knows a hidden name.
private let other = ".chain"

extension PosixCard {
  func chain(_ file: PosixCardFile, clusterBytes: Int64) {
    do throws(TapeError) {
      if try entry(other) != nil { try remove(other) }
      try file.write([0], at: 0)
      try open(other, .create).write([0], at: 0)
      try file.truncate(to: clusterBytes + 1)
      // To no byte, it would lose its cluster, and with it the chain.
      try file.truncate(to: newFileBytes)
      try remove(other)
    } catch {
      // A full card has no room for this. Without it a file is as safe as others of exFAT.
    }
  }
}
