/// The version of the daemon and of what belongs to it.
public let contextdiffVersion = "0.1.0"
