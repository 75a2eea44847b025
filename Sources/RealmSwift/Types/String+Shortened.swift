extension String {
  /// At most 60 characters of it, for messages.
  package var shortened: String { count <= 60 ? self : prefix(57) + "…" }
}
