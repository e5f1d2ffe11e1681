/// The version of the daemon and of all that belongs to it.
package let contextdiffVersion = "0.2.0"
