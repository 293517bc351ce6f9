// Marks a stretch of Swift as realtime for RealtimeSanitizer. Costs two tests of a null pointer in
// a program without it. May be used on any thread.
import CRealtime

/// Runs `body`; in a program linked with RealtimeSanitizer, the first call in it that could
/// allocate, lock or block ends the program with its stack.
@inlinable
public func inRealtimeSection<Result: ~Copyable>(_ body: () -> Result) -> Result {
  realtime_section_enter()
  defer { realtime_section_exit() }
  return body()
}

/// For a loop that waits for another core: saves power and lets a sibling run.
@inlinable
public func spinHint() { realtime_spin_hint() }
