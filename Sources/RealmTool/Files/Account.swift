import LibC

/// The user that runs the tool, for messages about permissions.
enum Account {
  /// The name of the effective user, or its number.
  static var name: String { name(of: geteuid()) }

  private static func name(of user: uid_t) -> String {
    guard let entry = getpwuid(user) else { return "number \(user)" }
    return "'\(String(cString: entry.pointee.pw_name))'"
  }

  /// Returns which permission is missing for a file, and how to get it.
  static func advice(_ path: String) -> String {
    var information = stat()
    if stat(path, &information) != 0 {
      return
        "User \(name) has no permission to enter the folder of '\(path)': run realm as its owner, or change the permissions of the folder with chmod, chgrp or setfacl."
    }
    let wanted = access(path, R_OK) == 0 ? "write to" : "read"
    let owner = name(of: information.st_uid)
    return
      "User \(name) has no permission to \(wanted) '\(path)' or the files beside it, which belong to user \(owner): run realm as user \(owner), or change the permissions with chmod, chgrp or setfacl."
  }
}
