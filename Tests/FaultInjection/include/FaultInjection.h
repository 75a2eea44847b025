/* A library for LD_PRELOAD that comes between a program and its system calls. It is told by the environment what to do
   (see FaultInjection.c), and does nothing by default. It offers no functions of its own. */
