// Nothing to include: this library is preloaded into a program under test. See call_recorder.c.
