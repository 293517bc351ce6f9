// Giving a file or a folder another name without ever replacing what has that name already, on file
// systems that promise it and on those that don't. Called on the card's thread.

import CKernel
import Glibc

/// 0, or the errno that says why not.
func moveWithoutReplacing(
  _ old: UnsafePointer<CChar>, _ oldPlace: Int32, _ new: UnsafePointer<CChar>, _ newPlace: Int32
) -> Int32 {
  if reel_rename_no_replace(oldPlace, old, newPlace, new) == 0 { return 0 }
  return [EINVAL, ENOSYS].contains(errno) ? moveByLink(old, oldPlace, new, newPlace) : errno
}

/// Where the system cannot promise it, as on some file systems in user space: a second name for the
/// file, which fails if that is taken, then the first name goes. Where there are no second names,
/// looking first has to do: only a program that makes that very name in that very moment loses by
/// it, and a folder never does, since no folder with anything in it is ever replaced.
func moveByLink(
  _ old: UnsafePointer<CChar>, _ oldPlace: Int32, _ new: UnsafePointer<CChar>, _ newPlace: Int32
) -> Int32 {
  var status = stat()
  if fstatat(newPlace, new, &status, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
  guard errno == ENOENT else { return errno }
  guard fstatat(oldPlace, old, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return errno }
  if status.st_mode & S_IFMT == S_IFREG {
    if linkat(oldPlace, old, newPlace, new, 0) == 0 {
      return unlinkat(oldPlace, old, 0) == 0 ? 0 : errno
    }
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { return errno }
  }
  return renameat(oldPlace, old, newPlace, new) == 0 ? 0 : errno
}
