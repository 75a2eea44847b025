import Foundation

// `Benchmarks child-…` is this program in the service of another run of itself.
do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if try ChildCommand.run(arguments) {
    exit(0)
  }
  if arguments.contains("--help") {
    print(Options.usage)
    exit(0)
  }
  let options = try Options(arguments: arguments, environment: ProcessInfo.processInfo.environment)
  exit(try Benchmark(options: options).run())
} catch {
  RunLog().note("*** \(error)")
  exit(1)
}
