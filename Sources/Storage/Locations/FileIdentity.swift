package import Pages

/// What tells a file from all others, whatever it is called.
package typealias FileIdentity = Pages.FileIdentity
