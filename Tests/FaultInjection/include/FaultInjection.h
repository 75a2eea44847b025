/* A library for LD_PRELOAD that comes between a program and its system calls: it lets chosen ones fail, and records
   what changes files. It offers no functions of its own, and does nothing unless the environment tells it to:

   FAULT_PREFIX   Only calls on files whose absolute path begins so concern it. (Of pthread_create, msync and madvise every call does.)

   Failing:
   FAULT_CALLS    Which calls: names with commas between them (open, read, pread, write, pwrite, fdatasync, fsync,
                  msync, ftruncate, fallocate, mmap, flock, fcntl, fstat, rename, renameat2, link, unlink, mkdir, rmdir, pthread_create, madvise), or
                  "all". "write" and "pwrite" stand for their vectored forms, too; "renameat2" is one with flags.
   FAULT_AT       The n-th of them fails, counted from 1.
   FAULT_COUNT    And so many in all from then on; 0 for ever. 1 when it is missing.
   FAULT_ERRNO    With which number; EIO when it is missing.
   FAULT_SIGNAL   The number of a signal that the process sends to itself before a call that is to fail: 9 kills it.
   FAULT_SHORT    When it is there, a write that is to fail writes the first half instead and says so.
   FAULT_ARMED    Calls count only while this file exists, so that a program can say what is under attack.
   FAULT_REPORT   Where a line "<name> <n>" for each kind is written at the end, with how many calls counted, and a line
                  "failed <n> <name>" whenever one fails.
   FAULT_DELAY    How many microseconds at most a call takes longer that brings something to the disk.

   Recording:
   FAULT_RECORD   Where to append what changes the files, in the order in which it takes effect, also of several
                  processes at once. See Record.c for the format. */
