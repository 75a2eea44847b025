#if !canImport(Darwin)
  public import Foundation

  // On Apple platforms the user interface's framework declares these.
  extension IndexPath {
    /// A place within a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// A place within a section, as tables call it.
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

    /// The position within the section, as tables call it.
    public var row: Int {
      get { self[1] }
      set { self[1] = newValue }
    }
  }
#endif
