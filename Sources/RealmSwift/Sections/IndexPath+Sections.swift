#if !canImport(Darwin)
  public import Foundation

  // On Apple platforms the user interface's framework declares these.
  extension IndexPath {
    /// Creates an index path from the position of a section and a position within it.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// Creates an index path from the position of a section and a row within it.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The position of the section.
    public var section: Int {
      get { self[0] }
      set { self[0] = newValue }
    }

    /// The position within the section.
    public var item: Int {
      get { self[1] }
      set { self[1] = newValue }
    }

    /// The row within the section, equal to `item`.
    public var row: Int {
      get { self[1] }
      set { self[1] = newValue }
    }
  }
#endif
