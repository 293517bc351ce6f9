// Renames a file or a folder and must never replace another, on file systems that guarantee this
// and on those that don't. Called on the card's thread.

import CKernel
import Glibc

/// Returns 0 or an errno.
func moveWithoutReplacing(
  _ old: UnsafePointer<CChar>, _ oldPlace: Int32, _ new: UnsafePointer<CChar>, _ newPlace: Int32
) -> Int32 {
  if reel_rename_no_replace(oldPlace, old, newPlace, new) == 0 { return 0 }
  return [EINVAL, ENOSYS].contains(errno) ? moveByLink(old, oldPlace, new, newPlace) : errno
}

/// For file systems without RENAME_NOREPLACE, such as some in user space. Makes a hard link, which
/// fails if the name exists, then removes the old name. Without hard links, it checks first: only a
/// file made under that name at that moment can be replaced, and a folder never is, since a rename
/// replaces no folder that has anything in it.
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
